# SPDX-License-Identifier: BSD-3-Clause
"""The public validators accept both documents: spdx-tools, cyclonedx-python-lib and ntia-conformance-checker, which
bootstrap.sh --test puts into build/validator-tools. TSB_VALIDATE names a staged tree to look at instead of the fixture."""

import os
import pathlib
import subprocess
import sys
import unittest

from box import ROOT
from fixture import SbomTest

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "build/validator-tools")}
MODULES = "import spdx_tools.spdx, cyclonedx.validation.json, jsonschema, ntia_conformance_checker"
VALIDATE = pathlib.Path(__file__).with_name("validate.py")
if subprocess.run([sys.executable, "-c", MODULES], env=ENVIRONMENT, capture_output=True).returncode:
    lacks = "the validators of bills of materials are not installed; ./bootstrap.sh --test installs them"
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
        self.run_program(0, sys.executable, VALIDATE, self.tree, env=ENVIRONMENT)
        # And they look: a document without its namespace is none.
        for kind, member in (("spdx", "documentNamespace"), ("cdx", "bomFormat")):
            self.write(f"spoilt/sbom.{kind}.json", self.bill(kind).replace(f'"{member}"', f'"x{member}"'))
        self.run_program(2, sys.executable, VALIDATE, self.box / "spoilt", env=ENVIRONMENT)
