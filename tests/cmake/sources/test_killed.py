# SPDX-License-Identifier: BSD-3-Clause
"""kill -9 in a download and while unpacking: nothing counts as whole, and the next run is not disturbed by the remains."""

import os

from box import sha256
from fixture import CommandTest


class Killed(CommandTest):
    def test_download(self):
        """The next run goes on where it ended."""
        candidate, file = self.archive("www/demo.tar", filling=300000), self.cache / "demo/1.0/demo.tar"
        size, part = (self.box / "www/demo.tar").stat().st_size, file.with_name("demo.tar.part")
        self.pin("demo", {**candidate, "size": size, "url": [f"{self.serve('www')}/slow/demo.tar"]})
        command = ["fetch", "--request", self.write_request("demo"), "--result", self.result_file]
        self.kill(command, lambda: part.exists() and part.stat().st_size > 0)
        self.assertFalse(file.exists())
        have = part.stat().st_size
        self.assertTrue(list(self.box.glob("scratch/fetch-*")))

        self.fetch(0, "demo")
        self.assertEqual(sha256(file), candidate["sha256"])
        self.assertFalse(part.exists())
        self.assertEqual(self.asked[-1], f"/slow/demo.tar bytes={have}-")

    def test_unpacking(self):
        """The destination is not there, or is the one of before."""
        entry = {"status": "ok", "kind": "archive", **self.archive("demo.tar")}
        # The archive is a pipe here, so that unpacking waits for more and can be killed for certain.
        os.mkfifo(self.box / "pipe")
        sources = {
            "demo": {**entry, "archive": f"{self.box}/demo.tar"},
            "waiting": {**entry, "archive": f"{self.box}/pipe"},
        }
        self.write("result.json", {"sources": sources})
        out, beside = self.box / "out", self.box / "out.unpacking"
        command = ["unpack", "--sources", self.result_file, "--name", "waiting", "--destination", out]
        self.kill(command, (beside / "content").exists)
        (beside / "content/half.txt").write_text("half")
        self.assertFalse(out.exists())

        self.unpack(0, "demo", out)
        self.assertEqual(self.files("out"), {"hello.txt", "below/deep.txt", "filling"})
        self.assertFalse(beside.exists())
