# SPDX-License-Identifier: BSD-3-Clause
"""A commit, with the commits of its submodules when the tree is to be complete, becomes one verified file without history,
from which the very tree comes out again."""

import os
import shutil

from box import need
from fixture import GitTest

need("git")


class Git(GitTest):
    def setUp(self):
        super().setUp()
        self.make("deep")
        self.make("big")
        self.make("inner", ("deep", "../deep"))
        files = {".gitattributes": "hidden.txt export-ignore\n", "hidden.txt": "hidden\n"}
        links = [("third party/inner", "../inner"), ("third party/big", "../big")]
        self.commit = self.make("outer", *links, **files)
        self.pack = self.cache / f"whole/1.0/whole-{self.commit}.pack"
        inner, deep = "third party/inner", "third party/inner/deep"
        choices = {
            "whole": True,
            "outer": False,
            "some": [inner],
            "nested": [deep, inner],
            "misnamed": [inner, "inner"],
        }
        candidate = {"version": "1.0", "commit": self.commit, "git": f"file://{self.box}/repositories/outer"}
        for name, complete in choices.items():
            self.pin(name, {**candidate, "complete": complete})
        self.pin("gone", {**candidate, "commit": "a" * 40})

    def make(self, name, *links, **files):
        """A commit that is neither the first nor the last one of its repository; links: (path, url)."""
        folder = f"repositories/{name}"
        self.repository(folder, {f"{name}.txt": "old\n"})
        submodules = [(path, url, self.git(f"repositories/{url[3:]}", "rev-parse", "HEAD~1")) for path, url in links]
        commit = self.repository(folder, {f"{name}.txt": f"{name}\n", **files}, submodules)
        self.git(folder, "rm", "--quiet", f"{name}.txt")
        self.git(folder, "commit", "--quiet", "-m", "newer")
        return commit

    def offline(self, ends, *says, **more):
        self.fetch(ends, "whole", says=says, offline=True, **more)

    def test_trees(self):
        """Which submodules come out for each pin. A line says when one names what is not a submodule."""
        for protocol in ("2", "0"):  # a server of protocol 0 gives no single commits
            shutil.rmtree(self.cache, ignore_errors=True)
            self.environment(GIT_CONFIG_COUNT="1", GIT_CONFIG_KEY_0="protocol.version", GIT_CONFIG_VALUE_0=protocol)
            with self.subTest(protocol=protocol):
                self.check_trees()
        # One that is not taken need not be there; one that is taken is named.
        shutil.rmtree(self.cache)
        shutil.rmtree(self.box / "repositories/big")
        words = f"git: submodule third party/big: file://{self.box}/repositories/big: fatal:"
        self.fetch(0, "nested", {"name": "whole", "required": False}, says=[words])

    def check_trees(self):
        optional = [{"name": name, "required": False} for name in ("misnamed", "gone")]
        says = ["gone 1.0 is not available", "it has no submodule inner, which its pin names"]
        self.fetch(0, "whole", "outer", "some", "nested", *optional, says=says)
        self.assertEqual([self.entries[name]["status"] for name in ("misnamed", "gone")], ["missing"] * 2)
        self.assertTrue(self.pack.exists())
        inner, deep, big = (f"third party/{file}" for file in ("inner/inner.txt", "inner/deep/deep.txt", "big/big.txt"))
        own = {"outer.txt", "hidden.txt"}
        for name, below in (("whole", {inner, deep, big}), ("outer", {}), ("some", {inner}), ("nested", {inner, deep})):
            self.unpack(0, name, self.box / "out")
            out = {path for path in self.files("out") if not os.path.basename(path).startswith(".git")}
            self.assertEqual(out, own.union(below), name)
            self.assertEqual((self.box / "out/outer.txt").read_text(), "outer\n")
            self.assertFalse((self.box / "out/.git").exists())

    def test_cache(self):
        """In a copied cache the files have other times. Its packs are hashed, not unpacked: git is not asked."""
        self.fetch(0, "whole", "outer")
        shutil.rmtree(self.box / "repositories")
        path = os.environ["PATH"]
        self.write("no git/git", f"#!/bin/sh\necho \"git $*\" >>'{self.box}/asked'\nexit 1\n", 0o755)
        os.environ["PATH"] = f"{self.box}/no git:{path}"
        self.addCleanup(os.environ.update, PATH=path)
        os.utime(self.pack, (1, 1))
        for _ in range(2):
            self.offline(0)
            self.assertFalse((self.box / "asked").exists())
        os.environ["PATH"] = path
        # Other bytes of the same size are found.
        whole = self.pack.read_bytes()
        self.pack.write_bytes(whole[:40] + b"x" + whole[41:])
        self.offline(4, f"It was moved aside to {self.pack}.wrong")
        self.pack.write_bytes(whole)

        # From a mirror it is verified again, without any repository.
        mirrors, lacks = [self.cache], self.cache / f"outer/1.0/outer-{self.commit}.pack"
        self.cache = self.box / "another cache"
        self.offline(0, mirrors=mirrors)
        self.cache = self.box / "third cache"
        self.pack.write_text("PACK, but no more")
        self.offline(4, f"not the commit {self.commit}: not a whole git pack", mirrors=mirrors)
        # Another commit under the right name is not accepted: here the pack without the submodule.
        shutil.copy(lacks, self.pack)
        self.offline(4, "is not in it", mirrors=mirrors)
