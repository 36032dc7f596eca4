# SPDX-License-Identifier: BSD-3-Clause
"""The store behind the store, on S3 and in a folder."""

import os
import subprocess
import sys

from box import ROOT

import servers
from test_store_commands import ONE, TWO
from test_store_remote import GOES_ON, RemoteTest


class Elsewhere(RemoteTest):
    def test_folder(self):
        self.environment(TSB_STORE_REMOTE=str(self.box / "for all"))
        self.assertRegex(self.run_store(0, "ask"), "for all: there is no such folder; builds continue without it\n$")
        (self.box / "for all").mkdir()
        self.there_and_back()
        archive = self.box / f"for all/p/{ONE}.tar.zst"
        self.is_replaced(("it cannot be unpacked", lambda: os.truncate(archive, 100)))
        self.assertEqual(self.files("for all"), {f"p/{ONE}.tar.zst"})

    def test_s3(self):
        servers.s3(self, self.box / "s3", "bucket")
        self.environment(TSB_STORE_REMOTE="s3://bucket/of/all/")
        self.there_and_back()
        (self.package / "install/large").write_bytes(os.urandom(40000000))  # in two parts
        self.save(f"p/{TWO}")
        self.on_another_machine()
        self.restore(0, self.store / "p" / TWO)
        import obstore

        objects = obstore.store.from_url("s3://bucket/of/all", client_options={"allow_http": True})
        name = f"p/{ONE}.tar.zst"
        (self.package / "install/large").unlink()
        self.is_replaced(
            (
                "it cannot be unpacked",
                lambda: obstore.put(objects, name, bytes(obstore.get(objects, name).bytes())[:-9]),
            )
        )
        obstore.put(objects, "p/photo.tar.zst", b"")
        self.store = "s3://bucket/of/all"
        self.assertRegex(self.run_store(0, "list"), rf"p/{TWO}.tar.zst  4.* MB  used 0 days ago\n(.*\n)*2 entries")
        self.assertEqual(self.run_store(0, "prune", "--days", 30), "40.0 MB left in s3://bucket/of/all\n")
        self.assertIn(f"removed p/{TWO}.tar.zst", self.run_store(0, "prune", "--gigabytes", 0.001))
        self.assertEqual([item["path"] for item in obstore.list(objects).collect()], [name, "p/photo.tar.zst"])
        self.store, self.entry = self.box / "store", self.box / "store/p" / TWO
        self.environment(TSB_STORE_REMOTE="s3://no-bucket/x")
        self.save(f"p/{TWO}")
        self.assertRegex(self.text, f"^store: cannot write s3://no-bucket/x: HTTP 40[34] .*{GOES_ON}\n$")

    def test_tools_that_are_missing(self):
        self.environment(TSB_STORE_REMOTE="http://127.0.0.1:1")
        self.write("tools/obstore/__init__.py", "raise ImportError('no obstore')")
        command = [sys.executable, "-I", "-B", ROOT / "engine", "--modules", self.box / "tools", "store", "ask"]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        self.assertIn("needs the Python modules obstore and zstandard: no obstore in ", done.stderr)
        self.assertIn("\n       run ./bootstrap.sh --install-only with TSB_STORE_REMOTE", done.stderr)
