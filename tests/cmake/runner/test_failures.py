# SPDX-License-Identifier: BSD-3-Clause
"""Why a command failed: its first error, on logs of real failures (logs/) and on lines that mislead; what was killed for
lack of memory and is tried again."""

from fixture import LOGS, RunnerTest

from engine.runner.log_errors import LogErrors, failed_steps, names_lack_of_memory, shortened_command

# log: (begin of the error's text, what stands in it, begin of the command, how many other errors there are)
CASES = {
    "cmake-configure": ("CMake Error at third/CMakeLists.txt:5 (message):\n", "  Cannot find six\n", "", 0),
    "cmake-fatal": (
        "CMake Error at third/CMakeLists.txt:2 (message):\n",
        "Looked in:\n\n    /usr/include\n    /opt/include\nCall Stack",
        "",
        0,
    ),
    "cmake-again": ("CMake Error at CMakeLists.txt:5 (message):\n", "  six is missing", "", 0),
    "cmake-compiler": ("CMake Error at ", "FAILED: ", "", 0),
    "cmake-python": (
        '  File "/tmp/demo/py/gen.py", line 9, in main\n',
        "RuntimeError: cannot generate\nCMake Error at CMakeLists.txt:5 (message):\n  the generator failed: 1\n",
        "",
        0,
    ),
    "gcc-template": (
        "In file included from /usr/include/c++/12/algorithm:61,\n",
        ":1938:50: error: no match for ‘operator-’",
        "/usr/bin/g++ ... -o CMakeFiles/tmpl.dir/deep.cpp.o -c /tmp/demo/tmpl/deep.cpp",
        1,
    ),
    "clang-template": (
        "In file included from /tmp/demo/tmpl/deep.cpp:1:\n",
        ":1938:22: error: invalid operands",
        "/usr/bin/clang++ ... -o CMakeFiles/tmpl.dir/deep.cpp.o -c ",
        2,
    ),
    "gcc-link": (
        "/usr/bin/ld: CMakeFiles/link.dir/main.cpp.o: in function `twice()':\n",
        "undefined reference to `other(int)'\n",
        "/usr/bin/g++ CMakeFiles/link.dir",
        2,
    ),
    "lld-link": (
        "ld.lld: error: undefined symbol: other(int)\n",
        ">>> referenced by main.cpp\n",
        "/usr/bin/clang++ -fuse-ld=lld ",
        1,
    ),
    "gcc-no-library": ("/usr/bin/ld: cannot find -lno_such_library", "", "/usr/bin/c++ ", 0),
    "make": (
        "b.c: In function ‘b’:\nb.c:1:22: error: ‘nowhere’ undeclared",
        "note: each undeclared identifier is reported only once",
        "gcc -O2 -Wall -c b.c -o b.o",
        0,
    ),
    "make-norule": ("make: *** No rule to make target 'gone.o'", "", "", 0),
    "ninja-missing": ("ninja: error: 'missing.c', needed by 'a', missing", "", "", 0),
    "nvcc": (
        'asmb/x.cu(1): error: identifier "undefined_thing" is undefined\n',
        "*p = undefined_thing;",
        "nvcc -c asmb/x.cu -o x.o",
        0,
    ),
    "nvcc-fatal": ("nvcc fatal   : Unsupported gpu architecture 'sm_11'\n", "", "nvcc -arch=sm_11", 0),
    "gfortran": ("asmb/x.f90:3:8:\n", "Error: Invalid character in name at (1)\n", "gfortran -c asmb/x.f90", 0),
    "assembler": ("asmb/x.s: Assembler messages:\nasmb/x.s:2: Error: no such", "", "gcc -c asmb/x.s", 0),
    "python": (
        '  File "/tmp/demo/py/gen.py", line 3, in load\n',
        "import no_such_module\nModuleNotFoundError: No module named 'no_such_module'\n",
        "python3 py/gen.py x",
        1,
    ),
    "no-tool": ("/bin/sh: 1: nowhere/tool: not found\n", "", "nowhere/tool -o x", 0),
}

LEAD_NOWHERE = [
    "-- Performing Test HAVE_X - Failed, error: no",
    "[3/9] Building CXX object error.cpp.o",
    'x.c:1:2: warning: you meant "error: "',
    '   12 |   puts("error: no");',
    "0 errors:",
    "x.cpp:3:1: note: the error: is above",
    "Building error_handler: done",
]


def errors_in(name):
    return LogErrors((LOGS / f"{name}.log").read_text())


