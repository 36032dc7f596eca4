# SPDX-License-Identifier: BSD-3-Clause
"""The workflows are well in the eyes of public checkers: actionlint, which also has shellcheck look at their scripts, zizmor,
and the services' schemas. Each finds a fault as well."""

import os
import shutil

from box import ROOT, BoxTest, need

TOOLS = ROOT / "build/test-tools"
COMPILE, PUBLISH = ".github/workflows/compile.yml", ".github/workflows/publish.yml"


class Checkers(BoxTest):
    def setUp(self):
        super().setUp()
        self.environment(PATH=f"{TOOLS / 'bin'}:{os.environ['PATH']}", PYTHONPATH=str(TOOLS))
        shutil.copytree(ROOT / ".github", self.box / ".github")
        shutil.copy(ROOT / ".gitlab-ci.yml", self.box)

    def check(self, *command, faults):
        """It is well as it is, and not with any of these faults: (file, text, another)."""
        need(command[0])
        self.run_program(0, *command, cwd=self.box)
        for file, good, bad in faults:
            text = (self.box / file).read_text()
            self.assertIn(good, text)
            self.write(file, text.replace(good, bad))
            with self.subTest(bad), self.assertRaises(AssertionError):
                self.run_program(0, *command, cwd=self.box)
            self.write(file, text)

    def test_actionlint(self):
        need("shellcheck")
        files = [f".github/workflows/{file.name}" for file in (self.box / ".github/workflows").glob("*.yml")]
        faults = [(COMPILE, "inputs.presets", "inputs.preset"), (PUBLISH, '"$TARGET"', "$TARGET")]
        self.check("actionlint", "-no-color", *files, faults=faults)

    def test_zizmor(self):
        command = "zizmor", "--offline", "--no-progress", "--quiet", "--color=never", ".github"
        unpinned = COMPILE, "checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd", "checkout@v6"
        self.check(*command, faults=[unpinned, (COMPILE, '"$ARTIFACT"', "${{ matrix.artifact }}")])

    def test_schema_of_github(self):
        files = sorted(map(str, (self.box / ".github/workflows").glob("*.yml")))
        command = "check-jsonschema", "--builtin-schema", "vendor.github-workflows", *files
        self.check(*command, faults=[(COMPILE, "runs-on:", "run-on:")])

    def test_issue_forms(self):
        files = sorted(map(str, (self.box / ".github/ISSUE_TEMPLATE").glob("*.yml")))
        command = "check-jsonschema", "--builtin-schema", "vendor.github-issue-forms", *files
        self.check(*command, faults=[(".github/ISSUE_TEMPLATE/wish.yml", "type: textarea", "type: text")])

    def test_schema_of_gitlab(self):
        command = "check-jsonschema", "--builtin-schema", "vendor.gitlab-ci", ".gitlab-ci.yml"
        self.check(*command, faults=[(".gitlab-ci.yml", "when: always", "when: sometimes")])
