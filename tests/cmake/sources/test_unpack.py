# SPDX-License-Identifier: BSD-3-Clause
"""Every kind of source comes out as its pin says; what cannot be unpacked is named, and the old tree stays."""

import shutil
import subprocess
from unittest import mock

from box import sha256
from fixture import CommandTest

from engine.sources import tree, unpack

DEMO = {"hello.txt", "below/deep.txt", "filling"}
REMEDY = "Run the same command again: it is fetched again."


class Unpack(CommandTest):
    def check(self, ends, entry, left, *says):
        self.write("result.json", {"demo": {"status": "ok", **entry}})
        with self.subTest(entry):
            self.unpack(ends, "demo", self.box / "out", says)
            self.assertEqual(self.files("out"), left)
            for beside in ("out.unpacking", "out.replaced"):
                self.assertFalse((self.box / beside).exists())

    def entry(self, archive, **members):
        file = self.box / archive
        return {"kind": "archive", "archive": str(file), "sha256": sha256(file), "strip": 1, **members}

    def test_good(self):
        """Nothing is left of the tree before, nor of a run that was killed."""
        self.archive("demo.tar")
        self.write("out.unpacking/content/half.txt")
        self.check(0, self.entry("demo.tar"), DEMO)
        self.check(0, self.entry("demo.tar", strip=0), {f"demo-1.0/{name}" for name in DEMO})
        moved = self.entry("demo.tar", subdir="below", into="a/b", license_file="hello.txt")
        self.check(0, moved, {"a/b/deep.txt", "LICENSE"})
        self.assertEqual((self.box / "out/LICENSE").read_text(), "hello from demo-1.0\n")
        for name in ("below/deep.txt", "hello.txt", "not listed"):
            self.write(f"tree/{name}", name)
        command = ["sha256sum", "-z", "./below/deep.txt", "./hello.txt"]
        lines = subprocess.check_output(command, cwd=self.box / "tree", text=True)
        folder = {"kind": "folder", "archive": f"{self.box}/tree", "list": str(self.write("sums", lines))}
        self.check(0, folder, {"below/deep.txt", "hello.txt"})

    def test_faults(self):
        self.archive("demo.tar")
        self.check(0, self.entry("demo.tar"), DEMO)
        nothing = {"kind": "archive", "archive": "", "strip": 1}
        gone = {**nothing, "archive": f"{self.box}/gone.tar", "sha256": ""}
        for entry, *says in (
            (self.entry("demo.tar", strip=2), 'does not have everything in one folder, but its pin has "strip": 2'),
            (self.entry("demo.tar", subdir="nowhere"), "demo.tar has no folder 'nowhere'"),
            (self.entry("demo.tar", license_file="COPYING"), "no file 'COPYING', which its pin names as its licence"),
            (nothing, "there is nothing to unpack", "run the target fetch"),
            (gone, "gone.tar cannot be read: No such file or directory", REMEDY),
        ):
            self.check(3, entry, DEMO, *says)

    def test_changed_archive(self):
        """Another file of the same size and time, which the cache's memory of it does not show, is moved aside."""
        self.archive("right.tar")
        self.archive("evil.tar", "evil-1.0")
        file, evil = self.box / "demo.tar", self.box / "evil.tar"
        shutil.copy(self.box / "right.tar", file)
        entry = self.entry("demo.tar")
        shutil.copy(evil, file)
        self.write("demo.tar.ok", "{}")
        changed = f"demo.tar changed since it was fetched: sha256 expected {entry['sha256']}, got {sha256(evil)}"
        self.check(3, entry, set(), f"{changed} It was moved aside to", REMEDY)
        self.assertTrue((self.box / "demo.tar.wrong").exists())
        self.assertFalse((self.box / "demo.tar.ok").exists())

    def test_archive_that_changes_meanwhile(self):
        """What is unpacked is what was hashed."""
        self.archive("demo.tar")
        self.archive("evil.tar", "evil-1.0")
        entry, real = {"status": "ok", **self.entry("demo.tar")}, tree.digest

        def overwritten(file, copy):
            found = real(file, copy)
            shutil.copyfile(self.box / "evil.tar", self.box / "demo.tar")  # in place
            return found

        with mock.patch("engine.sources.tree.digest", overwritten):
            unpack.unpack_source(entry, str(self.box / "out"))
        self.assertEqual((self.box / "out/hello.txt").read_text(), "hello from demo-1.0\n")
