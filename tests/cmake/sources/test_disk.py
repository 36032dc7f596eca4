# SPDX-License-Identifier: BSD-3-Clause
"""What is said when the cache cannot be written: its name, and not the mirror's."""

import errno
import os
from unittest import mock

from fixture import BoxTest

import fetch
from run import Run


class Disk(BoxTest):
    def reason(self):
        candidate = {"version": "1", "filename": "a.tar", "sha256": "0" * 64}
        pins = {"sources": {"demo": {"license": "MIT", "candidates": [candidate]}}}
        mirror = self.box / "mirror/demo/1/a.tar"
        mirror.parent.mkdir(parents=True, exist_ok=True)
        mirror.write_text("text")
        request = {"work": "", "cache": f"{self.box}/cache", "providers": ["mirror"], "mirrors": [f"{self.box}/mirror"]}
        return fetch.Workers(Run(request, ""), pins).fetch("demo")["reason"]

    def test_full(self):
        full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "what was read")
        with mock.patch("shutil.copyfile", side_effect=full):
            self.assertEqual(self.reason(), f"{self.box}/cache/demo/1/a.tar.part: No space left on device")

    def test_error_without_a_file(self):
        with mock.patch("cache.holds", side_effect=OSError(errno.ENOSPC, "No space left on device")):
            self.assertEqual(self.reason(), f"{self.box}/cache: No space left on device")

    def test_folder_in_the_way(self):
        (self.box / "cache/demo/1/a.tar").mkdir(parents=True)
        self.assertEqual(self.reason(), f"{self.box}/cache/demo/1/a.tar: Is a directory")
