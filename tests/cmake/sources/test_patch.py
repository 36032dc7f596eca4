# SPDX-License-Identifier: BSD-3-Clause
"""Patches apply in order, once, and only where they are for."""

import shutil

from box import need
from fixture import CommandTest

from engine.model.package_manifest import applied_patches
from engine.sources.patches import main
from engine.sources.tree import digest_of

need("patch")
TREE = {"src/a.c": "one\ntwo\nthree\nfour\nfive\n", "src/gone.c": "gone\n"}
FIRST_DONE, BOTH_DONE = (f"one\n{two}\nthree\nfour\nfive\n" for two in ("TWO", "2"))
PATCHES = {
    "first": "--- a/src/a.c\n+++ b/src/a.c\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n",
    # Builds upon the first, makes a file and deletes one.
    "second": "--- a/src/a.c\n+++ b/src/a.c\n@@ -1,3 +1,3 @@\n one\n-TWO\n+2\n three\n"
    "--- /dev/null\n+++ b/src/new/n.c\n@@ -0,0 +1 @@\n+new\n--- a/src/gone.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n",
    "bad": "--- a/src/a.c\n+++ b/src/a.c\n@@ -3,3 +3,3 @@\n three\n-FOUR\n+4\n five\n",
    "nowhere": "--- a/src/b.c\n+++ b/src/b.c\n@@ -1 +1 @@\n-x\n+y\n",
    "empty": "",
    "words": "Say it louder.\n",
}


def entry(name, **more):
    return {"file": f"{name}.patch", "reason": "r", **more}


FIRST, SECOND = entry("first"), entry("second")


class Patch(CommandTest):
    def setUp(self):
        super().setUp()
        for name, text in PATCHES.items():
            file = self.write(f"mine/{name}.patch", text)
            self.write(f"patches/{name}.patch").unlink()
            (self.box / f"patches/{name}.patch").symlink_to(file)
        self.tree = self.box / "tree"
        self.new_tree()

    def new_tree(self, **files):
        shutil.rmtree(self.tree, ignore_errors=True)
        for name, text in {**TREE, **files}.items():
            self.write(f"tree/{name}", text)

    def apply(self, ends, patches, *says, options=()):
        package = {"pins": f"{self.box}/pins.json", "patches": {"demo": patches}}
        file = self.write("package.json", package)
        self.run_main(ends, lambda: main(file, "demo", self.tree, *options), says=says)

    def has(self, content, *more):
        """This is in a.c, and the tree has these files more; nothing of the tool is left but its list."""
        self.assertEqual((self.tree / "src/a.c").read_text(), content)
        self.assertEqual(self.files("tree"), {"src/a.c", *more})

    def test_refused(self):
        """Nothing of the patch itself is done. Named is the patch, not the link that the pins of a build have."""
        bad = f"{self.box}/mine/bad.patch does not apply to {self.tree}"
        for patches, *says in (
            ([FIRST, entry("bad")], bad, "checking file src/a.c Hunk #1 FAILED at 3"),
            (
                [entry("nowhere")],
                "can't find file to patch at input line 3 |+++ b/src/b.c Its paths must begin with a/",
            ),
            ([entry("empty")], f"{self.box}/mine/empty.patch has no change in it it must be a unified diff"),
            ([entry("words")], f"{self.box}/mine/words.patch has no change in it"),
            ([entry("none")], f"there is no patch {self.box}/patches/none.patch"),
        ):
            with self.subTest(says):
                self.new_tree()
                self.apply(3, patches, *says)
                self.has(FIRST_DONE if patches[0] == FIRST else TREE["src/a.c"], "src/gone.c")

    def test_only_where(self):
        """The tree has what the patch is for."""
        where = entry("second", only_where={"file": "below/version.h", "has": "MINOR 5"})
        for files, content in (
            ({}, FIRST_DONE),
            ({"below/version.h": "#define MINOR 3\n"}, FIRST_DONE),
            ({"below/version.h": "#define MINOR 5\n"}, BOTH_DONE),
        ):
            with self.subTest(files):
                self.new_tree(**files)
                self.apply(0, [FIRST, where])
                self.assertEqual((self.tree / "src/a.c").read_text(), content)

    def test_in_the_tree_already(self):
        """It counts as applied, the next one is applied on top of it. Half of it is not all of it."""
        options = ["/my/folder"]
        self.new_tree(**{"src/a.c": FIRST_DONE})
        self.apply(0, [FIRST, SECOND], "patch: first.patch is in /my/folder already", options=options)
        self.assertNotIn("second.patch", self.text)
        self.has(BOTH_DONE, "src/new/n.c", ".tsb-patches")
        self.assertIn("first.patch", (self.tree / ".tsb-patches").read_text())
        self.assertEqual((self.tree / "src/new/n.c").read_text(), "new\n")
        self.new_tree(**{"src/a.c": BOTH_DONE})
        fault = "second.patch does not apply to /my/folder: checking file src/a.c Hunk #1 FAILED at 1."
        remedy = "at 1. Make its change there by hand (a patch that is in already counts as applied)"
        self.apply(3, [SECOND], fault, remedy, options=options)
        self.has(BOTH_DONE, "src/gone.c")

    def test_in_the_manifest(self):
        """By their content: a link may lead to another name, and two patches of a source may have the same one."""
        own, linked = (entry(f"demo/{name}", source="TSB_PATCHES") for name in ("second", "0002-own"))
        where = {"file": "src/a.c", "has": "nowhere"}
        (self.box / "patches/demo").mkdir()
        for name, target in (("second", "own/second"), ("0002-own", "mine/second")):
            (self.box / f"patches/demo/{name}.patch").symlink_to(self.box / f"{target}.patch")
        folder = self.box / "packages/x"
        folder.mkdir(parents=True)
        (folder / "source").symlink_to(self.tree)
        self.write("own/second.patch", PATCHES["bad"].replace("FOUR", "four"))
        same_name = [FIRST, {**SECOND, "only_where": where}, own]
        for patches, expected in ((same_name, [FIRST, own]), ([FIRST, linked], [FIRST, linked])):
            self.new_tree()
            self.apply(0, patches)
            files = [patch["file"] for patch in patches]
            inputs = {f"patch\t{file}": digest_of(self.box / "patches" / file) for file in files}
            self.write("steps/x/patch.json", {"inputs": inputs})
            found = applied_patches(folder, {"patches": {"demo": patches}, "place": []}, {"demo": {}})
            self.assertEqual(found, [{**patch, "source": "demo"} for patch in expected])
