# SPDX-License-Identifier: BSD-3-Clause
"""The providers `upstream` and `git` against the stand-in for GitHub: what they fetch, and what they say about each thing that
goes wrong there."""

import hashlib
import os
import random
import re
import shutil
import subprocess

from box import need, sha256
from fixture import GitHubTest

need("git")
HUB = "https://github.com"
OUTER = f"{HUB}/owner/outer/releases/download/v1.0/outer-1.0.tar.gz"


class GitHub(GitHubTest):
    def setUp(self):
        """Two levels of submodules, the addresses relative and absolute."""
        super().setUp()
        os.environ["SSL_CERT_FILE"] = self.hub.ca
        self.deep = self.publish("other/deep", deep="deep\n")
        self.inner = self.publish(
            "owner/inner", ("third party/deep", "../../other/deep.git", self.deep), inner="inner\n"
        )
        self.filling = random.Random(7).randbytes(150000).hex()
        self.outer = self.publish_outer("outer", ("third_party/inner", "../inner.git", self.inner))
        file = self.release("owner/outer")
        self.size = file.stat().st_size
        self.kept = {"version": "1.0", "filename": "a.tar.gz", "strip": 1, "sha256": sha256(file), "size": self.size}

    def publish_outer(self, name, *submodules):
        return self.publish(f"owner/{name}", *submodules, outer="outer\n", filling=self.filling)

    def git_pin(self, name, repository, commit, **more):
        self.pin(name, {"version": "1.0", "commit": commit, "git": f"{HUB}/owner/{repository}.git", **more})

    def archive_pin(self, name, url, **more):
        self.pin(name, {**self.kept, "url": [url], **more})

    def ask(self, ends, *names, faults=(), says=()):
        """Fetches them from an empty cache, with these faults of the server; `asked` becomes what it saw."""
        shutil.rmtree(self.cache, ignore_errors=True)
        self.hub.faults, self.hub.log = list(map(list, faults)), []
        self.fetch(ends, *names, providers=["upstream", "git"], says=says)
        self.asked = "\n".join(self.hub.log)

    def pin_good_ones(self):
        command = f"git archive --format=tar.gz --prefix=outer-{self.outer}/ {self.outer}"
        archive = subprocess.check_output(command.split(), cwd=self.hub.folder / "repositories/owner/outer.git")
        self.made, self.made_url = hashlib.sha256(archive).hexdigest(), f"{HUB}/owner/outer/archive/{self.outer}.tar.gz"
        self.archive_pin("made", self.made_url, sha256=self.made, size=0)
        self.archive_pin("kept", OUTER)
        self.git_pin("whole", "outer", self.outer, complete=True)
        self.git_pin("alone", "outer", self.outer)

    def test_good(self):
        """What GitHub makes on request, what it keeps, and repositories."""
        self.pin_good_ones()
        self.ask(0, "made", "kept", "whole", says=[f"made 1.0 from upstream ({HUB}/owner/outer/archive/"])
        for request in (
            f"codeload.github.com/owner/outer/tar.gz/{self.outer}",
            "objects.githubusercontent.com/owner/outer/v1.0/outer-1.0.tar.gz?X-Amz-",
            "github.com/owner/outer.git/git-upload-pack",  # git's newer protocol
        ):
            self.assertIn(request, self.asked)
        self.unpack(0, "whole", self.box / "out")
        self.assertIn("third_party/inner/third party/deep/deep.txt", self.files("out"))

        # An archive that GitHub makes anew with another compressor has another hash; the commit is the same.
        commit = {"commit": self.outer, "git": f"{HUB}/owner/outer.git"}
        self.archive_pin("regenerated", self.made_url, sha256="0" * 64, size=0, **commit)
        refused = f"wrong sha256: expected {'0' * 64}, got {self.made}"
        self.ask(0, "regenerated", says=[refused, f"regenerated 1.0 from git ({HUB}/owner/outer.git)"])

    def test_faults_that_pass(self):
        """A busy server and a lost connection are asked again, and what has arrived is not fetched twice."""
        self.pin_good_ones()
        busy = ((1, "429", "outer-1.0"), (1, "503", "inner.git/git-upload-pack"), (1, "cut", "objects.*outer-1.0"))
        self.ask(0, "kept", "whole", faults=busy)
        half = f"bytes={self.size // 2}-"
        self.assertRegex(self.asked, f"outer-1.0.tar.gz[^\n]* {half}")
        # Nor when the second transfer is lost before anything has arrived.
        self.ask(0, "kept", faults=((1, "cut", "objects.*outer-1.0"), (1, "drop", "objects.*outer-1.0")))
        self.assertEqual(len(re.findall(f"objects[^\n]* {half}", self.asked)), 2)
        self.ask(0, "made", "alone", faults=((1, "cut", "outer.git/git-upload-pack"), (1, "cut", "codeload")))

    def test_faults_that_stay(self):
        """What is not there, and what is lost for good."""
        nothing = "a" * 40
        lacks = self.publish_outer("lacks", ("third_party/gone", f"{HUB}/owner/gone.git", self.inner))
        odd = [("third_party/inner", "../inner.git", self.inner), ("third_party/odd", "", self.deep)]
        unnamed = self.publish_outer("unnamed", *odd)
        urls = {
            name: f"{HUB}/owner/{name}/releases/download/v1/{name}.tar.gz" for name in ("busy", "denied", "nothing")
        }
        for name, url in {**urls, "cut": OUTER}.items():
            self.archive_pin(name, url)
        self.git_pin("private", "private", self.outer)
        self.git_pin("lacks", "lacks", lacks, complete=True)
        self.git_pin("unnamed", "unnamed", unnamed, complete=True)
        self.git_pin("commit", "outer", nothing)
        # A desktop's way to ask for a password, which would wait for somebody.
        script = self.write("ask.sh", f"#!/bin/sh\ntouch '{self.box}/somebody was asked'\necho me\n", 0o755)
        self.environment(GIT_ASKPASS=str(script))
        says = (
            f"upstream: not there (HTTP 404), from {urls['nothing']}",
            f"of {self.size} bytes, from {OUTER}",
            f"upstream: too many requests (HTTP 429), try again later, from {urls['busy']}",
            f"upstream: access denied (HTTP 403), from {urls['denied']}",
            f"git: {HUB}/owner/private.git: no such repository, or it is private",
            f"git: submodule third_party/gone: {HUB}/owner/gone.git: no such repository, or it is private",
            "git: submodule third_party/odd: .gitmodules has no address for it",
            f"git: {HUB}/owner/outer.git has no commit {nothing}",
        )
        faults = ((9, "cut", "objects.*outer-1.0"), (9, "429", "owner/busy"), (9, "403", "owner/denied"))
        self.ask(4, *self.pins, faults=faults, says=says)
        self.assertFalse((self.box / "somebody was asked").exists())
        # A commit that is not there is no reason to fetch everything.
        self.assertLessEqual(self.asked.count("github.com/owner/outer.git/git-upload-pack"), 3)
