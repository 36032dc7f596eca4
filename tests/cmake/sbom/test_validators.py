# SPDX-License-Identifier: BSD-3-Clause
"""The public validators accept both documents: spdx-tools, cyclonedx-python-lib[json-validation] and ntia-conformance-checker. TSB_VALIDATOR_PYTHON names
an interpreter that has them, such as a virtual environment's; TSB_VALIDATE a staged tree to look at instead of the fixture."""

import os
import pathlib
import subprocess
import sys
import unittest

from fixture import SbomTest

PYTHON = os.environ.get("TSB_VALIDATOR_PYTHON") or sys.executable
MODULES = "import spdx_tools.spdx, cyclonedx.validation.json, jsonschema, ntia_conformance_checker"
VALIDATE = pathlib.Path(__file__).with_name("validate.py")
if subprocess.run([PYTHON, "-c", MODULES], capture_output=True).returncode:
    lacks = f"{PYTHON} lacks spdx-tools, cyclonedx-python-lib[json-validation] or ntia-conformance-checker; see docs/licences.md"
    print(f"SKIP: {lacks}", flush=True)
    raise unittest.SkipTest(lacks)


class Validators(SbomTest):
    def test_both(self):
        self.tree = pathlib.Path(os.environ.get("TSB_VALIDATE", ""))
        if not os.environ.get("TSB_VALIDATE"):
            self.make_build()
            self.declare()
            self.make_bill(0)
            self.add_files()
        self.run_program(0, PYTHON, VALIDATE, self.tree)
        # And they look: a document without its namespace is none.
        for kind, member in (("spdx", "documentNamespace"), ("cdx", "bomFormat")):
            self.write(f"spoilt/sbom.{kind}.json", self.bill(kind).replace(f'"{member}"', f'"x{member}"'))
        self.run_program(2, PYTHON, VALIDATE, self.box / "spoilt")
