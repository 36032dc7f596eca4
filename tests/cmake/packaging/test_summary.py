# SPDX-License-Identifier: BSD-3-Clause
"""The last lines of a run, by what the steps have left."""

import contextlib
import io
import os

import summary
from artifact_fixture import ArtifactTest

OFF = {"FBGEMM": {"enabled": False, "reason": "nobody has it", "remedy": "ask"}}
OFF["MPI"] = {"enabled": False, "reason": "as upstream"}


class Summary(ArtifactTest):
    def setUp(self):
        super().setUp()
        self.environment(TSB_SHOW_CHECKS=None)
        self.artifact("cpu", product="libtorch", tree="libtorch")
        self.package("pytorch")
        self.file = self.write("debug-dist/a b.zip", "x" * 2000)
        self.rows(("ok", "run", "25 checks"))
        self.checks("pass", "pass", "not applicable")
        self.write(".lock")
        os.utime(self.box / ".lock", (1, 1))
        self.dist({"state": "new"})

    def rows(self, *rows):
        rows = [(verdict, f"first, {step}", why) for verdict, step, why in rows]
        self.results("check/a/consumer/results.xml", *rows)

    def checks(self, *verdicts):
        checks = [{"name": f"c{at}", "verdict": one, "found": "all"} for at, one in enumerate(verdicts)]
        self.write("check/a/check.json", {"checks": checks})

    def dist(self, facts, *more):
        return self.write("check/a/dist.json", [*more, {"file": str(self.file), **facts}])

    def lines(self):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            summary.main(str(self.box), "a")
        *lines, last = output.getvalue().splitlines()
        self.assertRegex(last, r"^-- finished in (\d+ min )?\d+ s$")
        return lines

    def test_new(self):
        self.assertEqual(
            self.lines(),
            [
                f"done: {self.file}, 2 kB, new; 3 checks passed",
                "    use it:",
                f"        unzip -q '{self.file}'",
                '        cmake -B build -D CMAKE_PREFIX_PATH="$PWD/libtorch"',
            ],
        )

    def test_what_did_not_run_and_what_is_off(self):
        why = "there is no GPU"
        self.rows(
            ("ok", "run", ""), *(("skip", name, why) for name in "abcda"), ("skip", "gdb, beside", "there is none")
        )
        self.write("packages/pytorch/manifest.json", {"features": OFF})
        self.write("settings.json", {"left_out": ["3.9", "3.10"]})
        lines = self.lines()
        self.assertEqual(
            lines[1:4] + lines[7:],
            [
                "warning: not run: a, b, c and 1 more: there is no GPU",
                "warning: not run: gdb, beside: there is none",
                "warning: without FBGEMM: nobody has it; to have it, ask",
                "warning: nothing was made for Python 3.9, 3.10, which was not found: TSB_PYTHON_<digits> names one,"
                " TSB_PYTHONS those that are wanted",
            ],
        )

    def test_what_lay_there(self):
        other = {"input": "b", "was": 1, "now": 2}
        for facts, words in (
            ({"state": "same"}, "as it was"),
            ({"state": "replaced", "differs": [{"input": "a"}, other]}, "replaces one that differs in a, b"),
            ({"state": "replaced", "differs": None}, "replaces one with other bytes"),
        ):
            self.dist(facts)
            self.assertIn(f"2 kB, {words}; 3 checks", self.lines()[0])
        os.utime(self.dist({"state": "new"}), (0, 0))  # of an earlier run
        self.assertIn("2 kB, as it was; 3 checks", self.lines()[0])

    def test_rows_and_debug_information(self):
        self.environment(TSB_SHOW_CHECKS="on")
        debug = self.write("debug-dist/debug-a.zip", "y" * 3000)
        self.dist({"state": "new"}, {"file": str(debug), "state": "new"})
        lines = self.lines()
        self.assertEqual(lines[:2], ["-- ok c0: all", "-- ok c1: all"])
        self.assertEqual(lines[2:4], ["-- n/a c2: all", "-- ok first, run: 25 checks"])
        self.assertEqual(lines[5], f"    debug information: {debug}, 3 kB")

    def test_explain(self):
        self.rows(("ok", "run", ""), ("skip", "gdb", "there is none"))
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            summary.main("--not-run", str(self.box), "a")
        self.assertEqual(output.getvalue(), "    not run: gdb: there is none\n")

    def test_use(self):
        file = self.box / "x.whl"
        wheel = {"product": "wheel", "tree": "wheel", "python": "3.12"}
        self.assertEqual(summary.use(wheel, file), [f"python3.12 -m pip install '{file}'"])
        conda = {"product": "conda", "tree": "wheel"}
        self.assertEqual(summary.use(conda, file), [f"conda install '{self.box}'/libtorch-*.conda '{file}'"])
        self.assertEqual(summary.use({**conda, "tree": "libtorch"}, file), [f"conda install '{file}'"])
