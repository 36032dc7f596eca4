# SPDX-License-Identifier: BSD-3-Clause
"""The modules of cmake/sources, and a folder for each test."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "cmake/sources"))


class SourcesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="a folder ")
        self.addCleanup(folder.cleanup)
        self.box = pathlib.Path(folder.name)