# The first try of x.o is killed as the kernel would do it; the second succeeds. {} is what it says.
KILLED_ONCE = """\
rule cc
 command = echo >>$out.tries; test -e $out.seen || {{ touch $out.seen; echo '{}'; exit 1; }}; touch $out
rule ok
 command = touch $out
build x.o: cc
build y.o: ok
"""
CC1PLUS = "c++: fatal error: Killed signal terminated program cc1plus"

# What an attempt says: whether its steps were killed.
STEPS = {
    f"FAILED: a.o \ncc a\n{CC1PLUS}\n[2/9] cc b\nFAILED: [code=1] b.o b.d\ncc b\nb.c:1: error: no\n": [True, False],
    "FAILED: [code=137] a.o\ncc a\nsaid\nninja: stopped\n": [True],
    "FAILED: [code=1] a.o\ncc a\nninja: stopped\n": [False],
    "FAILED: a.o\ncc a\nninja: stopped\n": [False],
    "make: *** [x] Error 1\n": [],
}


class Failures(RunnerTest):
    def test_the_first_error_is_found(self):
        for name, (begin, part, command, further) in CASES.items():
            with self.subTest(name):
                errors = errors_in(name)
                self.assertEqual(errors.first[: len(begin)], begin)
                self.assertIn(part, errors.first)
                self.assertEqual(errors.command[: len(command) or None], command)
                self.assertEqual(errors.further, further)
                self.assertNotIn("warning: ", errors.first)

    def test_a_warning_made_an_error_is_named(self):
        for name in "gcc-pragma", "clang-pragma":
            errors = errors_in(name)
            self.assertEqual((errors.warning, errors.file), ("return-type", "/tmp/demo/unit/pragma.cpp"))
        self.assertEqual(errors_in("gcc-template").warning, "")

    def test_others_that_lead_nowhere(self):
        for line in LEAD_NOWHERE:
            self.assertEqual(LogErrors(line + "\n").first, "")

    def test_what_counts_more_goes_first(self):
        # A version asked of git in an unpacked archive, and a probe that is meant to fail.
        error = 'CMake Error: The source directory "/x" does not exist.\nSpecify --help for usage.\n'
        errors = LogErrors(f"fatal: not a git repository\nprobe.c:1:1: error: no such header\n-- a\n{error}\n-- b\n")
        self.assertEqual((errors.first, errors.further), (error, 0))
        # The step that was killed beside the one with the error.
        errors = LogErrors(
            "FAILED: a.o \ncc a\nc++: fatal error: Killed signal terminated program cc1plus\n"
            "FAILED: b.o \ncc b\n\033[1mb.c:1: \033[31merror: \033[0mno\r\nninja: build stopped: x\n"
        )
        self.assertEqual((errors.first, errors.command, errors.further), ("b.c:1: error: no\n", "cc b", 1))

    def test_a_script_of_ours_has_explained_its_failure(self):
        explained = "error: /x/liba.so cannot be used: libb.so: No such file or directory\n       name another one\n"
        errors = LogErrors(
            f"-- a\nmake: b: No such file or directory\n{explained}CMake Error at /s/detail/tsb_fail.cmake:30 (message):\n"
            "  (explained above)\nCall Stack (most recent call first):\n  /s/stage.cmake:5 (tsb_fail)\n\n\n"
        )
        self.assertEqual((errors.first, errors.further), (explained, 0))

    def test_too_much_of_it_is_left_to_the_log(self):
        leads, notes = "a.h:1:1:   required from 'f'\n" * 50, "a.h:3:1: note: candidate\n" * 50
        text = LogErrors(f"FAILED: a.o\nc++ -c a.cpp\n{leads}a.h:2:1: error: no\n{notes}").first
        self.assertIn("\na.h:2:1: error: no\n", text)
        self.assertIn("  ... (42 more lines in the log)\n", text)
        self.assertLessEqual(text.count("\n"), 32)

    def test_long_commands_keep_their_source_and_output(self):
        flags = "".join(f" -I/a/folder/of/headers/{i}" for i in range(50))
        self.assertEqual(
            shortened_command(f"/usr/bin/ccache /usr/bin/c++{flags} -o x.o -c /s/x.cc"),
            "/usr/bin/ccache /usr/bin/c++ ... -o x.o -c /s/x.cc",
        )
        self.assertEqual(shortened_command(": && c++  a.o  -o  a && :"), "c++ a.o -o a")

    def test_a_failure_shows_its_first_error_and_the_log(self):
        result = self.run_phase(f"cat '{LOGS}/cmake-configure.log'; echo 'CMake Error: another'; exit 1")
        self.assertIn(
            "demo build failed (exit 1)\nCMake Error at third/CMakeLists.txt:5 (message):\n"
            f"  Cannot find six\n1 more error is in the log\nlog: {self.log}\n",
            result.stdout,
        )
        self.assertNotIn("USE_FEATURE", result.stdout)

    def test_without_an_error_it_shows_the_end_of_the_log(self):
        result = self.run_phase("seq 40; printf '\\033]0;title\\007\\033[31mlast\\033[0m\\b\\n'; exit 7")
        lines = "".join(f"{i}\n" for i in range(12, 41))
        self.assertIn(f"demo build failed (exit 7)\n{lines}last\\x08\nlog: {self.log}\n", result.stdout)
        self.assertEqual(result.returncode, 7)
        rule = "rule bad\n command = seq 40; false\nbuild x.o: bad\n"
        result = self.run_phase(self.ninja(rule))
        self.assertRegex(
            result.stdout, "\nFAILED: .*x.o *\nseq 40; false\n1\n(?s:.*)\n28\n\\.\\.\\.\nninja: build stopped"
        )

    def test_a_warning_that_the_source_makes_an_error_has_a_remedy(self):
        for name, variable in {"pragma.cpp": "CXX", "pragma.c": "CC"}.items():
            result = self.run_phase(f"sed 's/pragma[.]cpp/{name}/g' '{LOGS}/gcc-pragma.log'; exit 1")
            self.assertIn(
                f"package demo treats the warning return-type as an error in /tmp/demo/unit/{name}\n"
                f"remedy: add a patch that removes the pragma, or use another compiler in a new build folder: {variable}=...\n",
                result.stdout,
            )

    def test_a_killed_compiler_is_tried_again_alone(self):
        result = self.run_phase(self.ninja(KILLED_ONCE.format(CC1PLUS)), "--retry-alone")
        self.assertEqual(result.returncode, 0, result.stdout)
        said = "demo build: the compiler was killed for lack of memory: x.o; trying it again alone\n"
        self.assertIn(said, result.stdout)
        self.assertIn(said, self.log_text())
        self.assertTrue((self.folder / "y.o").exists())

    def test_what_is_killed_and_not_tried_again(self):
        result = self.run_phase(self.ninja(KILLED_ONCE.format(CC1PLUS)))
        self.assertIn("was killed for lack of memory: x.o\n", result.stdout)
        self.assertIn("remedy: use fewer jobs", result.stdout)
        result = self.run_phase("kill -9 $$", "--retry-alone")
        self.assertEqual(result.returncode, 137)
        self.assertIn("the compiler was killed for lack of memory: demo build\n", result.stdout)
        rule = f"rule cc\n command = echo >> $out.tries; echo '{CC1PLUS}'; false\nbuild z.o: cc\n"
        result = self.run_phase(self.ninja(rule), "--retry-alone")
        self.assertRegex(result.stdout, r"alone: [\d.]+ GiB of [\d.]+ GiB memory were free, and that was not enough")
        self.assertIn("remedy: stop other programs, add swap space, or use a machine with more memory", result.stdout)
        self.assertEqual((self.folder / "z.o.tries").read_text(), "\n\n")

    def test_what_just_fails_was_not_killed_and_is_never_tried_again(self):
        for said in "x.c:1: error: no", "":
            result = self.run_phase(self.ninja(KILLED_ONCE.format(said).replace("; echo ''", "")), "--retry-alone")
            self.assertNotEqual(result.returncode, 0)
            self.assertNotIn("memory", result.stdout)
            self.assertEqual((self.folder / "x.o.tries").read_text(), "\n")
            for file in self.folder.glob("*.o*"):
                file.unlink()

    def test_which_steps_were_killed(self):
        for log, killed in STEPS.items():
            self.assertEqual([step.killed for step in failed_steps(log)], killed, log)
        self.assertEqual([step.outputs for step in failed_steps(next(iter(STEPS)))], [["a.o"], ["b.o", "b.d"]])
        for line in (
            "Killed",
            "virtual memory exhausted: Cannot allocate memory",
            "cc1plus: out of memory allocating 65536 bytes",
            "clang: error: unable to execute command: Killed",
            "collect2: fatal error: ld terminated with signal 9 [Killed]",
        ):
            self.assertTrue(names_lack_of_memory(line), line)
        self.assertFalse(names_lack_of_memory("Building CXX object killed.cpp.o"))
