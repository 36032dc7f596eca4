# SPDX-License-Identifier: BSD-3-Clause
"""tested_machines.py: from what a run leaves to a row of the table; and the project's own table is what its results say."""

import json
import shutil
import subprocess
import time

from box import ROOT, BoxTest

SCRIPT = "tools/machines/tested_machines.py"
FACTS = """\
machine=Debian GNU/Linux 13 (trixie)
libc=glibc 2.41
compiler=g++-14 (Debian 14.2.0-19) 14.2.0
cmake=3.31.6
ninja=1.12.1
python=3.13.5
cores=2
"""
ROW = "| Debian 13 (trixie), glibc 2.41 | gcc 14.2.0 | 3.31.6 | 3.13.5 | tests | 295 tests, 0 failed | 16 min | 1,500 s | 012345678"


class Table(BoxTest):
    def make_result(self, status, says):
        options = ["--outcome", self.box / "outcome", "--status", str(status), "--commit", "0123456789abcdef"]
        options += ["--job", "tests", "--flags", "", "--results", self.box / "results"]
        self.run_python(0, SCRIPT, "result", *options, says=[says])

    def table(self, ends, *options, says=()):
        """What the page is then."""
        words = ["--page", self.box / "page.md", "--results", self.box / "results", *options]
        self.run_python(ends, SCRIPT, "table", *words, says=says)
        return (self.box / "page.md").read_text()

    def test_rows(self):
        self.write("outcome/facts", FACTS)
        self.write("outcome/steps", "--test\t0\t930\t1500\nno-cmake-warnings\t0\t0\t0\n")
        self.write("outcome/words", "295 tests, 0 failed\n")
        begin, end = "<!-- made by tools/machines/tested_machines.py table -->", "<!-- end of the table -->"
        self.write("page.md", f"before\n{begin}\nold\n{end}\nafter\n")
        self.make_result(0, "passed: Debian-13-trixie_gcc-14.2.0_3.31.6_3.13.5_tests: 295 tests, 0 failed")
        self.table(1, "--check", says=["is not what"])
        text = self.table(0)
        self.assertIn(f"{ROW} | {time.strftime('%Y-%m-%d', time.gmtime())} |", text)
        self.assertTrue(text.endswith(f"{end}\nafter\n"))
        self.assertNotIn("old", text)
        self.table(0, "--check")

        # A later run on the same machine replaces the row; one that ended before it had said anything is not a success.
        self.write("outcome/steps", "--test\t8\t930\t1500\nno-cmake-warnings\t1\t0\t0\n")
        self.make_result(1, "FAILED")
        text = self.table(0)
        self.assertIn("| **failed** (--test, no-cmake-warnings): 295 tests, 0 failed |", text)
        self.assertNotIn("| tests | 295", text)
        shutil.rmtree(self.box / "outcome")
        self.make_result(0, "FAILED: unknown-machine")

    def test_own_table(self):
        self.run_python(0, SCRIPT, "table", "--check")

    def test_commits(self):
        """What ran at a commit that was rewritten since cannot be run again: such a row has to go. Without the whole history
        nobody can say so."""
        git = ["git", "-C", ROOT]
        shallow = subprocess.run([*git, "rev-parse", "--is-shallow-repository"], capture_output=True, text=True)
        if shallow.stdout != "false\n" or not (ROOT / ".git").exists():
            self.skipTest("the history is not here")
        for result in ROOT.glob("tools/bench/results/machines/*.json"):
            with self.subTest(result.name):
                commit = json.loads(result.read_text())["commit"]
                self.run_program(0, *git, "merge-base", "--is-ancestor", commit, "HEAD")
