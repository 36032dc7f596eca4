# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of packaging/consumer_check share."""

import pathlib
import shutil
import sys

from box import ROOT, BoxTest, flat

from consumer_results import rows

PYTHON = [sys.executable, ROOT / "engine"]


class CheckTest(BoxTest):
    def run_check(self, ends, says, quiet=False, **options):
        """Runs the tests of a packed file; the options are those of their project. `rows` becomes what their report has."""
        self.work = pathlib.Path(options.pop("work", self.box / "a work folder"))
        words = [f"-DTSB_{name.upper()}={value}" for name, value in options.items() if value != ""]
        command = [
            *PYTHON,
            ROOT / "packaging/run_consumer.py",
            *["--quiet"] * quiet,
            self.work,
            shutil.which("cmake"),
            *words,
        ]
        self.run_program(ends, *PYTHON, "one_run.run", *command, says=says)
        self.assertNotRegex(self.text, r"(?m)^(Call Stack|CMake Error)")
        report = self.work / "results.xml"
        self.rows = list(rows(report)) if report.exists() else []

    def log(self, name):
        """What a test has said, each blank one space; None if it did not run."""
        file = self.work / f"log/{name}.log"
        return flat(file.read_text()) if file.exists() else None
