# SPDX-License-Identifier: BSD-3-Clause
# ruff: noqa: I001 (the fixture makes the others found)
"""A fetch that finds everything in the cache opens no archive and no pack, and starts no git. So it takes a second, however
large the sources are."""

import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile
import unittest
from unittest import mock

from fixture import SourcesTest

import fetch

REPOSITORY = """\
git init --quiet --initial-branch=main repository && cd repository && echo text >file && git add file
git -c user.name=a -c user.email=a@example.org commit --quiet --message one && git rev-parse HEAD
"""


class Watch:
    """Takes note of every file that is opened and of every program that is started, while it is on."""

    def __init__(self):
        self.on, self.seen = False, []
        sys.addaudithook(self.hook)

    def hook(self, event, arguments):
        if self.on and event in ("open", "subprocess.Popen", "os.posix_spawn", "os.exec"):
            self.seen.append(os.fsdecode(arguments[0]) if isinstance(arguments[0], (str, bytes)) else str(arguments[0]))


class Again(SourcesTest):
    def setUp(self):
        super().setUp()
        self.cache = self.box / "cache"
        patcher = mock.patch.dict(os.environ, GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_NOSYSTEM="1")
        patcher.start()
        self.addCleanup(patcher.stop)
        commit = subprocess.check_output(["sh", "-ec", REPOSITORY], cwd=self.box, text=True).strip()
        mirror = self.box / "mirror/packed/1/packed.tar"
        mirror.parent.mkdir(parents=True)
        with tarfile.open(mirror, "w") as tar:
            tar.addfile(tarfile.TarInfo("packed/file"), io.BytesIO())
        sha256 = hashlib.sha256(mirror.read_bytes()).hexdigest()
        candidates = {
            "packed": {"version": "1", "filename": "packed.tar", "sha256": sha256, "strip": 1},
            "cloned": {"version": "1", "git": f"file://{self.box}/repository", "commit": commit},
        }
        sources = {name: {"license": "MIT", "candidates": [candidate]} for name, candidate in candidates.items()}
        (self.box / "pins.json").write_text(json.dumps({"schema": 1, "sources": sources}))
        request = {
            "pins": f"{self.box}/pins.json",
            "cache": str(self.cache),
            "work": f"{self.box}/work",
            "mirrors": [f"{self.box}/mirror"],
            "local": {},
            "sources": [{"name": name, "required": True} for name in candidates],
        }
        (self.box / "request.json").write_text(json.dumps(request))

    def fetch(self):
        self.assertEqual(fetch.fetch_sources(f"{self.box}/request.json", f"{self.box}/result.json"), 0)
        return json.loads((self.box / "result.json").read_text())["sources"]

    def test_nothing_is_read_again(self):
        first = self.fetch()
        files = [entry["archive"] for entry in first.values()]
        self.assertEqual([os.path.splitext(file)[1] for file in sorted(files)], [".pack", ".tar"])
        watch = Watch()
        watch.on = True
        second = self.fetch()
        watch.on = False
        self.assertIn(files[0] + ".ok", watch.seen, "the watch sees nothing")
        self.assertEqual([name for name in watch.seen if name in files or "git" in os.path.basename(name)], [])
        self.assertEqual(second, first)


if __name__ == "__main__":
    unittest.main()
