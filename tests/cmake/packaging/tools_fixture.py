# SPDX-License-Identifier: BSD-3-Clause
"""Tests of scripts that need the libraries of packaging/libraries, which python_tools.cmake has fetched."""

import os
import subprocess
import sys
import unittest

from box import ROOT, BoxTest

TOOLS = os.environ["TSB_TEST_TOOLS"] + "/modules"
if not os.path.isdir(TOOLS + "/packaging"):
    print("SKIP: the libraries that make wheels and conda packages could not be fetched", flush=True)
    raise unittest.SkipTest("no libraries")
sys.path.append(TOOLS)


class ToolsTest(BoxTest):
    def run_tool(self, ends, script, *words, says=()):
        """As tsb_call_python does with WITH_TOOLS."""
        runner = [sys.executable, "-I", "-S", "-B", ROOT / "engine", "--modules", TOOLS]
        self.run_program(ends, *runner, ROOT / "packaging" / script, *words, says=says)

    def library(self, path, *options, source="int answer() { return 42; }"):
        """A shared library of C in the box."""
        self.write("library.c", source)
        file = self.write(path)
        command = ["cc", "-shared", "-fPIC", *options, "-o", file, self.box / "library.c"]
        subprocess.run(command, check=True)
        return file
