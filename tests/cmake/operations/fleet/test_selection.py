# SPDX-License-Identifier: BSD-3-Clause
"""Which presets a fleet has, in which order, and its first lines."""

import pathlib
from unittest import mock

from box import ROOT, BoxTest

from engine import selection
from engine.failure import Failure


class Selection(BoxTest):
    def test_order(self):
        """Those of one compile behind each other, and the one that makes all of it first; each once."""
        patterns = "cu118-libtorch-*", "*-libtorch-shared-openblas", "official-cpu-libtorch-shared", "cu118-all"
        presets = selection.select([*patterns, "cu118-libtorch-static"])
        self.assertEqual(
            [preset.name for preset in presets],
            [
                "cu118-all",
                "cu118-libtorch-shared",
                "cu118-libtorch-shared-without-deps",
                "cu118-libtorch-static",
                "cu118-libtorch-static-without-deps",
                "cpu-libtorch-shared-openblas",
                "official-cpu-libtorch-shared",
            ],
        )
        self.assertEqual(
            selection.outlook(presets),
            [
                "compiled once: cu118 (by cu118-all)",
                "compiled once: cpu, openblas (by cpu-libtorch-shared-openblas)",
                "packed from these compiles: " + ", ".join(preset.name for preset in presets[1:5]),
                "packed from official wheels: official-cpu-libtorch-shared",
            ],
        )

    def test_two_releases_are_two_compiles(self):
        presets = selection.select(["cu118-libtorch-shared", "cu118-libtorch-static"])
        presets[1].build["TSB_DEFAULT_PYTORCH_VERSION"] = "9.9.0"
        said = [f"compiled once: cu118 (by {preset.name})" for preset in presets]
        self.assertEqual(selection.outlook(presets), said)

    def test_one_compile_makes_both_linkages(self):
        presets = selection.select(["cu124-wheel-py311", "cu124-libtorch-static"])
        said = ["compiled once: cu124 (by cu124-wheel-py311)", "packed from these compiles: cu124-libtorch-static"]
        self.assertEqual(selection.outlook(presets), said)
        self.assertTrue(presets[0].makes & presets[1].makes)

    def test_where_a_preset_builds(self):
        """In what it says, or the nearest that it inherits, as CMake reads it."""
        root = str(ROOT)
        presets = {"base": {"binaryDir": "${sourceDir}/build/${presetName}"}}
        for text, folder in (
            ("${sourceParentDir}/${sourceDirName} b/${presetName}", f"{root} b/x"),
            ("$env{SCRATCH}/$penv{SCRATCH}/x", "/a disk//a disk/x"),
            ("other/x", f"{root}/other/x"),
        ):
            presets["x"] = {"inherits": ["none", "base"], "binaryDir": text}
            with mock.patch.dict("os.environ", SCRATCH="/a disk"):
                self.assertEqual(selection.preset_files.build_folder("x", presets), folder)
        self.assertEqual(
            selection.preset_files.build_folder("y", presets | {"y": {"inherits": "x"}}), f"{root}/other/x"
        )
        self.assertEqual(selection.select(["cpu-all"])[0].folder, f"{root}/build/cpu-all")

    def test_all_that_cmake_knows_in_a_preset(self):
        """The same folder as CMake's own, whatever names it: the environment of the preset, the file that it is in, ..."""
        base = {"name": "base", "hidden": True, "generator": "Ninja", "environment": {"A": "$env{B}/a", "B": "/none"}}
        macros = "$env{A}/$penv{B}/$env{C}/${hostSystemName} ${generator}${dollar}${pathListSep}${presetName}"
        own = [
            {"name": "x", "inherits": "base", "binaryDir": f"${{fileDir}}/x{macros}", "environment": {"B": "/b"}},
            {"name": "y", "inherits": "base", "binaryDir": "${fileDir}/y$env{B}", "environment": {"B": None}},
        ]
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.25)\nproject(x NONE)\n")
        self.write("own/more.json", {"version": 5, "configurePresets": [base, *own]})
        self.write("CMakePresets.json", {"version": 5, "include": ["own/more.json"]})
        self.environment(B="/outer", C="/c")
        presets = {"configurePresets": {}}
        selection.preset_files.read(str(self.box / "CMakePresets.json"), presets, set())
        for name, end in ("x", "/own/x/b/a//outer//c/Linux Ninja$:x"), ("y", "/own/y/outer"):
            folder = selection.preset_files.build_folder(name, presets["configurePresets"])
            self.assertEqual(pathlib.Path(folder), pathlib.Path(f"{self.box}{end}"))
            self.run_program(0, "cmake", "--preset", name, cwd=self.box)
            self.assertTrue((pathlib.Path(folder) / "CMakeCache.txt").exists(), self.text)

    def test_not_the_tests(self):
        """Nor a checkout to develop in, of which nothing is packed."""
        names = [preset.name for preset in selection.all_presets()]
        self.assertFalse([name for name in names if name.startswith("tests") or name == "cpu-develop"])

    def test_an_own_preset_without_a_backend(self):
        """It fails when it is run, and keeps no other one from running."""
        preset = {"name": "own", "inherits": ["pytorch-2.6.0", "libtorch-shared"]}
        workflow = {"name": "own", "steps": [{"type": "configure", "name": "own"}]}
        content = {"version": 6, "configurePresets": [preset], "workflowPresets": [workflow]}
        content["include"] = [str(ROOT / "CMakePresets.json")]
        self.write("CMakeUserPresets.json", content)
        with mock.patch.object(selection, "ROOT", self.box):
            self.assertEqual([preset.name for preset in selection.select(["own", "cpu-all"])], ["own", "cpu-all"])

    def test_a_misspelt_name(self):
        with self.assertRaisesRegex(Failure, "is called cpu-libtorch-sharred\n.*cpu-libtorch-shared"):
            selection.select(["cpu-all", "cpu-libtorch-sharred"])
