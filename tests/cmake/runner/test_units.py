# SPDX-License-Identifier: BSD-3-Clause
"""A source that does not compile in a unit of several, and what only looks like one."""

import json
import re

from fixture import RunnerTest

CC1PLUS = "c++: fatal error: Killed signal terminated program cc1plus"


class Units(RunnerTest):
    def test_a_source_that_does_not_compile_in_a_unit_has_the_line_that_leaves_it_out(self):
        """Also when the error is in a header of its own, and where the compiler names the place before a warning only. Other packages'
        units are their own affair."""
        package = self.folder / "packages/demo"
        self.log, unit = package / "log/build.log", package / "build/Unity/unity_first_01_cxx.cxx"
        lists = self.folder / "releases/9.9.0/demo"
        for name, text in {
            "source/a.cpp": "static int twice;\n",
            "source/sub/b.cpp": "#warning before it\nstatic int twice();\n",
            "source/c.cpp": '#include "c.h"\n',
            "source/c.h": "static int twice();\n",
        }.items():
            (package / name).parent.mkdir(parents=True, exist_ok=True)
            (package / name).write_text(text)
        unit.parent.mkdir(parents=True)
        rule = "rule cxx\n command = c++ -c $in -o x.o\nbuild x.o: cxx %s\n" % str(unit).replace(" ", "$ ")
        said = r"error: (.*twice.*)\n(?s:.*)does not compile: %s\nremedy: add the line '%s \1' to %s, for another release to a copy in its own folder, or set TSB_UNITY=OFF\n"
        for second, inputs, file in (
            ("sub/b.cpp", ["unity_groups.txt"], "unity_exclude.txt"),
            ("sub/b.cpp", ["other.txt", "../demo/unity_exclude.txt", "unity_groups.txt"], "../demo/unity_exclude.txt"),
            ("c.cpp", ["unity_groups.txt"], "unity_exclude.txt"),
            ("c.cpp", ["other.txt"], None),
        ):
            with self.subTest(second, inputs=inputs):
                sources = [package / "source" / name for name in ("a.cpp", second)]
                unit.write_text("// CMake's\n\n" + "".join(f'#include "{source}"\n' for source in sources))
                text = json.dumps({"inputs": [f"{lists}/{name}" for name in inputs]})
                (package / "package.json").write_text(text)
                result = self.run_phase(self.ninja(rule))
                if file:
                    path = re.escape(second)
                    self.assertRegex(result.stdout, said % (path, path, re.escape(f"{lists}/{file}")))
                    self.assertIn("the group first_01 of sources that share a compile does not compile", result.stdout)
                else:
                    self.assertNotIn("remedy", result.stdout)

    def test_what_is_no_error_of_a_source_in_a_unit(self):
        """Memory and disk, after a mere warning; a unit that is gone, or has no such line."""
        package = self.folder / "packages/demo"
        self.log, unit = package / "log/build.log", package / "build/Unity/unity_a_cxx.cxx"
        for file, text in (
            (unit, f'#include "{package}/source/a.cpp"\n'),
            (package / "package.json", '{"inputs": ["/9.9.0/unity_groups.txt"]}'),
        ):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        short = unit.with_name("unity_short_cxx.cxx")
        short.write_text("// CMake's\n")
        gone = unit.with_name("unity_gone_cxx.cxx")
        rule = "rule cxx\n command = printf '%s'; exit 1\nbuild x.o: cxx\n"
        for place, error, remedy in (
            (unit, CC1PLUS, "use fewer jobs"),
            (unit, "/s/a.cpp:5:1: fatal error: error writing to /tmp/x.s: No space left on device", None),
            (unit, "x.o: file not recognized: error: file truncated", None),
            (short, "a.h:1:2: error: no", None),
            (gone, "a.h:1:2: error: no", None),
        ):
            with self.subTest(error, place=place.name):
                said = f"In file included from {place}:1:\\na.h:3:1: warning: it\\n{error}\\n"
                result = self.run_phase(self.ninja(rule % said))
                self.assertIn("demo build failed (exit 1)\n", result.stdout)
                self.assertIn(error, result.stdout)
                self.assertNotIn("unity_exclude", result.stdout)
                self.assertEqual(remedy or "", (re.findall("remedy: ([^,]*)", result.stdout) or [""])[0])
