# SPDX-License-Identifier: BSD-3-Clause
"""Which presets a fleet has, in which order, and its first lines."""

import unittest
from unittest import mock

from box import ROOT

from engine import selection
from engine.failure import Failure


class Selection(unittest.TestCase):
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

    def test_not_the_tests(self):
        """Nor a checkout to develop in, of which nothing is packed."""
        names = [preset.name for preset in selection.all_presets()]
        self.assertFalse([name for name in names if name.startswith("tests") or name == "cpu-develop"])

    def test_a_misspelt_name(self):
        with self.assertRaisesRegex(Failure, "is called cpu-libtorch-sharred\n.*cpu-libtorch-shared"):
            selection.select(["cpu-all", "cpu-libtorch-sharred"])
