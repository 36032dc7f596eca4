# SPDX-License-Identifier: BSD-3-Clause
"""A git checkout of the user's with submodules: what is in it is taken from it, with the commits that git tells; what is
empty is named with the command that fills it; nothing of git's is copied, whatever git does meanwhile."""

import os
import shlex
import shutil
import subprocess

from box import need
from fixture import GitTest

from engine.sources import git

need("git")
INCLUDED = ("outer", "leaf", "needed", "extra")
# git's own maintenance, as a commit starts it.
MAINTENANCE = """
while [ ! -e "$1" ]; do git -C "$2" gc --quiet --prune=now; touch "$2/.git/gc.now"; rm "$2/.git/gc.now"; done
"""


class LocalCheckout(GitTest):
    def setUp(self):
        super().setUp()
        self.tree = self.box / "a checkout"
        self.commits = {name: self.repository(f"repositories/{name}", {f"{name}.txt": name}) for name in INCLUDED[1:]}
        for name, below in (("wanted", ()), ("outer", ["leaf"]), ("tree", ["outer", "needed", "wanted", "extra"])):
            submodules = [(f"third party/{one}", f"../{one}", self.commits[one]) for one in below]
            self.commits[name] = self.repository(f"repositories/{name}", {f"{name}.txt": name}, submodules)
        self.git(".", "clone", "--quiet", "--recursive", f"file://{self.box}/repositories/tree", self.tree)

        # The pins know another commit of one, and have two more: one is not a submodule of this tree, one lies in a submodule.
        paths = {name: f"third party/{name}" for name in ("outer", "needed", "wanted", "extra", "stranger")}
        paths["leaf"] = "third party/outer/third party/leaf"
        optional = {name: {"required": False, "feature": name.upper()} for name in ("wanted", "extra")}
        members = [
            {"name": name, "path": path, "required": True, **optional.get(name, {})} for name, path in paths.items()
        ]
        archive = {"version": "1.0", "filename": "tree.tar", "sha256": "0" * 64, "strip": 1, "complete": True}
        self.pin("tree", archive, submodules=members)
        for name in (*INCLUDED, "wanted"):
            commit = "a" * 40 if name == "wanted" else self.commits[name]
            self.pin(name, {"version": f"7.{name}", "commit": commit, "git": "file:///nowhere"})
        self.pins["outer"]["candidates"][0]["complete"] = ["third party/leaf"]
        self.pin("stranger", {**self.archive("mirror/stranger/2.0/stranger.tar"), "version": "2.0"})

    def fetch_tree(self, ends=0, *says):
        mirrors = [f"{self.box}/mirror"]
        self.fetch(ends, "tree", says=says, local={"tree": self.tree}, mirrors=mirrors, offline=True)

    def is_included(self, name, version, commit):
        entry = self.entries[name]
        self.assertEqual((entry["status"], entry["version"], entry["commit"]), ("included", version, commit), name)

    def test_what_is_in_it(self):
        self.fetch_tree(0, f"fetch: tree: using {self.tree} (commit {self.commits['tree']})")
        for name in INCLUDED:
            self.is_included(name, f"7.{name}", self.commits[name])
        self.is_included("wanted", "", self.commits["wanted"])
        self.assertEqual(self.entries["stranger"]["status"], "ok")

    def test_copy(self):
        """What is hashed is copied, nothing else. What changed after it was hashed is named."""
        self.fetch_tree()
        enough = self.box / "enough"
        busy = subprocess.Popen(["sh", "-c", MAINTENANCE, "sh", enough, self.tree], stderr=subprocess.DEVNULL)
        try:
            for _ in range(4):
                self.unpack(0, "tree", self.box / "out")
        finally:
            enough.touch()
            busy.wait()
        out = self.files("out")
        self.assertEqual([path for path in out if ".git" in path.split("/")], [])
        self.assertIn("third party/outer/third party/leaf/leaf.txt", out)

        (self.tree / "new.txt").write_text("new\n")
        self.unpack(0, "tree", self.box / "out")
        self.assertNotIn("new.txt", self.files("out"))
        needed = "third party/needed/needed.txt"
        (self.tree / needed).write_text("deeded")
        remedy = "Let nothing write into it, and run the same command again."
        words = f"error: {self.tree} changed since it was fetched: {needed} {remedy}"
        self.unpack(3, "tree", self.box / "out", says=[words])
        (self.tree / needed).unlink()
        words = f"{self.tree} cannot be copied: {needed}: No such file or directory"
        self.unpack(3, "tree", self.box / "out", says=[words])

    def test_why_there_is_no_commit(self):
        """Whatever the checkout is configured to report."""
        for name, value in (("status.showUntrackedFiles", "no"), ("submodule.third party/extra.ignore", "all")):
            self.git(self.tree, "config", name, value)
        (self.tree / "new.txt").write_text("new\n")
        self.fetch_tree(0, f"using {self.tree} (uncommitted changes: new.txt)")
        (self.tree / "third party/extra/extra.txt").write_text("changed\n")
        self.fetch_tree(0, " and 1 more)")
        self.is_included("extra", "", "")
        self.is_included("needed", "7.needed", self.commits["needed"])
        script = f'#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {shlex.quote(shutil.which("git"))} "$@"\n'
        self.write("bin/git", script, 0o755)
        self.environment(PATH=f"{self.box}/bin:{os.environ['PATH']}")
        remedy = f"git config --global --add safe.directory '{self.tree}'"
        self.fetch_tree(0, "which belongs to another user", remedy)

    def test_filters_that_cannot_be_left_out(self):
        """git names none of them, or one by a name that -c takes apart: then git is not asked what has changed."""
        config = self.tree / ".git/config"
        good = config.read_text()
        for more, why in (("[broken", "fatal: bad config line"), ('[filter "a=b"]\nclean = cat\n', "has a '='")):
            config.write_text(good + more)
            self.fetch_tree(0, f"fetch: tree: using {self.tree} (git says: ", why)

    def test_filters(self):
        """No command runs that a checkout, or a submodule of it, is configured for."""
        for place in (self.tree, self.tree / "third party/outer"):
            for kind in ("clean", "process"):
                self.git(place, "config", f"filter.evil-{kind}.{kind}", f"touch '{self.box}/ran {kind}'; cat")
                self.git(place, "config", f"filter.evil-{kind}.required", "true")
            attributes = self.box / self.git(place, "rev-parse", "--absolute-git-dir") / "info/attributes"
            attributes.parent.mkdir(exist_ok=True)
            attributes.write_text("*.txt filter=evil-clean\n.gitmodules filter=evil-process\n")
            for path in place.glob("*.txt"):
                os.utime(path, (1, 1))
        self.fetch_tree(0, f"{self.tree} (commit {self.commits['tree']})")
        self.assertEqual(list(self.box.glob("ran *")), [])

    def test_partial_clone(self):
        """Nothing is fetched for it."""
        source = f"file://{self.box}/repositories/needed"
        self.git("repositories/needed", "config", "uploadpack.allowFilter", "true")
        self.git(".", "clone", "--quiet", "--no-checkout", "--filter=blob:none", source, "partial")
        done = git.in_checkout(str(self.box / "partial"), "show", "HEAD:needed.txt")
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(self.git("partial", "show", "HEAD:needed.txt"), "needed")

    def test_empty_submodules(self):
        """An optional one is off, required ones end the fetch. Neither comes from the pins."""
        update = f"git -C '{self.tree}' submodule update --init --recursive"
        deinit = ("submodule", "deinit", "--quiet", "--force")
        self.git(self.tree, *deinit, "third party/extra")
        off = f"fetch: the submodule third party/extra of {self.tree} is empty, so tree feature EXTRA is off"
        self.fetch_tree(0, f"{off}; to enable it: {update} 'third party/extra'")
        self.git(self.tree, *deinit, "third party/needed", "third party/outer")
        lacks = f"fetch: {self.tree} lacks submodules that tree needs; run this and the same command again:"
        self.fetch_tree(4, f"{lacks} {update} 'third party/outer' 'third party/needed'")
        self.assertNotIn("do one of these", self.text)
        # One lacks a submodule that its pin takes along.
        self.git(self.tree, "submodule", "--quiet", "update", "--init")
        self.fetch_tree(4, "--recursive 'third party/outer'")
        self.assertEqual(self.entries["outer"]["status"], "missing")
        # The command that was named.
        self.git(self.tree, "submodule", "--quiet", "update", "--init", "--recursive", "third party/outer")
        self.fetch_tree(0, f"(commit {self.commits['tree']})")

    def test_submodules_that_lie_elsewhere(self):
        """By the folder's own .gitmodules, and not by the pins of another version."""
        self.pins["outer"]["candidates"][0]["complete"] = ["elsewhere/leaf"]
        self.fetch_tree()
        self.is_included("outer", "7.outer", self.commits["outer"])

    def test_holes(self):
        """A folder that is there, without what it must hold."""
        self.pins["needed"]["holds"] = ["needed.txt", "lists/a.cmake"]
        hole = f"{self.tree} has a hole: there is no third party/needed/lists/a.cmake"
        self.fetch_tree(4, hole)
        self.assertEqual(self.entries["needed"]["status"], "missing")
        del self.pins["needed"]["holds"]
        self.pins["tree"]["holds"] = ["tree.txt", "deps/b.c"]
        self.fetch_tree(4, f"local: {self.tree} has a hole: there is no deps/b.c: take a whole tree")
        (self.tree / "deps").mkdir()
        (self.tree / "deps/b.c").touch()
        self.fetch_tree(0)
