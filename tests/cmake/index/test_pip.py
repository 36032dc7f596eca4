# SPDX-License-Identifier: BSD-3-Clause
"""pip installs from the folder behind a plain web server."""

import functools
import http.server
import re
import subprocess
import sys
import threading
import unittest

from fixture import IndexTest, pack, wheel_entries

PIP = [sys.executable, "-m", "pip"]
VERSION = subprocess.run([*PIP, "--version"], stdout=subprocess.PIPE, text=True).stdout


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        self.server.asked.append(self.path)


@unittest.skipUnless(VERSION, "pip is not installed")
class Pip(IndexTest):
    def install(self):
        """What pip asked for."""
        handler = functools.partial(Handler, directory=self.dist)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            server.asked = []
            threading.Thread(target=server.serve_forever, args=(0.01,)).start()
            index = f"http://127.0.0.1:{server.server_port}/simple"
            options = [
                "--isolated",
                "--no-cache-dir",
                "--no-compile",
                "--index-url",
                index,
                "--target",
                self.box / "site",
            ]
            done = subprocess.run([*PIP, "install", *options, "Demo.Package"], capture_output=True, text=True)
            server.shutdown()
            self.status, self.text = done.returncode, done.stdout + done.stderr
            return server.asked

    def test_install(self):
        wheel = self.dist / "demo_package-1.0+cpu-py3-none-any.whl"
        pack(wheel, wheel_entries())
        pack(self.dist / "demo_package-0.9-py3-none-any.whl", wheel_entries(version="0.9"))
        self.make_index()
        asked = self.install()
        self.assertEqual(self.status, 0, self.text)
        self.assertIn("/simple/demo-package/", asked)
        self.assertIn("demo_package.py", self.files("site"))
        # Since 23.2 pip reads METADATA without the wheel first.
        if tuple(map(int, re.findall("[0-9]+", VERSION)[:2])) >= (23, 2):
            self.assertIn("/demo_package-1.0%2Bcpu-py3-none-any.whl.metadata", asked)
