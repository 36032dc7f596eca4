# SPDX-License-Identifier: BSD-3-Clause
"""A wheel through pip, which is given the pinned hash; a folder stands for the index."""

import os
import subprocess
import unittest

from fixture import CommandTest

NO_PIP = subprocess.run(["python3", "-m", "pip", "--version"], capture_output=True).returncode


@unittest.skipIf(NO_PIP, "pip is not installed")
class PythonIndex(CommandTest):
    def test_wheels(self):
        demo = {**self.wheel("index", LICENSE="the licence"), "subdir": "demo"}
        demo["license_file"] = "demo-1.0.dist-info/LICENSE"
        self.pin("demo", demo)
        # For another CPython than the one whose pip is asked.
        self.pin("tied", self.wheel("index", "cp399-cp399-manylinux_2_17_x86_64.manylinux2014_x86_64", "tied"))
        self.pin("other", {**demo, "sha256": "0" * 64})
        self.pin("newer", {**demo, "python-index": {**demo["python-index"], "version": "9.0"}})
        # pip splits this variable at blanks.
        links = f"file://{self.box}/index".replace(" ", "%20")
        self.environment(PIP_NO_INDEX="1", PIP_FIND_LINKS=links, PIP_CONFIG_FILE=os.devnull)
        optional = [{"name": name, "required": False} for name in ("other", "newer")]
        says = [f"{name} 1.0 from python-index ({name}==1.0)" for name in ("demo", "tied")]
        self.fetch(0, "demo", "tied", *optional, says=says)
        self.assertEqual(self.entries["demo"]["kind"], "wheel")
        for name, reason in (("other", "the index has another file"), ("newer", "the index has no demo 9.0")):
            self.assertIn(reason, self.entries[name]["reason"])
        self.unpack(0, "demo", self.box / "out")
        self.assertEqual(self.files("out"), {"include/demo.h", "LICENSE"})
        self.assertEqual((self.box / "out/LICENSE").read_text(), "the licence")
