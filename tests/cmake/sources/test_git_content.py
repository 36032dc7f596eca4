# SPDX-License-Identifier: BSD-3-Clause
"""What a commit's files become depends on the commit alone; which addresses a submodule may have."""

from unittest import mock

from fixture import GitTest

from engine.sources import git
from engine.sources.git import GitError
from engine.sources.providers import git as provider

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


class Content(GitTest):
    def setUp(self):
        super().setUp()
        configuration = self.write("gitconfig", CONFIGURATION.format(box=self.box))
        self.environment(GIT_CONFIG_GLOBAL=str(configuration))
        for folder in ("hooks", "template/hooks"):
            for name in ("reference-transaction", "post-index-change", "post-checkout"):
                self.write(f"{folder}/{name}", f"#!/bin/sh\ntouch '{self.box}/a hook ran'\n", 0o755)

    def provide(self, name, commit):
        """What the provider says; the pack is self.box/part."""
        run = mock.Mock(folder=str(self.box / "run"), path=lambda *names: str(self.box.joinpath("run", *names)))
        candidate = {"git": f"file://{self.box}/{name}", "commit": commit, "complete": True}
        return provider.provide(run, name, candidate, mock.Mock(part=str(self.box / "part")), None)[0]

    def test_variables_of_the_caller(self):
        """Only those of transfers are left."""
        commit = self.repository("plain", {"a.txt": "a\n"})
        others = {"GIT_DEFAULT_HASH": "sha256", "GIT_ATTR_SOURCE": "none", "GIT_DIR": "none", "GIT_OF_A_LATER_ONE": "1"}
        transfer = {"GIT_SSH_COMMAND": "ssh -v", "GIT_SSL_CAINFO": "/ca", "GIT_PROXY_SSL_CAINFO": "/ca"}
        self.environment(**others, **transfer)
        self.assertEqual(self.provide("plain", commit), "")
        for plain in (False, True):
            left = git.environment(plain)
            self.assertEqual({**left, **transfer}, left)
            self.assertFalse(others.keys() & left.keys())
            self.assertEqual("gitconfig" in left["GIT_CONFIG_GLOBAL"], not plain)

    def test_configuration(self):
        """None has a say."""
        (self.box / "attributes").write_text("a.txt filter=evil text\n")
        commit = self.repository("plain", {"a.txt": "old\n"})
        (self.box / "a hook ran").unlink(missing_ok=True)
        self.assertEqual(self.provide("plain", commit), "")
        with open(self.box / "part", "rb") as pack:
            git.open_pack(pack, str(self.box / "opened"))
        git.write_tree(str(self.box / "opened"), commit, str(self.box / "tree"))
        self.assertEqual((self.box / "tree/a.txt").read_bytes(), b"old\n")
        self.assertFalse((self.box / "a hook ran").exists())

    def test_addresses_of_submodules(self):
        """https, and of a local repository a file."""
        inner = self.repository("inner", {"i.txt": "i\n"})
        for number, (url, words) in enumerate(
            (
                (f"ext::sh -c touch% '{self.box}/RAN'", "is not used: it is not https"),
                (f"--upload-pack=touch '{self.box}/RAN'", "is not used"),
                ("http://127.0.0.1:1/inner", "is not used"),
                ("../inner", ""),
            )
        ):
            commit = self.repository(f"outer{number}", {"o.txt": "o\n"}, [("-sub", url, inner)])
            reason = self.provide(f"outer{number}", commit)
            self.assertIn(words, reason) if words else self.assertEqual(reason, "")
        self.assertFalse((self.box / "RAN").exists())
        with self.assertRaisesRegex(GitError, "is not used"):
            provider.check_url("file:///etc", "https://github.com/a/b")
