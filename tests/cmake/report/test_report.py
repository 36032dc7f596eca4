# SPDX-License-Identifier: BSD-3-Clause
"""engine/report: what a report says about a run, from a build folder like a real one; and two runs beside each other."""

import contextlib
import io
import json
import os
import re
import shutil
from unittest import mock

from fixture import BEGUN, COMPILES, RunTest, library, ninja

from engine.failure import Failure
from engine.report import compare, facts, page, report


class Report(RunTest):
    def test_the_facts_of_a_run(self):
        found = self.facts()
        self.assertEqual(
            found["used"], {"wall_s": 40, "cpu_s": 25, "memory_mb": 900, "largest_mb": 620, "disk_mb": 500}
        )
        steps = {step["step"]: (step["begin"], step["end"], step["ran"]) for step in found["steps"]}
        self.assertEqual(steps["pytorch build"], (20, 30, True))
        self.assertFalse(steps["pytorch patch"][2])  # its stamp is older
        compiles = [tuple(one[1:]) for one in found["compiles"]]
        self.assertIn(("a/x.cpp.o", 20, 24), compiles)
        self.assertIn(("a/y.cpp.o", 20, 26), compiles)
        self.assertIn(("a/one.h", 24, 25), compiles)
        self.assertEqual(len(compiles), 4)
        self.assertEqual(found["cache"], {"hit": 1, "miss": 1})
        self.assertEqual(found["links"], [["torch", "c10"], ["torch", "m"], ["torch", "sleef"]])
        self.assertEqual(found["device_code"], {"libtorch_cuda.so": {"sm_80": 164, "sm_90": 364, "compute_90": 104}})
        self.assertEqual(found["sources"][1], {"name": "sleef", "version": "3.6", "status": "ok", "from": "git (here)",
                                               "why": ["mirror: has none"]})  # fmt: skip
        self.assertEqual([one[0] for one in found["off"]], ["FBGEMM", "MPI"])
        self.assertEqual(found["artifacts"][0]["checks"], [["ok", "no RPATH", "31 files"]])
        self.assertEqual(found["artifacts"][0]["sizes"], {"lib/libtorch.so": 50000, "include": 18, ".": 1})

    def test_damaged_code_for_gpus(self):
        file = self.folder / "libx.so"
        library(file, (2, 80, 100))
        self.assertEqual(facts.device_code("/nowhere/torchpkg", file), {})
        for content in b"", b"\x7fELF\x02", file.read_bytes()[:90]:
            file.write_bytes(content)
            self.assertEqual(facts.device_code(os.environ["TORCHPKG"], file), {})

    def test_a_newer_ninja_notes_when_a_command_began(self):
        log = ninja([(begin, end, 20 + begin, output) for begin, end, _, output in COMPILES], 6)
        self.write("packages/pytorch/build/.ninja_log", log)
        self.assertIn(["pytorch", "a/y.cpp.o", 20.0, 26.0], self.facts()["compiles"])

    def test_each_start_of_ninja_counts_from_0(self):
        log = ninja([(0, 60, 60, "a.o"), (0, 80, 80, "b.o"), (60, 100, 100, "c.o"), (0, 50, 650, "d.o")])
        self.write("packages/pytorch/build/.ninja_log", log)
        found = facts.compiles_of(facts.BuildFolder(self.folder).package("pytorch"), BEGUN, BEGUN + 700)
        expected = [["a/a.o", 0, 60], ["a/b.o", 0, 80], ["a/c.o", 60, 100], ["a/d.o", 600, 650]]
        self.assertEqual([one[1:] for one in found], expected)

    def test_lines_and_trace(self):
        found = self.facts()
        lines = list(report.lines_of(found, "/page"))
        self.assertEqual(len(lines), 10)
        self.assertIn("cu124-x has ended well", lines[0])
        self.assertEqual(lines[1], "time: 40 s (planned: 20 s to 90 s)")
        self.assertEqual(lines[4], "disk, what it grew by at most: 500 MB (planned: 110 MB)")
        self.assertEqual(lines[6], "1 of 2 compiles were in the cache")
        self.assertIn("off: FBGEMM", lines[8])
        found["plan"]["disk_mb"] = {}
        self.assertIn("disk, what it grew by at most: 500 MB", report.lines_of(found, "/page"))
        events = json.loads(facts.trace(found))["traceEvents"]
        self.assertEqual({event["tid"] for event in events if event["pid"] == "pytorch"}, {0, 1})
        self.assertIn({"name": "memory", "pid": "steps", "ph": "C", "ts": 25e6, "args": {"MB": 900}}, events)
        self.journal(code=1)
        self.assertIn("has failed (exit 1)", next(report.lines_of(self.facts(), "/page")))
        with (self.run_ / "journal.jsonl").open("a") as journal:
            journal.write('{"command": "ninja", "begin": 1700000050}\n')
        self.assertIn("has not ended, or was killed", next(report.lines_of(self.facts(), "/page")))
        self.assertEqual(facts.Facts(self.folder, self.run_, 0).all()["code"], 0)  # asked by its last step

    def test_two_runs_beside_each_other(self):
        was, now = self.facts(), self.facts()
        now["used"]["wall_s"], now["release"] = 60, "2.8.0"
        now["artifacts"][0]["sizes"].update({"lib/libtorch.so": 70000, "lib/new.so": 30000})
        now["compiles"] = [["pytorch", f"{number}.o", 0, 1] for number in range(37)]
        now["off"] = [[f"feature {number}", "no", ""] for number in range(50)]
        for name, found in ("was", was), ("now", now):
            self.write(f"runs/{name}/report.json", found)
        compare.main(self.folder / "runs/was", self.folder / "runs/now")
        text = re.sub("<[^>]*>", " ", (self.folder / "runs/now/compare.html").read_text())
        for words in (
            r"time +40 s +60 s +\+50%",
            r"release +2\.6\.0 +2\.8\.0",
            r"zip/lib/new.so +- +30,000\s+zip/lib/libtorch.so +50,000 +70,000 +\+40%",
        ):
            self.assertRegex(text, words)
        self.assertEqual(re.findall("and .* more", text), ["and 1 more"])  # four are in the first alone
        self.assertEqual(len(re.findall("off: feature", text)), 50)

    def test_a_run_that_is_not_there(self):
        (self.run_ / "journal.jsonl").unlink()
        with self.assertRaisesRegex(Failure, "no run is known in"):
            report.main(self.folder)
        with self.assertRaisesRegex(Failure, "there is no journal of a run in"):
            self.facts()
        self.write("x.json", {"schema": 1})
        with self.assertRaisesRegex(Failure, "x.json has no report of a run"):
            compare.read(self.folder / "x.json")

    def test_a_run_that_somebody_keeps_under_a_name(self):
        kept = self.folder / "runs/before"
        shutil.copytree(self.run_, kept)
        self.assertEqual(report.last_run(self.folder), self.run_)
        self.assertEqual(facts.Facts(self.folder, kept).begin, BEGUN + 2)
        with mock.patch.object(report, "say_lines") as said:
            report.after_run(self.folder)
        self.assertEqual(said.call_args[0][1], self.run_)

    def test_what_is_known_of_a_run_stays_when_the_folder_changes(self):
        kept = self.run_ / "report.json"
        report.write(self.folder, self.run_)
        os.remove(self.folder / "steps/pytorch/build.json")
        report.write(self.folder, self.run_)  # nothing has come since, so it is looked at again
        self.assertFalse(json.loads(kept.read_text())["steps"][1]["ran"])
        known = kept.read_text()
        kept.write_text('{"schema": 1}')
        report.write(self.folder, self.run_)
        self.assertEqual(kept.read_text(), known)
        declared = json.loads((self.folder / "plan/run.json").read_text()) | {"preset": "cpu"}
        for place in ("plan/run.json", f"runs/{BEGUN + 99}/journal.jsonl"):
            with self.subTest(place):
                self.write(place, declared)
                os.utime(self.folder / "plan/run.json", (2e9, 2e9) if place == "plan/run.json" else (BEGUN, BEGUN))
                (self.run_ / "report.html").unlink()
                self.assertEqual(report.write(self.folder, self.run_)["preset"], "cu124-x")
                self.assertTrue((self.run_ / "report.html").exists())
                self.assertEqual(kept.read_text(), known)
        kept.write_text('{"schema": 1}')
        with self.assertRaisesRegex(Failure, "report.json is of another version, its folder has changed"):
            report.write(self.folder, self.run_)
        self.write(f"runs/{BEGUN}/run.json", declared | {"preset": "its own"})
        self.assertEqual(self.facts()["preset"], "its own")

    def test_the_end_of_a_run_goes_well_without_a_report(self):
        error = io.StringIO()
        self.write(f"runs/{BEGUN}/journal.jsonl", '{"step": "pytorch build"}\n')  # of another version
        with contextlib.redirect_stderr(error):
            report.after_run(self.folder)
        self.assertIn("warning: no report of this run: KeyError: 'end'", error.getvalue())

    def test_how_fast_the_machine_is(self):
        found = self.facts()
        report.learn(found)
        self.assertFalse(self.speed.exists())  # too few compiles, and half of them from the cache
        found.update(cache={}, compiles=[None] * 2000)
        found["steps"][1]["cpu"] = 13400
        for helper in {"compiler_cache": "/usr/bin/sccache"}, {"farm": 64}:  # which tells nobody what it has found
            report.learn(found | {"machine": found["machine"] | helper})
            self.assertFalse(self.speed.exists())
        report.learn(found)
        self.assertEqual(json.loads(self.speed.read_text())["factor"], 2.0)
        with mock.patch.dict(os.environ, XDG_CACHE_HOME=str(self.speed)):  # nothing can be written below a file
            report.learn(found)

    def test_without_what_draws_there_is_text(self):
        with mock.patch.object(page, "LIBRARY", self.folder / "nowhere"):
            report.page_of(self.facts()).write(self.run_ / "report.html")
        text = (self.run_ / "report.html").read_text()
        self.assertIn("Without pictures: ./bootstrap.sh report installs what draws them", text)
        self.assertIn("no answer &lt;/script&gt;", text)
