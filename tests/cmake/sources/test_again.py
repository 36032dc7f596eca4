# SPDX-License-Identifier: BSD-3-Clause
"""A fetch that finds everything in the cache opens no archive and no pack, and starts no git. So it takes a second, however
large the sources are."""

import os
import sys

from fixture import GitTest

import fetch


class Watch:
    """Takes note of every file that is opened and of every program that is started, while it is on."""

    def __init__(self):
        self.on, self.seen = False, []
        sys.addaudithook(self.hook)

    def hook(self, event, arguments):
        if self.on and event in ("open", "subprocess.Popen", "os.posix_spawn", "os.exec"):
            self.seen.append(os.fsdecode(arguments[0]) if isinstance(arguments[0], (str, bytes)) else str(arguments[0]))


class Again(GitTest):
    def test_nothing_is_read_again(self):
        self.pin("packed", self.archive("mirror/packed/1.0/packed.tar"))
        commit = self.repository("repository", {"file": "text"})
        self.pin("cloned", {"version": "1", "git": f"file://{self.box}/repository", "commit": commit})
        self.fetch(0, "packed", "cloned", mirrors=[f"{self.box}/mirror"])
        files, first = [self.entries[name]["archive"] for name in ("packed", "cloned")], self.result_file.read_text()
        self.assertEqual([os.path.splitext(file)[1] for file in files], [".tar", ".pack"])
        watch = Watch()
        watch.on = True
        self.assertEqual(fetch.fetch_sources(self.box / "request.json", self.result_file), 0)
        watch.on = False
        self.assertIn(files[0] + ".ok", watch.seen, "the watch sees nothing")
        self.assertEqual([name for name in watch.seen if name in files or "git" in os.path.basename(name)], [])
        self.assertEqual(self.result_file.read_text(), first)
