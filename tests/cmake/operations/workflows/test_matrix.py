# SPDX-License-Identifier: BSD-3-Clause
"""What the model decides of the jobs is in their files; what pull requests make has something of everything."""

import itertools
import json
import shutil

from box import ROOT, BoxTest

import generate_workflows
import matrix

from engine.model.cells import cell_of
from engine.selection import all_presets, select


class Matrix(BoxTest):
    @classmethod
    def setUpClass(cls):
        cls.compiles = list(matrix.compiles())

    def generate(self, ends, *words, says=()):
        self.run_main(ends, generate_workflows.main, "generate", *words, says=says)

    def test_the_files_are_those_of_the_model(self):
        self.generate(0, "--check")

    def test_a_file_that_differs(self):
        for name in generate_workflows.FILES:
            (self.box / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.box / name)
        for name in generate_workflows.FILES:
            with self.subTest(name):
                text = (ROOT / name).read_text()
                self.write(name, text.replace("cpu-openblas", "cpu-mkl").replace("libtorch-shared-with-deps", "zip"))
                says = [f"these files do not match the presets: {name}", "operations/workflows/generate_workflows.py"]
                self.generate(1, "--check", "--root", self.box, says=says)
                self.generate(0, "--root", self.box)
                self.assertEqual((self.box / name).read_text(), text)

    def test_the_plan(self):
        """What the jobs of GitHub get: everything, what a pull request builds, or the presets that somebody named."""

        def plan(*words):
            self.generate(0, "--plan", *words)
            lines = dict(line.split("=", 1) for line in self.text.splitlines())
            entries = json.loads(lines["matrix"])["include"]
            self.assertEqual(lines["releases"].split(), sorted({entry["release"] for entry in entries}))
            return {entry["compile"]: entry for entry in entries}

        for which in "whole", "sparse":
            self.assertEqual(
                {name: entry["presets"].split() for name, entry in plan(which).items()},
                {one.name: getattr(one, which) for one in self.compiles if getattr(one, which)},
            )
        entry = plan("whole")["rocm6.2"]
        self.assertEqual(
            (entry["gpu"], entry["machine"], entry["image"]), ("rocm", "ubuntu-24.04", "TSB_IMAGE_ROCM6_2")
        )
        some = plan("whole", "cpu-wheel-py31[12]", "cu124-all", "cu124-wheel-py39")
        names = {name: entry["presets"] for name, entry in some.items()}
        self.assertEqual(names, {"cpu": "cpu-wheel-py311 cpu-wheel-py312", "cu124": "cu124-all"})
        self.generate(2, "cpu-all", says=["presets are for --plan"])
        self.generate(2, "--plan", "whole", "cpu-al", says=["is called cpu-al", "did you mean cpu-all"])

    def test_a_place_that_is_lost(self):
        for name in generate_workflows.FILES:
            self.write(name, (ROOT / name).read_text())
        self.write("docs/jobs.md", (ROOT / "docs/jobs.md").read_text().replace("generated: table", ""))
        for words in (), ("--check",):
            self.generate(1, *words, "--root", self.box, says=["no place for: table: restore its lines"])

    def test_each_compile_has_its_presets(self):
        for one in self.compiles:
            builds = {str(sorted(preset.build.items())) for preset in select(one.whole + one.sparse)}
            self.assertEqual(len(builds), 1, one.name)
        self.assertEqual(len({one.name for one in self.compiles}), len(self.compiles))

    def test_a_pull_request_has_something_of_everything(self):
        sparse = [preset for one in self.compiles for preset in one.sparse]
        self.assertLess(len(sparse), 20)
        for word in "libtorch-static", "libtorch-shared", "-without-deps", "-wheel-", "-large", "-conda-", "-openblas":
            self.assertTrue([name for name in sparse if word in name], word)

    def test_a_pull_request_builds_what_was_built_before(self):
        """Something of each backend of which anything was."""
        facts = {preset.name: preset.variables for preset in all_presets(user=False)}
        cells = {
            name: (of["TSB_DEFAULT_PYTORCH_VERSION"], of["TSB_BACKEND"], of["TSB_ARTIFACTS"])
            for name, of in facts.items()
        }
        tried = {name for name, cell in cells.items() if cell[2] != "all" and cell_of(*cell)["word"] != "pinned"}
        sparse = {preset for one in self.compiles for preset in one.sparse}
        self.assertEqual(sparse - tried, set())
        self.assertEqual({cells[name][1] for name in sparse}, {cells[name][1] for name in tried})

    def test_pairs_are_covered(self):
        """Whatever two facts are together in a candidate are together in one that is chosen, and none is chosen for nothing."""
        names = (*matrix.PAIRS, *matrix.EACH)
        rows = itertools.product("ab", "cd", "ef", "gh", ["x"], ["y"], ["z"])
        candidates = {"".join(row): dict(zip(names, row)) for row in rows if row[:2] != ("a", "d")}
        chosen = matrix.cover(candidates)
        wanted = set().union(*map(matrix.wants, candidates.values()))
        self.assertEqual(set().union(*(matrix.wants(candidates[name]) for name in chosen)), wanted)
        self.assertLess(len(chosen), len(candidates))
        for left_out in chosen:
            rest = (matrix.wants(candidates[name]) for name in chosen if name != left_out)
            self.assertNotEqual(set().union(*rest), wanted)
