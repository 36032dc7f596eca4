# SPDX-License-Identifier: BSD-3-Clause
"""Patches of the user's own (TSB_PATCHES): which files count, and that one which does not apply is found before anything is
built, wherever the source is, without a trace in a tree."""

import shutil

from box import flat, need
from fixture import CommandTest

from engine.failure import Failure
from engine.model import own_patches
from engine.sources import try_patches

need("patch")
HELLO = "hello from demo-1.0\n"


def change(before, after, file="hello.txt", subject=""):
    return f"{subject}--- a/{file}\n+++ b/{file}\n@@ -1 +1 @@\n-{before}+{after}"


# (file, its text, the message)
REFUSED = [
    ("demos/a.patch", "x", "names no source of this release did you mean demo? rename or remove it"),
    ("strange/a.patch", "x", "names no source of this release there are: demo, inner, tree; rename or remove it"),
    ("a.patch", "x", "own/a.patch belongs to no source move it into a folder with the source's name"),
    ("demo/a.diff", "x", "own/demo/a.diff has no effect: the name of a patch ends with .patch rename or remove it"),
    ("demo/a b.patch", "x", "own/demo/a b.patch: the name of a patch has letters, digits and -._+~ only rename it"),
]


class OwnPatches(CommandTest):
    def setUp(self):
        super().setUp()
        self.pin("demo", self.archive("mirror/demo/1.0/demo.tar"))
        tree = self.archive("mirror/tree/1.0/tree.tar", inside="demo-1.0/inner")
        inner = {"name": "inner", "path": "inner", "required": True}
        self.pin("tree", {**tree, "complete": True}, submodules=[inner])
        self.pin("inner", {"version": "1.0", "commit": "a" * 40, "git": "file:///nowhere"})

    def patches(self, **texts):
        """Those of a source, by the word before the first _ of their names."""
        shutil.rmtree(self.box / "own", ignore_errors=True)
        shutil.rmtree(self.box / "patches", ignore_errors=True)
        for pin in self.pins.values():
            pin.pop("patches", None)
        for name, text in texts.items():
            self.write(f"own/{name.replace('_', '/', 1)}.patch", text)
        for name, path in own_patches.add(self.box / "own", self.pins).items():
            link = self.write(f"patches/{name}")
            link.unlink()
            link.symlink_to(path)

    def get(self, ends, *says, source="demo", **request):
        self.fetch(ends, source, says=says, mirrors=[f"{self.box}/mirror"], providers=["mirror"], **request)
        self.assertEqual(list(self.box.glob("scratch/trying-*")), [])

    def configure(self, ends, *says, source="demo", **request):
        self.write_request(source, **request)
        self.run_main(ends, lambda: try_patches.main(self.box / "request.json"), says=says)

    def test_refused(self):
        for file, text, says in REFUSED:
            with self.subTest(file), self.assertRaises(Failure) as raised:
                self.write(f"own/{file}", text)
                own_patches.add(self.box / "own", self.pins)
            self.assertIn(says, flat(str(raised.exception)))
            shutil.rmtree(self.box / "own")

    def test_what_the_pins_get(self):
        for name in ("README.md", "demo/README", "demo/b.patch~", ".git/x", "demo/.hidden"):
            self.write(f"own/{name}", "no patch")
        self.write("own/demo/b.patch", change(HELLO, "b\n"))
        self.write("own/demo/a.patch", change("b\n", "a\n", subject="Subject: [PATCH 1/2] Say it louder\n"))
        found = own_patches.add(self.box / "own", self.pins)
        self.assertEqual(found, {f"demo/{name}": self.box / f"own/demo/{name}" for name in ("a.patch", "b.patch")})
        of_demo = [(patch["file"], patch["reason"]) for patch in self.pins["demo"]["patches"]]
        self.assertEqual(of_demo, [("demo/a.patch", "Say it louder"), ("demo/b.patch", "the builder's own change")])
        self.assertNotIn("patches", self.pins["tree"])

    def test_in_order(self):
        """The second builds upon the first, which builds upon the pins' own; nothing is unpacked twice."""
        self.patches(demo_1=change("ours\n", "one\n"), demo_2=change("one\n", "two\n"))
        self.write("patches/ours.patch", change(HELLO, "ours\n"))
        self.pins["demo"]["patches"].insert(0, {"file": "ours.patch", "reason": "r"})
        self.get(0, f"trying the patches of demo on {self.cache}/demo/1.0/demo.tar")
        self.configure(0)
        self.assertNotIn("trying", self.text)
        self.write("own/demo/2.patch", change("one\n", "three\n"))
        self.configure(0, "trying the patches of demo")

    def test_what_does_not_apply(self):
        """As soon as the source is there: by fetch, and from then on when configuring."""
        self.patches(demo_1=change(HELLO, "one\n"), demo_2=change("other\n", "two\n"))
        says = (
            f"{self.box}/own/demo/2.patch does not apply to source demo, {self.cache}/demo/1.0/demo.tar:",
            "checking file hello.txt Hunk #1 FAILED at 1.",
            "nothing was changed. Make the patch anew against this source (docs/variants.md#patches), or remove it from",
        )
        self.configure(0)
        self.get(3, *says)
        self.configure(3, *says)
        self.patches(demo_1="words\n")
        self.configure(3, "it has no change in it: it must be a unified diff, as diff -ruN a b makes it")
        self.patches(demo_1=change(HELLO, "one\n", file="nowhere.txt"))
        self.configure(3, "|+++ b/nowhere.txt")
        self.configure(0, source="tree")  # no package has the source

    def test_a_folder(self):
        """It stays as it is; a change that is in already counts as applied."""
        self.write("mine/hello.txt", "mine\n")
        local = {"demo": f"{self.box}/mine"}
        self.patches(demo_1=change("mine\n", "one\n"), demo_2=change("two\n", "one\n"))
        self.configure(0, local=local)
        self.patches(demo_1=change(HELLO, "one\n"))
        self.configure(3, f"does not apply to source demo, {self.box}/mine: checking", local=local)
        self.patches(demo_1=change("mine\n", "one\n", file="/hello.txt"), demo_2=change("x\n", "y\n", file="../own/x"))
        self.configure(3, "demo/2.patch does not apply", local=local)
        self.assertEqual(self.files("mine"), {"hello.txt"})
        self.assertEqual((self.box / "mine/hello.txt").read_text(), "mine\n")

    def test_a_submodule(self):
        """In the archive or the folder that it came with, or in a folder of its own."""
        self.patches(inner_1=change("none\n", "one\n"))
        self.get(3, f"to source inner, {self.cache}/tree/1.0/tree.tar/inner:", source="tree")
        self.write("mine/inner/hello.txt", "mine\n")
        self.configure(3, f"to source inner, {self.box}/mine/inner:", source="tree", local={"tree": f"{self.box}/mine"})
        local = {"inner": f"{self.box}/mine/inner"}
        self.configure(3, f"to source inner, {self.box}/mine/inner:", source="tree", local=local)
        self.patches(inner_1=change("mine\n", "one\n"))
        self.configure(0, source="tree", local=local)
        self.patches(inner_1=change("hello from demo-1.0/inner\n", "one\n"))
        self.get(0, source="tree")
