# SPDX-License-Identifier: BSD-3-Clause
"""What is packed is whole after a power cut that comes right after success."""

import os
import subprocess
import zipfile

from box import BoxTest

import power_cut

from engine import partial_file


class PowerCutTest(BoxTest):
    def setUp(self):
        super().setUp()
        self.disk = power_cut.Disk(self, self.box)

    def test_the_disk_loses_what_was_not_synced(self):
        def work(dist):
            (dist / "a").write_bytes(b"lost")
            os.rename(dist / "a", dist / "b")

        there = self.disk.cut_power_after(work) / "b"
        self.assertEqual(there.read_bytes() if there.exists() else b"", b"")

    def test_zip(self):
        content = os.urandom(3 << 20)
        (self.box / "tree").mkdir()
        (self.box / "tree/file").write_bytes(content)
        command = [os.environ["TORCHPKG"], "pack", "--root", self.box / "tree", "--output"]
        dist = self.disk.cut_power_after(lambda dist: subprocess.run([*command, dist / "a.zip"], check=True))
        with zipfile.ZipFile(dist / "a.zip") as archive:
            self.assertEqual(archive.read("tree/file"), content)

    def test_what_lies_beside(self):
        def work(dist):
            for number in range(3):
                partial_file.write_text(dist / f"{number}.json", str(number) * 5000)

        dist = self.disk.cut_power_after(work)
        for number in range(3):
            self.assertEqual((dist / f"{number}.json").read_text(), str(number) * 5000)
