# SPDX-License-Identifier: BSD-3-Clause
"""What Ninja says about its steps, and the progress that it is."""

import contextlib
import io

from fixture import ROOT, RunnerTest

from engine.failure import Failure
from engine.runner.progress import Progress, Weights, ninja_command, parse_status


class ProgressTest(RunnerTest):
    def test_status_lines(self):
        line = "[312/1452] Building CXX object x.o"
        self.assertEqual(parse_status(line), (312, 1452, "Building CXX object x.o"))
        for line in "", "[", "[1/", "[1/2]", "[a/2] x", "[3/2] x", "[0/0] x", "note: [1/2] x":
            self.assertIsNone(parse_status(line), line)

    def test_a_command_is_understood(self):
        for words, folder in (
            (["env", "A=1", "/usr/bin/ninja", "-C", "a b", "-j", "3", "all"], "a b"),
            (["ninja", "-j7", "-Cx"], "x"),
        ):
            self.assertEqual(ninja_command(words).folder, folder)
        alone = ["env", "A=1", "/usr/bin/ninja", "-C", "b", "-j1", "x.o", "y.o"]
        command = ninja_command(["env", "A=1", "/usr/bin/ninja", "-C", "b", "-j8", "install"])
        self.assertEqual(command.alone(["x.o", "y.o"]), alone)
        self.assertIsNone(ninja_command(["make", "-j3"]))

    def test_the_share_is_that_of_the_work(self):
        costs = self.folder / "costs"
        costs.write_text("# comment\n\n1 cheap*\n9 d/*.o\n90 *\n")
        plan = "".join(f"build {name}: s\n" for name in ("cheap1", "cheap2", "d/1.o", "d/2.o", "e"))
        ninja = self.ninja("rule s\n command = touch $out\n description = Making $out\n" + plan)
        progress = Progress("demo build", ninja_command([str(word) for word in ninja]), Weights(costs))
        self.assertFalse((self.folder / "e").exists())
        self.expect(progress, "", "demo build")
        for line, told in (
            ("-- Looking for \033[31mx", "demo build: -- Looking for x"),
            ("[1/5] Making cheap1", "0.009 demo build: Making cheap1"),
            ("[2/5] Making d/1.o", "0.091 demo build: Making d/1.o"),
            ("warning: whatever", ""),
            # Ninja has found that the others are up to date.
            ("[3/3] Making d/2.o", "1.000 demo build: Making d/2.o"),
        ):
            self.expect(progress, line, told)

    def expect(self, progress, line, told):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            progress.see(line)
            progress.show()
        self.assertEqual(out.getvalue(), f"tsb_progress: {told}\n" if told else "")

    def test_a_plan_that_is_no_longer_true_does_not_count(self):
        ninja = self.ninja("rule s\n command = touch $out\nbuild a: s\n")
        progress = Progress("demo build", ninja_command([str(word) for word in ninja]))
        self.expect(
            progress, "[1/2] Re-checking globbed directories...", "demo build: Re-checking globbed directories..."
        )
        self.expect(progress, "[2/2] Re-running CMake", "demo build: Re-running CMake")
        self.expect(progress, "[20/100] b", "0.200 demo build: b")

    def test_without_a_plan_every_step_weighs_the_same(self):
        progress = Progress("demo build")
        self.expect(progress, "[200/1000] b", "0.200 demo build: b")
        self.expect(progress, "[201/1000000] c", "0.000 demo build: c")
        self.expect(progress, "[202/1000000] " + "a.cpp " * 500, "0.000 demo build: " + ("a.cpp " * 500)[:200])

    def test_the_weights_of_the_releases_are_read(self):
        for file in ROOT.glob("releases/*/*/step_costs.txt"):
            self.assertTrue(Weights(file).lines, file)

    def test_a_line_that_is_no_weight(self):
        costs = self.folder / "costs"
        for line in ("long *.o", "3", "3 a b"):
            with self.assertRaisesRegex(Failure, "line 2 is not '<seconds> <pattern>'"):
                costs.write_text(f"1 *.o\n{line}\n")
                Weights(costs)
