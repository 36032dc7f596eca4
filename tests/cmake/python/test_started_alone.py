# SPDX-License-Identifier: BSD-3-Clause
"""Scripts that people start by their names, in any folder and with a Python that has no other packages."""

import os
import sys

from box import ROOT, BoxTest

SCRIPTS = [
    path
    for folder in ("operations", "packaging", "presets", "tools")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if os.access(path, os.X_OK)
]


class StartedAlone(BoxTest):
    def setUp(self):
        super().setUp()
        self.python = self.write("venv/bin/python3", mode=0o755)
        self.python.unlink()
        self.python.symlink_to(os.path.realpath(sys.executable))
        self.write("venv/pyvenv.cfg", f"home = {os.path.dirname(os.path.realpath(sys.executable))}\n")

    def test_help(self):
        self.assertGreater(len(SCRIPTS), 10)
        for script in SCRIPTS:
            ends, says = 0, ["usage"]
            if script.name == "step_costs.py":
                says = ["step_costs.py build/"]
            elif script.name == "cells.py":  # which has no options
                ends, says = 2, ["wrong use; there are"]
            elif script.name == "compare_wheel.py":
                ends, says = 3, ["No module named 'packaging", "python3 engine --modules build/<preset>/python-tools"]
            with self.subTest(script.name):
                self.run_program(ends, self.python, "-B", script, "--help", says=says, cwd=self.box)
