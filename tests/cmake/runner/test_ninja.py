# SPDX-License-Identifier: BSD-3-Clause
"""What Ninja says about its steps, and the progress line that is made from that."""

import contextlib
import io

from fixture import RunnerTest

from ninja import NinjaLog, ninja_command, parse_status  # isort: skip
from progress import Progress, ProgressLine  # isort: skip


class Ninja(RunnerTest):
    def test_status_lines(self):
        line = "[312/1452] Building CXX object x.o"
        self.assertEqual(parse_status(line), (312, 1452, "Building CXX object x.o"))
        for line in "", "[", "[1/", "[1/2]", "[a/2] x", "[3/2] x", "[0/0] x", "note: [1/2] x":
            self.assertIsNone(parse_status(line), line)

    def test_a_command_is_understood(self):
        command = ninja_command(["env", "A=1", "/usr/bin/ninja", "-C", "a b", "-j", "3", "all"])
        self.assertEqual((command.folder, command.jobs), ("a b", 3))
        command = ninja_command(["ninja", "-j7", "-Cx"])
        self.assertEqual((command.folder, command.jobs), ("x", 7))
        self.assertIsNone(ninja_command(["make", "-j3"]))
        command = ninja_command(["env", "A=1", "/usr/bin/ninja", "-C", "b", "-j8", "install"])
        alone = ["env", "A=1", "/usr/bin/ninja", "-C", "b", "-j1", "x.o", "y.o"]
        self.assertEqual(command.alone(["x.o", "y.o"]), alone)

    def test_the_plan(self):
        words = self.ninja(
            "rule s\n command = touch $out\n description = Making $out\nbuild b: s\nbuild a: s | b\nbuild c: s\n"
        )
        self.assertEqual(ninja_command([*map(str, words), "a"]).planned_steps(), ["Making b", "Making a"])
        self.assertFalse((self.folder / "a").exists())
        self.assertEqual(ninja_command(["ninja", "-C", str(self.folder / "none")]).planned_steps(), [])

    def test_its_log_is_read_as_it_grows(self):
        file = self.folder / ".ninja_log"
        head = "# ninja log v5\n"
        file.write_text(head + "0\t500\t1\told.o\tabc\n")
        log = NinjaLog(self.folder)
        self.assertEqual(log.added(), [])
        with file.open("a") as more:
            more.write("100\t350\t1\tnew.o\tabc\n200\t3")
        self.assertEqual(log.added(), [("new.o", 0.25)])
        with file.open("a") as more:
            more.write("00\t1\tother.o\tabc\n")
        self.assertEqual(log.added(), [("other.o", 0.1)])
        file.write_text(head)  # written anew
        self.assertEqual(log.added(), [])
        file.write_text(head + "0\t1000\t1\tlast.o\tabc\n")
        self.assertEqual(log.added(), [("last.o", 1)])

    def test_a_step_that_names_many_files(self):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            ProgressLine(0).update("demo build 1/2  Generating " + ", ".join(["a.cpp"] * 500))
        self.assertEqual(len(out.getvalue()), 201)

    def test_time_left_comes_from_the_observed_rate(self):
        progress = Progress("demo build", now=0)
        self.assertEqual(progress.text(3), "demo build 3s")
        progress.see("-- Looking for x", 3)
        self.assertEqual(progress.text(190), "demo build 3m10s  -- Looking for x")
        progress.see("[100/1000] a", 10)  # it went on where it had stopped
        progress.see("warning: whatever", 11)
        progress.see("[200/1000] b", 20)
        self.assertEqual(progress.text(20), "demo build 200/1000 20%  1m20s left  b")
        progress.see("[201/1000000] c", 7500)
        self.assertRegex(progress.text(7500), "demo build 201/1000000 0%  c")
