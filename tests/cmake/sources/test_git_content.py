# SPDX-License-Identifier: BSD-3-Clause
"""What a commit's files become depends on the commit alone, and a commit runs nothing."""

import os
import subprocess
from unittest import mock

from fixture import GitTest

import archive
import git
import unpack
from git import GitError
from providers import git as provider
from text import Failure

CONFIGURATION = """\
[core]
	attributesFile = {box}/attributes
	hooksPath = {box}/hooks
	eol = crlf
[init]
	templateDir = {box}/template
[filter "evil"]
	smudge = sed s/old/new/
	clean = cat
"""


class Run:
    """As much of a run of fetch as the provider needs."""

    def __init__(self, folder):
        self.folder = str(folder)

    def path(self, *names):
        path = os.path.join(self.folder, *names)
        os.makedirs(path)
        return path


class Content(GitTest):
    def setUp(self):
        super().setUp()
        configuration = self.write("gitconfig", CONFIGURATION.format(box=self.box))
        self.environment(GIT_CONFIG_GLOBAL=str(configuration))
        for folder in ("hooks", "template/hooks"):
            for name in ("reference-transaction", "post-index-change", "post-checkout"):
                self.write(f"{folder}/{name}", f"#!/bin/sh\ntouch '{self.box}/a hook ran'\n", 0o755)

    def test_variables_of_the_caller(self):
        """Only those of transfers are left."""
        commit = self.repository("plain", {"a.txt": "a\n"})
        others = {
            "GIT_DEFAULT_HASH": "sha256",
            "GIT_ATTR_SOURCE": "none",
            "GIT_DIR": "none",
            "GIT_OF_A_LATER_VERSION": "1",
        }
        transfer = {"GIT_SSH_COMMAND": "ssh -v", "GIT_SSL_CAINFO": "/ca", "GIT_PROXY_SSL_CAINFO": "/ca"}
        self.environment(**others, **transfer)
        self.assertEqual(self.provide("plain", commit), "")
        self.assertEqual(git.fault_of_pack(str(self.box / "part"), commit, True), "")
        for plain in (False, True):
            left = git.environment(plain)
            self.assertEqual({**left, **transfer}, left)
            self.assertFalse(others.keys() & left.keys())
            self.assertEqual("gitconfig" in left["GIT_CONFIG_GLOBAL"], not plain)

    def provide(self, name, commit, complete=True):
        download = mock.Mock(part=str(self.box / "part"))
        candidate = {"git": f"file://{self.box}/{name}", "commit": commit, "complete": complete}
        reason, _ = provider.provide(Run(self.box / "run"), name, candidate, download, None)
        return reason

    def test_no_configuration_has_a_say(self):
        (self.box / "attributes").write_text("a.txt filter=evil text\n")
        commit = self.repository("plain", {"a.txt": "old\n"})
        (self.box / "a hook ran").unlink(missing_ok=True)
        self.assertEqual(self.provide("plain", commit), "")
        with open(self.box / "part", "rb") as pack:
            git.open_pack(pack, str(self.box / "opened"))
        git.write_tree(str(self.box / "opened"), commit, str(self.box / "tree"), archive.Target("", archive.MOST_BYTES))
        self.assertEqual((self.box / "tree/a.txt").read_bytes(), b"old\n")
        self.assertFalse((self.box / "a hook ran").exists())

    def test_what_a_tree_must_not_have(self):
        """Links that lead out of what is taken of the commit, and this project's own file."""
        folder = self.box / "linked"
        (folder / "m/s").mkdir(parents=True)
        (folder / "m/s/l").symlink_to("../../a.txt")
        commit = self.repository("linked", {"a.txt": "a\n"})
        self.assertEqual(self.provide("linked", commit), "")
        pack = {"status": "ok", "kind": "git-pack", "archive": str(self.box / "part"), "commit": commit}
        unpack.unpack_source(pack, str(self.box / "tree"))
        self.assertEqual((self.box / "tree/m/s/l").read_text(), "a\n")
        with self.assertRaisesRegex(Failure, "part cannot be unpacked: its link 'l' to '../../a.txt' may lead out"):
            unpack.unpack_source({**pack, "subdir": "m/s"}, str(self.box / "tree"))
        self.refused("the name '.tsb-patches'", "listed", self.repository("listed", {".tsb-patches": "x\n"}))

    def test_addresses_and_paths_of_submodules(self):
        inner = self.repository("inner", {"i.txt": "i\n"})
        marker = self.box / "RAN"
        for number, (path, url, words) in enumerate(
            (
                ("sub", f"ext::sh -c touch% '{marker}'", "is not used"),
                ("sub", f"--upload-pack=touch '{marker}'", "is not used"),
                ("sub", f"file:///x;--upload-pack=touch '{marker}'|/", "sub: file:///x;--upload-pack"),
                ("sub", "ssh://-oProxyCommand=x/", "is not used"),
                ("-sub", "../inner", ""),
            )
        ):
            commit = self.repository(f"outer{number}", {"o.txt": "o\n"}, [(path, url, inner)])
            reason = self.provide(f"outer{number}", commit)
            self.assertIn(words, reason) if words else self.assertEqual(reason, "")
            self.assertFalse(marker.exists())

    def test_paths_that_leave_the_tree(self):
        for path in ("../x", "/x", "a/../../x", "a/.git/hooks", ".GIT/x", "a\nb", ""):
            with self.assertRaisesRegex(GitError, "has the path"):
                git.check_path(path)
        git.check_path("third_party/a b")

    def test_submodule_behind_a_link(self):
        """No git makes such a tree, but each one takes it."""
        commit = self.repository("inner", {"i.txt": "i\n"})
        folder, outside = self.box / "inner", self.box / "outside"
        outside.mkdir()

        def make(kind, content):
            command = ["git", "-C", folder, "hash-object", "-t", kind, "--literally", "-w", "--stdin"]
            return subprocess.run(command, input=content, check=True, stdout=subprocess.PIPE).stdout.decode().strip()

        link = make("blob", os.fsencode(outside))
        below = make("tree", b"160000 s\0" + bytes.fromhex(commit))
        for entry in (b"160000 x\0" + bytes.fromhex(commit), b"40000 x\0" + bytes.fromhex(below)):
            tree = make("tree", entry + b"120000 x\0" + bytes.fromhex(link))
            forged = make("commit", f"tree {tree}\nauthor a <a> 1 +0000\ncommitter a <a> 1 +0000\n\nx\n".encode())
            with self.assertRaisesRegex(GitError, "is behind a link"):
                git.write_tree(str(folder / ".git"), forged, str(self.box / "out"), archive.Target("", 0))
            self.assertEqual(os.listdir(outside), [])

    def limit(self, name, value):
        self.addCleanup(setattr, archive, name, getattr(archive, name))
        setattr(archive, name, value)

    def refused(self, words, name, commit):
        """When it is fetched as well, if submodules are looked for; nothing is written."""
        self.assertEqual(self.provide(name, commit, False), "")
        pack = str(self.box / "part")
        self.assertRegex(git.fault_of_pack(pack, commit, True), words)
        with self.assertRaisesRegex(Failure, words):
            unpack.unpack_pack(pack, commit, str(self.box / "out"))
        self.assertFalse((self.box / "out").exists())

    def test_limits(self):
        commit = self.repository("large", {"a": "x" * 600, "b": "x" * 600})
        self.limit("MOST_BYTES", 1000)
        self.refused("it unpacks to more than 1 kB", "large", commit)
        archive.MOST_BYTES = 5000
        self.limit("MOST_FILES", 1)
        self.refused("it has more than 1 files", "large", commit)

    def test_limits_count_submodules(self):
        inner = self.repository("inner", {"i": "x" * 600})
        commit = self.repository("outer", {"o": "x" * 600}, [("sub", "../inner", inner)])
        self.assertEqual(self.provide("outer", commit), "")
        self.limit("MOST_BYTES", 1000)
        self.assertIn("it unpacks to more than 1 kB", git.fault_of_pack(str(self.box / "part"), commit, True))
        with self.assertRaisesRegex(Failure, "it unpacks to more than 1 kB"):
            unpack.unpack_pack(str(self.box / "part"), commit, str(self.box / "out"))
        archive.MOST_BYTES = 5000
        self.limit("MOST_FOLDERS", 1)
        with self.assertRaisesRegex(Failure, "more than 1 folders: 'sub/i'"):
            unpack.unpack_pack(str(self.box / "part"), commit, str(self.box / "out"))

    def trees(self, count, width):
        """A commit with a file below so many folders, of which each has the next one in it so many times."""
        self.repository("trees", {"a": "a\n"})
        tree = self.git(self.box / "trees", "rev-parse", "HEAD^{tree}")
        make = ["git", "-C", self.box / "trees", "mktree"]
        for _ in range(count):
            text = "".join(f"040000 tree {tree}\td{number}\n" for number in range(width))
            tree = subprocess.run(make, input=text, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        commit = self.git(self.box / "trees", "commit-tree", "-m", "one", tree)
        self.git(self.box / "trees", "update-ref", "HEAD", commit)
        return commit

    def test_few_objects_that_are_many_files(self):
        self.refused("it has more than 2000000 files", "trees", self.trees(12, 10))

    def test_depth(self):
        self.refused("it has a name with more than 100 folders: 'd0/d0/", "trees", self.trees(101, 1))

    def test_files_of_this_machine_for_a_server(self):
        with self.assertRaisesRegex(GitError, "is not used"):
            provider.check_url("file:///etc", "https://github.com/a/b")
        provider.check_url("https://github.com/a/c", "https://github.com/a/b")
