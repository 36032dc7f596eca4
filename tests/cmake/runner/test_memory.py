# SPDX-License-Identifier: BSD-3-Clause
"""Compilers that are killed for lack of memory."""

from fixture import RunnerTest

from build_log import failed_steps, names_lack_of_memory, only_memory  # isort: skip

# The first try of x.o kills itself as the kernel would; the second succeeds.
KILLED_ONCE = """\
rule cc
 command = if test -e $out.seen; then touch $out; else touch $out.seen; kill -9 $$$$; fi
rule ok
 command = touch $out
build x.o: cc
build y.o: ok
build all: phony x.o y.o
default all
"""
TRIES = "rule cc\n command = echo >> $out.tries; echo '{}'; false\nbuild x.o: cc\n"


class Memory(RunnerTest):
    def test_a_killed_compiler_is_tried_again_alone(self):
        result = self.run_phase(self.ninja(KILLED_ONCE), "--retry-alone")
        self.assertEqual(result.returncode, 0, result.stdout)
        said = "demo build: the compiler was killed for lack of memory: x.o; trying it again alone\n"
        self.assertIn(said, result.stdout)
        self.assertIn(said, self.log_text())
        for name in "x.o", "y.o":
            self.assertTrue((self.folder / name).exists())

    def test_without_the_option_it_is_only_said(self):
        result = self.run_phase(self.ninja(KILLED_ONCE))
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("was killed for lack of memory: x.o\n", result.stdout)
        self.assertIn("remedy: use fewer jobs", result.stdout)
        self.assertFalse((self.folder / "x.o").exists())

    def test_so_is_a_command_that_is_not_ninja(self):
        result = self.run_phase("kill -9 $$", "--retry-alone")
        self.assertEqual(result.returncode, 137)
        self.assertIn("the compiler was killed for lack of memory: demo build\n", result.stdout)

    def test_killed_again_alone_it_says_how_much_memory_there_was(self):
        rule = TRIES.format("c++: fatal error: Killed signal terminated program cc1plus")
        result = self.run_phase(self.ninja(rule), "--retry-alone")
        self.assertNotEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"alone: [\d.]+ GiB of [\d.]+ GiB memory were free, and that was not enough")
        self.assertIn("remedy: stop other programs, add swap space, or use a machine with more memory", result.stdout)
        self.assertEqual((self.folder / "x.o.tries").read_text(), "\n\n")

    def test_a_real_error_is_never_tried_again(self):
        result = self.run_phase(self.ninja(TRIES.format("x.c:1: error: no")), "--retry-alone")
        self.assertNotEqual(result.returncode, 0)
        self.assertNotIn("memory", result.stdout)
        self.assertEqual((self.folder / "x.o.tries").read_text(), "\n")

    def test_logs_are_understood(self):
        steps, named = failed_steps(
            "[1/9] ok\nFAILED: a.o \ncc a\nc++: fatal error: Killed signal terminated program cc1plus\n"
            "[2/9] cc b\nFAILED: [code=1] b.o b.d\ncc b\nb.c:1: error: no\nninja: build stopped: x\n"
        )
        self.assertEqual([step.killed_for_memory for step in steps], [True, False])
        self.assertEqual([step.outputs for step in steps], [["a.o"], ["b.o", "b.d"]])
        self.assertFalse(only_memory(steps, named))
        self.assertTrue(only_memory(*failed_steps("FAILED: [code=137] a.o\ncc a\nsaid\nninja: stopped\n")))
        self.assertFalse(only_memory(*failed_steps("make: *** [x] Error 1\n")))
        for line in (
            "Killed",
            "virtual memory exhausted: Cannot allocate memory",
            "cc1plus: out of memory allocating 65536 bytes",
            "clang: error: unable to execute command: Killed",
            "collect2: fatal error: ld terminated with signal 9 [Killed]",
        ):
            self.assertTrue(names_lack_of_memory([line]), line)
        self.assertFalse(names_lack_of_memory(["Building CXX object killed.cpp.o"]))
