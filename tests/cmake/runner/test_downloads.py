# SPDX-License-Identifier: BSD-3-Clause
"""The downloads that a log reports."""

import unittest

import fixture  # noqa: F401

from downloads import downloads_in  # isort: skip

CASES = {
    "-- Found x\n[1/2] Building CXX object a.o\nx.c:1: error: no\n": [],
    "six build: refused a download: http://a\n-- b\nsix build: refused a download: http://a\n"
    "six build: refused a download: http://c": ["http://a", "http://c"],
    "six build: refused a download: https://a.org\nsix build: refused a download: https://a.or\n"
    "    error: downloading 'https://a.org/six.tar.gz' failed\n": ["https://a.or", "https://a.org/six.tar.gz"],
    # git, alone and under ExternalProject and with submodules.
    "Cloning into 'six'...\nfatal: transport 'https' not allowed\n": ["a git repository by https for six"],
    "fatal: transport 'ssh' not allowed\n": ["a git repository by ssh"],
    "Cloning into 'six'...\nfatal: transport 'https' not allowed\nCMake Error at six-gitclone.cmake:39 (message):\n"
    "  Failed to clone repository: 'https://a.org/six'\n": ["https://a.org/six"],
    "Cloning into '/b/six'...\nfatal: transport 'https' not allowed\n"
    "fatal: clone of 'https://a.org/six' into submodule path '/b/six' failed\n": ["https://a.org/six"],
    "could not find git for clone of six\n": ["a git repository for six"],
    "ERROR: Could not find a version that satisfies the requirement six==1.11.0 (from versions: none)\n"
    "ERROR: No matching distribution found for six==1.11.0\n": ["six==1.11.0"],
    "curl: (6) Could not resolve host: example.org\n": ["example.org"],
    "  socket.gaierror: [Errno -3] Temporary failure in name resolution\n": [
        "socket.gaierror: [Errno -3] Temporary failure in name resolution"
    ],
}


class Downloads(unittest.TestCase):
    def test_cases(self):
        for log, wanted in CASES.items():
            with self.subTest(log):
                self.assertEqual(list(downloads_in([log])), wanted)
