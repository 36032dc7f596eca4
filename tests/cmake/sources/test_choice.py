# SPDX-License-Identifier: BSD-3-Clause
"""Which candidate is taken: one that the architectures allow, and for submodules what the tree brings, or pins of their own."""

import shutil

from box import ROOT
from fixture import CommandTest

ZEROS = "0" * 64


class CompleteTree(CommandTest):
    """A tree that brings its submodules needs no others."""

    def setUp(self):
        super().setUp()
        self.pin("member", self.archive("mirror/member/1.0/member.tar"))
        self.pin("extra", {"version": "3.0", "filename": "extra.tar", "sha256": ZEROS, "strip": 1, "commit": "0" * 40})
        full = {**self.archive("full.tar", "full-1.0"), "complete": True}
        bare = {**self.archive("mirror/tree/1.0/bare.tar"), "complete": False}
        extra = {"name": "extra", "path": "below/extra", "required": False, "feature": "EXTRA"}
        submodules = [{"name": "member", "path": "below/member", "required": True}, extra]
        self.pin("tree", full, bare, submodules=submodules)
        self.request = {"mirrors": [f"{self.box}/mirror"]}
        self.asked = ["tree", {"name": "extra", "required": False, "needed_by": "feature X"}]

    def statuses(self):
        return [self.entries[name]["status"] for name in ("member", "extra")]

    def test_bare(self):
        self.fetch(0, *self.asked, **self.request, says=["extra 3.0 is not available, so feature X is off"])
        self.assertEqual((self.entries["tree"]["complete"], self.statuses()), (False, ["ok", "missing"]))

    def test_a_feature_that_is_off(self):
        """Nobody asks for what it alone needs."""
        self.fetch(0, "tree", **self.request, off=["EXTRA"])
        self.assertNotIn("extra", self.text + " ".join(self.entries))

    def test_required_member_missing(self):
        shutil.rmtree(self.box / "mirror/member")
        off = "extra 3.0 is not available, so tree feature EXTRA is off"
        self.fetch(4, "tree", **self.request, says=["member 1.0, needed by tree", off])

    def test_full(self):
        shutil.copy(self.box / "full.tar", self.box / "mirror/tree/1.0")
        self.fetch(0, *self.asked, **self.request)
        self.assertEqual((self.statuses(), self.entries["extra"]["candidate"]["version"]), (["included"] * 2, "3.0"))
        # A folder of the user's goes before what the tree brings.
        self.write("mine/hello.txt", "mine")
        self.fetch(0, *self.asked, **self.request, local={"member": f"{self.box}/mine"})
        self.assertEqual((self.entries["member"]["provider"], self.statuses()[1]), ("local", "included"))


class Architectures(CommandTest):
    """A candidate that cannot be compiled for one of them is not taken, from the cache neither, and the report of what is
    missing says why."""

    def setUp(self):
        super().setUp()
        old = {"version": "1.0", "filename": "old.tar", "sha256": ZEROS, "strip": 1}
        new = {**self.archive("mirror/demo/2.0/new.tar"), "version": "2.0", "lowest_cuda_arch": "6.0"}
        self.pin("demo", old, new)
        self.pin("other", new)

    def built_for(self, archs, ends, name="demo", says=()):
        request = {"backend": {"kind": "cuda", "configured": {"archs": archs}}, "mirrors": [f"{self.box}/mirror"]}
        asked = {"name": name, "required": True, "needed_by": f"package {name}"}
        self.fetch(ends, asked, says=says, pins_hook=f"{ROOT}/backends/cuda/hooks/pins.py", **request)

    def is_refused(self, archs, words):
        skipped = f"skipped 2.0: it does not support architecture {words}; mirror: not in {self.box}/mirror"
        says = ["demo 1.0, needed by package demo", skipped, f"file: {self.cache}/demo/1.0/old.tar"]
        self.built_for(archs, 4, says=says)
        self.assertNotIn("demo/2.0/new.tar", self.text)

    def test_old_architectures(self):
        others = '(it is used with TSB_CUDA_ARCHS="8.0 10.0a+PTX")'
        self.is_refused(["5.0", "5.2+PTX", "8.0", "10.0a+PTX"], f"5.0, 5.2+PTX {others}")
        for archs in (["6.0", "10.0"], []):
            self.built_for(archs, 0)
            self.assertEqual(self.entries["demo"]["candidate"], self.pins["demo"]["candidates"][1])
        # Now it is in the cache.
        self.is_refused(["5.0"], "5.0")

    def test_none_is_left(self):
        skipped = 'skipped 2.0: it does not support architecture 5.0 (it is used with TSB_CUDA_ARCHS="6.0")'
        self.built_for(["5.0", "6.0"], 4, "other", says=["  other, needed by package other"])
        self.assertIn(f"      {skipped}\nFor each", self.text)
