# SPDX-License-Identifier: BSD-3-Clause
"""dist/ is the user's: only a file of the same name is replaced, when all of the new artifact is there."""

import errno
import json
import os
from unittest import mock

from box import BoxTest

import deliver

from engine import partial_file

ZIP = "libtorch-1.0+cpu.zip"
BILL = "libtorch-1.0+cpu.spdx.json"


def statement(options="key", **external):
    compiler = {
        "name": "CXX compiler",
        "digest": {"sha256": "7"},
        "annotations": {"kind": "toolchain", "compiler": "G"},
    }
    patch = {"name": "a.patch", "digest": {"sha256": "8"}, "annotations": {"kind": "patch", "package": "pytorch"}}
    definition = {"externalParameters": {"blas": "mkl", **external}, "resolvedDependencies": [compiler, patch]}
    definition["internalParameters"] = {"fingerprints": {"pytorch": options}, "toolkit": {"version": "12.4"}}
    return {"predicate": {"buildDefinition": definition}}


class Deliver(BoxTest):
    def setUp(self):
        super().setUp()
        self.packed, self.dist = self.box / "packed", self.box / "above/debug-a dist"
        self.rows = [("ok", "first, run", "")]

    def make(self, files):
        for name, content in files.items():
            (self.packed / name).unlink(missing_ok=True)
            self.write(self.packed / name, content)
        self.names = list(files)

    def deliver(self, ends=0, says=()):
        self.results("consumer/results.xml", *self.rows)
        verdicts = "pass", "not applicable", "pass"
        self.write("check.json", {"checks": [{"name": "c", "verdict": one, "found": ""} for one in verdicts]})
        words = [self.packed, self.dist, self.box / "dist.json", *self.names]
        self.run_main(ends, lambda: deliver.main(*map(str, words)), says=says)
        return json.loads((self.box / "dist.json").read_text())

    def content(self, name=ZIP):
        return (self.dist / name).read_text()

    def test_what_else_is_there_stays(self):
        others = "libtorch-0.9+cpu.zip", f"{ZIP}.mine", "linux-64/other.conda", "torch-1.0.whl"
        for name in others:
            self.write(self.dist / name, name)
        self.make({ZIP: "new", f"{ZIP}.intoto.json": statement(), BILL: "bill", "linux-64/a.conda": "conda"})
        facts = self.deliver()
        self.assertEqual(facts, [{"file": str(self.dist / ZIP), "state": "new"}])
        self.assertEqual(self.files(self.dist), {*others, *self.names, f"{ZIP}.checks.json"})
        self.assertEqual([self.content(name) for name in others], list(others))

    def test_a_file_that_was_deleted_comes_back(self):
        self.make({ZIP: "new", f"{ZIP}.intoto.json": statement()})
        for _ in range(2):
            self.assertEqual(self.deliver()[0]["state"], "new")
            (self.dist / ZIP).unlink()

    def test_replaced(self):
        self.make({ZIP: "old", f"{ZIP}.intoto.json": statement(), f"{ZIP}.intoto.json.asc": "signature"})
        self.deliver()
        with open(self.dist / ZIP) as opened:
            self.make({ZIP: "new", f"{ZIP}.intoto.json": statement("other", blas="openblas", SOURCE_DATE_EPOCH="9")})
            facts = self.deliver()
            self.assertEqual(opened.read(), "old", "by a rename")
        differs = [{"input": "SOURCE_DATE_EPOCH", "was": None, "now": "9"}]
        differs += [{"input": "blas", "was": "mkl", "now": "openblas"}]
        differs += [{"input": "package pytorch", "was": "key", "now": "other"}]
        self.assertEqual(facts, [{"file": str(self.dist / ZIP), "state": "replaced", "differs": differs}])
        self.assertEqual(self.files(self.dist), {*self.names, f"{ZIP}.checks.json"}, "no signature of another")
        # The same again: neither the file nor its time changes.
        time = (self.dist / ZIP).stat().st_mtime_ns
        self.assertEqual(self.deliver()[0], {"file": str(self.dist / ZIP), "state": "same"})
        self.assertEqual((self.content(), (self.dist / ZIP).stat().st_mtime_ns), ("new", time))

    def test_debug_information_of_the_last_run(self):
        """It goes with the file that it is of, and stays while that is there."""
        debug, other = f"debug-{ZIP}", "debug-libtorch-0.9+cpu.zip"
        files = {name: "old" for one in (ZIP, debug) for name in (one, f"{one}.intoto.json")}
        self.write(self.dist / other, "another artifact's")
        self.make(files | {f"{debug}.intoto.json.asc": "signature"})
        report = self.deliver()
        before = set(self.names)
        renamed = "libtorch-1.0+mine.zip"
        for name, stays in (renamed, before), (ZIP, set()):
            self.write("dist.json", report)
            self.make({name: "new", f"{name}.intoto.json": statement()})
            self.deliver()
            self.assertLessEqual({other, *self.names, *stays}, self.files(self.dist))
        self.assertEqual([name for name in self.files(self.dist) if name.startswith("debug-")], [other])

    def test_what_is_compared(self):
        self.make({ZIP: "old", f"{ZIP}.intoto.json": statement()})
        self.deliver()
        self.make({ZIP: "other bytes", f"{ZIP}.intoto.json": statement()})
        self.assertEqual(self.deliver()[0]["differs"], [])
        for text in "{}", "no JSON", json.dumps({"predicate": {"buildDefinition": []}}):
            self.write(self.dist / f"{ZIP}.intoto.json", text)
            self.make({ZIP: text, f"{ZIP}.intoto.json": statement()})
            self.assertIsNone(self.deliver()[0]["differs"])
        facts = deliver.inputs_of(self.packed / f"{ZIP}.intoto.json")
        patch = ["blas", "package pytorch", "patch a.patch", "toolchain CXX compiler", "toolkit"]
        self.assertEqual(sorted(facts), patch)

    def test_no_room(self):
        """All or nothing: what was there stays, and the message says where the new ones are."""
        self.make({ZIP: "old", f"{ZIP}.intoto.json": statement()})
        self.deliver()
        self.make({ZIP: "new", f"{ZIP}.intoto.json": statement(blas="none")})
        full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        with mock.patch("os.link", side_effect=OSError), mock.patch("shutil.copyfileobj", side_effect=[None, full]):
            what = f"{self.packed} has passed its checks, but cannot be put into {self.dist}: "
            self.deliver(3, [what, "No space left"])
        self.assertEqual((self.content(), self.files(self.dist)), ("old", {*self.names, f"{ZIP}.checks.json"}))
        self.assertEqual(self.deliver()[0]["differs"][0]["input"], "blas")

    def test_no_folder(self):
        self.write("above", "a file")
        self.make({ZIP: "new", f"{ZIP}.intoto.json": statement()})
        self.write("dist.json", "{}")
        self.deliver(3, [f"into {self.dist}: ", "Not a directory"])

    def test_what_a_killed_run_left(self):
        self.write(self.dist / f"{ZIP}{partial_file.MARK}0123")
        self.make({ZIP: "new", f"{ZIP}.intoto.json": statement()})
        self.deliver()
        self.assertEqual(self.files(self.dist), {*self.names, f"{ZIP}.checks.json"})

    def test_what_was_not_tried(self):
        """It lies beside the file, and is of the last run."""
        skipped = ("skip", "first, gdb", "there is none")
        debug = f"debug-{ZIP}"
        self.make({name: "new" for one in (ZIP, debug) for name in (one, f"{one}.intoto.json")})
        for rows, expected in (([*self.rows, skipped], ["gdb: there is none"]), (self.rows, [])):
            self.rows = rows
            self.deliver()
            self.assertEqual(json.loads(self.content(f"{ZIP}.checks.json")), {"passed": 3, "not_run": expected})
        self.assertFalse((self.dist / f"{debug}.checks.json").exists())
