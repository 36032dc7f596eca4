# SPDX-License-Identifier: BSD-3-Clause
"""The first error of a log, on logs of real failures (logs/) and on lines that mislead."""

import unittest

from fixture import LOGS

from log_errors import find_log_errors, shortened_command, telling_part  # isort: skip

# log: (begin of the error's text, what stands in it, begin of the command, how many other errors there are)
CASES = {
    "cmake-configure": ("CMake Error at third/CMakeLists.txt:5 (message):\n", "  Cannot find six\n", "", 0),
    "cmake-fatal": (
        "CMake Error at third/CMakeLists.txt:2 (message):\n",
        "Looked in:\n\n    /usr/include\n    /opt/include\nCall Stack",
        "",
        0,
    ),
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
    return find_log_errors((LOGS / f"{name}.log").read_text())


class LogErrors(unittest.TestCase):
    def test_the_first_error_is_found(self):
        for name, (begin, part, command, further) in CASES.items():
            with self.subTest(name):
                errors = errors_in(name)
                self.assertEqual(errors.first[: len(begin)], begin)
                self.assertIn(part, errors.first)
                self.assertEqual(errors.command[: len(command) or None], command)
                self.assertEqual(errors.further, further)
                self.assertNotIn("warning: ", errors.first)

    def test_it_is_found_anywhere_in_a_long_log(self):
        filler = ["\n-- fine\n"] * 100
        for name in CASES:
            part = telling_part([*filler, (LOGS / f"{name}.log").read_text(), *filler, "end"])
            self.assertEqual(vars(find_log_errors(part)), vars(errors_in(name)), name)
            self.assertLess(part.count("fine"), 40)
            self.assertTrue(part.endswith("end"))
        self.assertTrue(telling_part([*filler, "end"]).endswith("fine\nend"))
        part = telling_part(
            ["x: not found\n", *filler, "a.c:1: error: no\n", *filler, "CMake Error: a\n\n", "error: b"]
        )
        self.assertEqual(find_log_errors(part).first, "CMake Error: a\n")

    def test_a_warning_made_an_error_is_named(self):
        for name in "gcc-pragma", "clang-pragma":
            errors = errors_in(name)
            self.assertEqual((errors.warning, errors.file), ("return-type", "/tmp/demo/unit/pragma.cpp"))
        self.assertEqual(errors_in("gcc-template").warning, "")

    def test_others_that_lead_nowhere(self):
        for line in LEAD_NOWHERE:
            self.assertEqual(find_log_errors(line + "\n").first, "")

    def test_what_counts_more_goes_first(self):
        # A version asked of git in an unpacked archive, and a probe that is meant to fail.
        error = 'CMake Error: The source directory "/x" does not exist.\nSpecify --help for usage.\n'
        errors = find_log_errors(
            f"fatal: not a git repository\nprobe.c:1:1: error: no such header\n-- a\n{error}\n-- b\n"
        )
        self.assertEqual((errors.first, errors.further), (error, 0))
        # The step that was killed beside the one with the error.
        errors = find_log_errors(
            "FAILED: a.o \ncc a\nc++: fatal error: Killed signal terminated program cc1plus\n"
            "FAILED: b.o \ncc b\n\033[1mb.c:1: \033[31merror: \033[0mno\r\nninja: build stopped: x\n"
        )
        self.assertEqual((errors.first, errors.command, errors.further), ("b.c:1: error: no\n", "cc b", 1))

    def test_a_script_of_ours_has_explained_its_failure(self):
        explained = "error: /x/liba.so cannot be used: libb.so: No such file or directory\n       name another one\n"
        errors = find_log_errors(
            f"-- a\nmake: b: No such file or directory\n{explained}CMake Error at /s/detail/tsb_fail.cmake:30 (message):\n"
            "  (explained above)\nCall Stack (most recent call first):\n  /s/stage.cmake:5 (tsb_fail)\n\n\n"
        )
        self.assertEqual((errors.first, errors.further), (explained, 0))

    def test_too_much_of_it_is_left_to_the_log(self):
        leads, notes = "a.h:1:1:   required from 'f'\n" * 50, "a.h:3:1: note: candidate\n" * 50
        text = find_log_errors(f"FAILED: a.o\nc++ -c a.cpp\n{leads}a.h:2:1: error: no\n{notes}").first
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
