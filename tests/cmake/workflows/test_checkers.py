# SPDX-License-Identifier: BSD-3-Clause
"""The workflows are well in the eyes of public checkers: actionlint, which also has shellcheck look at their scripts, zizmor,
and the services' schemas. Each finds a fault as well."""

import os
import shutil

from box import ROOT, BoxTest, need

TOOLS = ROOT / "build/test-tools"


class Checkers(BoxTest):
    def setUp(self):
        super().setUp()
        self.environment(PATH=f"{TOOLS / 'bin'}:{os.environ['PATH']}", PYTHONPATH=str(TOOLS))
        shutil.copytree(ROOT / ".github", self.box / ".github")
        shutil.copy(ROOT / ".gitlab-ci.yml", self.box)

    def check(self, file, good, bad, *command):
        """It is well as it is, and not with `bad` in place of `good`; says why."""
        need(command[0])
        self.run_program(0, *command, cwd=self.box)
        text = (self.box / file).read_text()
        self.assertIn(good, text)
        self.write(file, text.replace(good, bad))
        with self.assertRaises(AssertionError):
            self.run_program(0, *command, cwd=self.box)
        self.write(file, text)

    def test_actionlint(self):
        need("shellcheck")
        files = [f".github/workflows/{file.name}" for file in (self.box / ".github/workflows").glob("*.yml")]
        check = "actionlint", "-no-color", *files
        self.check(files[0], "runs-on: ubuntu-24.04", "runs-on: ubuntu-4", *check)
        self.check(".github/workflows/compile.yml", "inputs.presets", "inputs.preset", *check)
        self.check(".github/workflows/publish.yml", '"$TARGET"', "$TARGET", *check)

    def test_zizmor(self):
        check = "zizmor", "--offline", "--no-progress", "--quiet", "--color=never", ".github"
        self.check(
            ".github/workflows/compile.yml", "checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd", "checkout@v6", *check
        )
        self.check(".github/workflows/compile.yml", '"$ARTIFACT"', "${{ matrix.artifact }}", *check)

    def test_schema_of_github(self):
        check = "check-jsonschema", "--builtin-schema", "vendor.github-workflows", ".github/workflows/compile.yml"
        self.check(".github/workflows/compile.yml", "runs-on:", "run-on:", *check)

    def test_schema_of_gitlab(self):
        check = "check-jsonschema", "--builtin-schema", "vendor.gitlab-ci", ".gitlab-ci.yml"
        self.check(".gitlab-ci.yml", "when: always", "when: sometimes", *check)
