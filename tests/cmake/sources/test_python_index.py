# SPDX-License-Identifier: BSD-3-Clause
"""A wheel through pip, which is given the pinned hash; a folder stands for the index. What the user configured for the index
counts, what is meant for installations does not."""

import http.server
import os
import unittest
from unittest import mock

from fixture import CommandTest, has_pip

import servers

from engine.sources.providers import python_index

FOR_INSTALLATIONS = {"require-virtualenv": "true", "user": "true", "quiet": "2", "target": "/x", "prefix": "/x"}


class Refusing(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_error(401)


@unittest.skipUnless(has_pip(), "pip is not installed")
class PythonIndex(CommandTest):
    def setUp(self):
        super().setUp()
        self.demo = {**self.wheel("index", LICENSE="the licence"), "subdir": "demo"}
        self.pin("demo", self.demo)
        # pip splits this variable at blanks.
        self.links = f"file://{self.box}/index".replace(" ", "%20")
        unset = {name: None for name in os.environ if name.startswith("PIP_")}
        self.environment(**{**unset, "PIP_CONFIG_FILE": os.devnull})

    def test_wheels(self):
        self.pins["demo"]["candidates"][0]["license_file"] = "demo-1.0.dist-info/LICENSE"
        # For another CPython than the one whose pip is asked, and for another processor.
        self.pin("tied", self.wheel("index", "cp399-cp399-manylinux_2_17_x86_64.manylinux2014_x86_64", "tied"))
        self.pin("foreign", self.wheel("index", "py3-none-manylinux_2_17_madeup64", "foreign"))
        self.pin("other", {**self.demo, "sha256": "0" * 64})
        self.pin("newer", {**self.demo, "python-index": {**self.demo["python-index"], "version": "9.0"}})
        self.environment(PIP_NO_INDEX="1", PIP_FIND_LINKS=self.links)
        optional = [{"name": name, "required": False} for name in ("other", "newer")]
        says = [f"{name} 1.0 from python-index ({name}==1.0)" for name in ("demo", "tied", "foreign")]
        self.fetch(0, "demo", "tied", "foreign", *optional, says=says)
        self.assertEqual(self.entries["demo"]["kind"], "wheel")
        for name, reason in (("other", "the index has another file"), ("newer", "the index has no demo 9.0")):
            self.assertIn(reason, self.entries[name]["reason"])
        self.unpack(0, "demo", self.box / "out")
        self.assertEqual(self.files("out"), {"include/demo.h", "LICENSE"})
        self.assertEqual((self.box / "out/LICENSE").read_text(), "the licence")

    def test_settings_for_installations(self):
        """In pip's configuration and in variables; only the links of the configuration count."""
        settings = {**FOR_INSTALLATIONS, "constraint": self.write("constraint.txt", "demo==7.0\n")}
        lines = "".join(f"{name} = {value}\n" for name, value in settings.items())
        config = self.write("pip.conf", f"[global]\nno-index = true\nfind-links = {self.links}\n{lines}")
        variables = {f"PIP_{name.upper().replace('-', '_')}": str(value) for name, value in settings.items()}
        self.environment(PIP_CONFIG_FILE=str(config), **variables)
        self.fetch(0, "demo")

    def test_patience(self):
        """Only where the user has not chosen another one."""
        run = mock.Mock(python="python3", once=lambda _, ask: ask())
        self.environment(PIP_RETRIES="9")
        self.assertEqual(python_index.patience(run), ["--timeout=10"])
        self.environment(PIP_CONFIG_FILE=str(self.write("pip.conf", "[global]\ntimeout = 99\n")))
        self.assertEqual(python_index.patience(run), [])

    def test_index_that_denies_access(self):
        self.environment(PIP_INDEX_URL=servers.serve(self, Refusing)[0] + "/simple")
        self.fetch(4, "demo", says=["python-index: the index denies access: correct the user name and password"])
