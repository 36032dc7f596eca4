# SPDX-License-Identifier: BSD-3-Clause
"""What is packed is whole after a power cut that comes right after success."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

PROJECT = pathlib.Path(__file__).resolve().parents[3]
sys.path += [str(PROJECT / "tests/fixtures"), str(PROJECT / "cmake/sources")]

import partial_file  # noqa: E402
import power_cut  # noqa: E402


class PowerCutTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.box = pathlib.Path(folder.name)
        self.disk = power_cut.Disk(self, self.box)
        self.dist = self.disk.folder / "dist"
        self.dist.mkdir()
        subprocess.run(["sync", "--file-system", self.dist], check=True)

    def test_the_disk_loses_what_was_not_synced(self):
        (self.dist / "a").write_bytes(b"lost")
        os.rename(self.dist / "a", self.dist / "b")
        self.disk.cut_power()
        there = self.dist / "b"
        self.assertEqual(there.read_bytes() if there.exists() else b"", b"")

    def test_zip(self):
        content = os.urandom(3 << 20)
        (self.box / "tree").mkdir()
        (self.box / "tree/file").write_bytes(content)
        command = [os.environ["TORCHPKG"], "pack", "zip", "--root", self.box / "tree", "--output", self.dist / "a.zip"]
        subprocess.run(command, check=True)
        self.disk.cut_power()
        with zipfile.ZipFile(self.dist / "a.zip") as archive:
            self.assertEqual(archive.read("tree/file"), content)

    def test_what_lies_beside(self):
        for number in range(3):
            partial_file.write_text(self.dist / f"{number}.json", str(number) * 5000)
        self.disk.cut_power()
        for number in range(3):
            self.assertEqual((self.dist / f"{number}.json").read_text(), str(number) * 5000)


if __name__ == "__main__":
    unittest.main()
