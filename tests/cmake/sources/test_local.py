# SPDX-License-Identifier: BSD-3-Clause
"""A folder that the user names is taken as it is, before everything else, and known by its content; of one that holds an
installed copy only that is taken."""

import hashlib
import os
import re
import shutil
import subprocess

from box import ROOT, need
from fixture import GitTest

from engine.model.package_manifest import manifest_of

need("git")
DOCUMENTATION = (ROOT / "docs/sources.md").read_text()


class Local(GitTest):
    def setUp(self):
        super().setUp()
        self.pin("demo", self.archive("mirror/demo/1.0/demo.tar"))

    def fetch_tree(self, ends=0, says=(), folder="my tree"):
        self.fetch(ends, "demo", says=says, local={"demo": self.box / folder}, mirrors=[f"{self.box}/mirror"])
        return self.entries["demo"]

    def sums(self, folder):
        """What the command of the documentation hashes last."""
        recipe = re.search(r"^find .*\\$\n.* \| sha256sum$", DOCUMENTATION, re.MULTILINE)
        return subprocess.check_output(
            recipe[0].rpartition("|")[0], shell=True, cwd=self.box / folder, stderr=subprocess.DEVNULL
        )

    def test_in_the_manifest(self):
        """A pin's version is not that of the folder that takes its place: PyTorch's tree has its own."""
        self.write("my tree/hello.txt")
        package = {"name": "demo", "source": "demo", "patches": {}, "place": [], "options": [], "targets": []}
        self.write("packages/demo/package.json", package)
        self.write("packages/demo/sources.json", {"demo": self.fetch_tree()})
        for text, version in ("1.1.0a0+git\n", "1.1.0a0"), ("1.0a0\n", "1.0"), ("none\n", "1.0"):
            self.write("packages/demo/source/version.txt", text)
            manifest = manifest_of(self.box / "packages/demo", "f" * 64, {})
            found = manifest["version"], manifest["sources"][0]["version"], manifest["local"]
            self.assertEqual(found, (version, version, True), text)
        self.fetch(0, "demo", mirrors=[f"{self.box}/mirror"])
        self.write("packages/demo/sources.json", {"demo": self.entries["demo"]})
        self.write("packages/demo/source/version.txt", "1.1.0\n")
        manifest = manifest_of(self.box / "packages/demo", "f" * 64, {})
        self.assertEqual((manifest["version"], manifest.get("local")), ("1.0", None))

    def make_tree(self):
        """In a repository in which nothing is changed either. Some names CMake's lists, or a shell, take for something else."""
        tree = self.box / "my tree"
        files = {"hello.txt": "mine", "Below/Deep.txt": "deep", "Below/.hidden": "hidden", ".git/unknown": "to git too"}
        files.update({"below/.gitmodules": "no folder of git's", "below/.git": "gitdir: /of/a/submodule"})
        files.update({".tsb-patches": "of a build", "below/.tsb-patches": "of a build"})
        files.update({f"odd/{name}": "odd" for name in ("a[", "b\\c", "c\rd", "d\ne", "x;y")})
        for name, text in {**files, "-e": "odd"}.items():
            self.write(f"my tree/{name}", text)
        self.write("my tree/run", "#!/bin/sh\n", 0o711)
        self.write("elsewhere/far.txt", "far")
        links = {"link to a folder": "../elsewhere", "link to a file": "hello.txt", "below/link back up": ".."}
        for name, to in links.items():
            (tree / name).symlink_to(to)
        self.repository(".", {".gitignore": "*\n"})
        return tree

    def test_content(self):
        tree = self.make_tree()
        entry = self.fetch_tree()
        expected = {"kind": "folder", "provider": "local", "archive": str(tree), "commit": "", "sha256": ""}
        self.assertEqual(entry, {**entry, **expected})
        # What anybody gets with the usual tools, of the folder and of what is copied of it.
        for folder in ("my tree", "out"):
            self.unpack(0, "demo", self.box / "out")
            sums = self.sums(folder)
            self.assertEqual(sums.count(b"\0"), 13)
            self.assertEqual(hashlib.sha256(sums).hexdigest(), entry["tree_sha256"])
            self.assertEqual(os.stat(self.box / folder / "run").st_mode & 0o100, 0o100)
        self.assertNotIn("below/.tsb-patches", self.files("out"))
        # A link that leads nowhere is not a file, for the hash and for the copy.
        (tree / "below/link to nothing").symlink_to("nowhere")
        self.assertEqual(self.fetch_tree()["tree_sha256"], entry["tree_sha256"])
        self.unpack(0, "demo", self.box / "out")
        self.assertEqual(self.sums("out"), sums)

    def test_changes(self):
        tree, last = self.make_tree(), self.fetch_tree()["tree_sha256"]
        for what, change, changes in (
            ("a file touched", lambda: os.utime(tree / "hello.txt", (1, 1)), False),
            ("a file made executable", lambda: os.chmod(tree / "hello.txt", 0o744), True),
            ("another mode", lambda: os.chmod(tree / "hello.txt", 0o700), False),
            ("a file changed, of the same size", lambda: self.write("my tree/hello.txt", "mime"), True),
            ("a file behind a link changed", lambda: self.write("elsewhere/far.txt", "farther"), True),
            ("one more file", lambda: self.write("my tree/more.txt"), True),
            ("a file renamed", lambda: os.rename(tree / "Below/.hidden", tree / "Below/.hid"), True),
            ("git's own file changed", lambda: self.write("my tree/.git/unknown", "changed"), False),
            ("a list of patches changed", lambda: self.write("my tree/.tsb-patches", "changed"), False),
            ("a submodule's .git changed", lambda: self.write("my tree/below/.git", "gitdir: /of/another"), False),
        ):
            change()
            now = self.fetch_tree()["tree_sha256"]
            self.assertEqual(now != last, changes, what)
            last = now
        os.chmod(tree / "hello.txt", 0o755)
        self.unpack(3, "demo", self.box / "out", ["my tree changed since it was fetched: hello.txt"])

    def test_what_is_no_folder(self):
        self.write("a file")
        (self.box / "empty tree").mkdir()
        for folder, fault in (
            (f"{self.box}/no tree", "does not exist"),
            (f"{self.box}/empty tree", "is empty"),
            (f"{self.box}/a file", "is a file, not a folder"),
        ):
            words = f"local: {folder} {fault}: correct TSB_LOCAL_demo, or unset it"
            self.fetch(4, "demo", says=[words], local={"demo": folder}, mirrors=[f"{self.box}/mirror"])

    def test_installed_copy(self):
        """The rest of a prefix is somebody else's. A folder without the first of these files is a source tree."""
        self.pins["demo"]["prebuilt"] = ["lib*/libdemo.*", "include/demo*.h", "share/doc/*demo*/copyright"]
        taken = ["include/demo.h", "include/demo_more.h", "lib64/libdemo.so", "lib64/libdemo.so.2"]
        for name in (*taken[:2], taken[3], "lib64/libother.so", "include/other.h", "CMakeLists.txt"):
            self.write(f"my tree/{name}", name)
        (self.box / "my tree/lib64/libdemo.so").symlink_to("libdemo.so.2")
        entry = self.fetch_tree()
        self.assertEqual(entry["files"], taken[2:] + taken[:2])
        command = [
            "sh",
            "-c",
            'sha256sum -z "$@" | LC_ALL=C sort -z | sha256sum',
            "sh",
            *(f"./{name}" for name in taken),
        ]
        sums = subprocess.check_output(command, cwd=self.box / "my tree", text=True)
        self.assertEqual(f"{entry['tree_sha256']}  -\n", sums)
        self.unpack(0, "demo", self.box / "out")
        self.assertEqual(self.files("out"), set(taken))
        self.assertEqual(os.readlink(self.box / "out/lib64/libdemo.so"), "libdemo.so.2")

        # A link that names its own place would lead back into the folder.
        (self.box / "my tree/lib64/libdemo.so").unlink()
        (self.box / "my tree/lib64/libdemo.so").symlink_to(f"{self.box}/my tree/lib64/libdemo.so.2")
        self.unpack(0, "demo", self.box / "out")
        self.assertFalse((self.box / "out/lib64/libdemo.so").is_symlink())

        # What others do in the prefix is nothing to it; what happens to its own files is.
        self.write("my tree/include/other.h", "changed by others")
        self.assertEqual(self.fetch_tree()["tree_sha256"], entry["tree_sha256"])
        self.write("my tree/include/demo.h", "changed by its owner")
        self.assertNotEqual(self.fetch_tree()["tree_sha256"], entry["tree_sha256"])

        # No library of it: the whole folder, a source tree.
        shutil.rmtree(self.box / "my tree/lib64")
        self.fetch_tree()
        self.unpack(0, "demo", self.box / "out")
        self.assertEqual(self.files("out"), {"CMakeLists.txt", *taken[:2], "include/other.h"})
