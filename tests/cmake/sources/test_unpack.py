# SPDX-License-Identifier: BSD-3-Clause
"""Every kind of source comes out as its pin says; what cannot be unpacked is said, and the old tree stays."""

import shutil
import subprocess

from box import sha256
from fixture import CommandTest

DEMO = {"hello.txt", "below/deep.txt", "filling"}


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
        """Nothing of the tree before is left."""
        self.archive("demo.tar")
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
        (self.box / "half.tar.gz").write_bytes((self.box / "demo.tar").read_bytes()[:700])
        gone = f"unpack: {self.box}/gone.tar is gone since it was fetched"
        nothing = {"kind": "archive", "archive": "", "strip": 1}
        for entry, *says in (
            (self.entry("half.tar.gz", strip=0), f"unpack: {self.box}/half.tar.gz cannot be unpacked"),
            (self.entry("demo.tar", strip=2), 'does not have everything in one folder, but its pin has "strip": 2'),
            (self.entry("demo.tar", subdir="nowhere"), "demo.tar has no folder 'nowhere'"),
            (self.entry("demo.tar", license_file="COPYING"), "no file 'COPYING', which its pin names as its licence"),
            ({**nothing, "archive": f"{self.box}/gone.tar"}, gone, "Run the same command again: it is fetched again."),
            (nothing, "there is nothing to unpack", "run the target fetch"),
            (self.entry("demo.tar", kind="basket"), "of unknown kind ('basket')"),
        ):
            self.check(3, entry, DEMO, *says)

    def test_links(self):
        """They stay below what is taken of the archive, and so does what is taken."""
        self.write("secret")
        place = self.box / "demo/demo-1.0"
        (place / "a/b").mkdir(parents=True)
        for link, to in (
            ("a/b/f", "../f"),
            ("a/c", "b"),
            ("a/LICENSE", "f"),
            ("secret", f"{self.box}/secret"),
            ("a/out", "../../../.."),
        ):
            (place / link).symlink_to(to)
        self.write("demo/demo-1.0/a/f", "text")

        def entry(**members):
            subprocess.run(["tar", "-cf", "demo.tar", "-C", "demo", "demo-1.0"], cwd=self.box, check=True)
            return self.entry("demo.tar", **members)

        fault = "demo.tar cannot be unpacked: its link"
        self.check(3, entry(), set(), fault, "may lead out of its folder")
        self.check(3, entry(subdir="a/b"), set(), f"{fault} 'f' to '../f' may lead out")
        self.check(0, entry(subdir="a/b", into="d"), {"d/f"})
        self.check(3, entry(subdir="a/out"), {"d/f"}, "demo.tar has no folder 'a/out'")
        self.check(3, entry(subdir="a/b", license_file="secret"), {"d/f"}, "demo.tar has no file 'secret'")
        for link in ("a/b/f", "a/out", "secret"):
            (place / link).unlink()
        self.write("demo/demo-1.0/a/b/f", "deep")
        self.check(0, entry(subdir="a/c", license_file="a/LICENSE"), {"f", "LICENSE"})
        self.assertEqual((self.box / "out/LICENSE").read_text(), "text")
        self.write("demo/demo-1.0/a/b/LICENSE/MIT", "text")
        taken = entry(subdir="a/b", license_file="a/LICENSE")
        self.check(
            3,
            taken,
            {"f", "LICENSE"},
            "demo.tar has a folder LICENSE, where file 'a/LICENSE', which its pin names as its licence, belongs",
        )

    def test_changed_archive(self):
        """Another file of the same size and time, which the cache's memory of it does not show, is moved aside."""
        self.archive("right.tar")
        self.archive("evil.tar", "evil-1.0")
        file, evil = self.box / "demo.tar", self.box / "evil.tar"
        shutil.copy(self.box / "right.tar", file)
        entry = self.entry("demo.tar")
        self.check(0, entry, DEMO)
        shutil.copy(evil, file)
        self.write("demo.tar.ok", "{}")
        changed = f"demo.tar changed since it was fetched: sha256 expected {entry['sha256']}, got {sha256(evil)}"
        self.check(3, entry, DEMO, f"{changed} It was moved aside to")
        self.assertTrue((self.box / "demo.tar.wrong").exists())
        self.assertFalse((self.box / "demo.tar.ok").exists())
        shutil.copy(self.box / "right.tar", file)
        self.check(0, entry, DEMO)
        self.check(0, entry, DEMO)
