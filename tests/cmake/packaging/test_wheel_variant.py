# SPDX-License-Identifier: BSD-3-Clause
"""A slice's wheel is a variant for variantlib, the reader of PEP 825's authors, if TSB_WHEEL_VARIANT asks for it."""

import contextlib
import io
import json
import os
import sys
import unittest

from box import ROOT

from tools_fixture import TOOLS, ToolsTest

sys.path.insert(0, str(ROOT / "cmake/model"))
import metadata  # noqa: E402 isort: skip
import plan  # noqa: E402

sys.path.append(os.environ["TSB_TEST_TOOLS"] + "/variantlib")
try:
    from variantlib.commands.analyze_wheel import analyze_wheel
except ImportError:
    print("SKIP: variantlib could not be fetched", flush=True)
    raise unittest.SkipTest("no variantlib") from None

VERSION = "2.15.0+cu132.sm86.sm90ptx"
INFO = f"torch-{VERSION}.dist-info"
WHEEL = f"torch-{VERSION}-cp312-cp312-any"
# What configure knows of the artifacts, and what it would have read of the backend.
PLAN = f"""
cmake_minimum_required(VERSION 3.25)
include("{ROOT}/cmake/model/tsb_plan_artifacts.cmake")
include("{ROOT}/cmake/model/tsb_read_record.cmake")
tsb_read_record(model/backend.json backend)
tsb_read_record(slices.json slices)
set(TSB_ARTIFACTS ${{ROW}})
set(TSB_PRESET mine)
set(TSB_SOURCE_VERSION 2.15.0)
tsb_plan_artifacts(${{ROW}})
get_property(artifacts GLOBAL PROPERTY TSB_PLANNED_ARTIFACTS)
file(WRITE planned.json "${{artifacts}}")
"""
FINISH = f"""
cmake_minimum_required(VERSION 3.25)
include("{ROOT}/cmake/model/tsb_read_record.cmake")
include("{ROOT}/packaging/wheel/stage.cmake")
tsb_read_record("${{FILE}}" artifact)
z_tsb_finish_wheel("${{CMAKE_BINARY_DIR}}")
"""
SLICE = {"name": "sm86.sm90ptx", "archs": ["8.6", "9.0+PTX"]}


class Variant(ToolsTest):
    def planned(self, switch, folder, row, slices):
        """The artifact as it is planned."""
        styles = {"name": "cu132", "wheel_styles": ["small"], "configured": {"archs": ["8.0", "9.0"]}}
        backend = {"folder": folder, "kind": "cuda", "prebuilt": True, **styles}
        self.write("model/backend.json", backend)
        self.write("model/target.json", {"wheel_machine": "x86_64"})
        self.write("model/release.json", {"pythons": ["3.12"]})
        self.write("slices.json", {"slices": slices})
        words = f"-DTSB_WHEEL_VARIANT={switch}", f"-DROW={row}"
        self.run_program(0, "cmake", *words, "-P", self.write("plan.cmake", PLAN), cwd=self.box)
        artifacts = json.loads((self.box / "planned.json").read_text())
        empty = {
            "packages": {},
            "configured": None,
            "debug_info": "none",
            "pins": str(self.write("pins", '{"sources": {}}')),
        }
        self.write("plan/declared.json", {"artifacts": artifacts, **empty})
        (artifact,) = plan.Plan(str(self.box)).artifacts()
        return artifact

    def finished(self, switch="ON", folder="cuda", slices=(SLICE,)):
        """The name of the wheel that a staged artifact becomes."""
        self.write(f"site-packages/{INFO}/METADATA", f"Metadata-Version: 2.1\nName: torch\nVersion: {VERSION}\n")
        artifact = self.planned(switch, folder, "wheel-py312", slices)
        file = self.write(f"artifacts/{artifact['name']}.json", artifact)
        self.write("fetch/request.json", {"python": sys.executable})
        if not (self.box / "python-tools").exists():
            (self.box / "python-tools").symlink_to(TOOLS)
        if "variant" in artifact:
            metadata.write_variant(artifact, self.box / "site-packages" / INFO)
        self.run_program(0, "cmake", f"-DFILE={file}", "-P", self.write("finish.cmake", FINISH), cwd=self.box)
        return json.loads((self.box / "wheel.json").read_text())["file"]

    def test_of_a_slice(self):
        for folder in ("cuda", "official-cuda"):
            file = self.box / self.finished(folder=folder)
            self.assertEqual(file.name, WHEEL + "-sm86.sm90ptx.whl")
            self.assertIn(f"{INFO}/variant.json,sha256=", (self.box / "site-packages" / INFO / "RECORD").read_text())
            self.run_program(
                0, os.environ["TORCHPKG"], "pack", "--flat", "--root", self.box / "site-packages", "--output", file
            )
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                analyze_wheel(["--input_file", str(file)])
            properties = [line for line in said.getvalue().splitlines() if "::" in line]
            expected = [
                "nvidia :: sm_arch :: 86_real",
                "nvidia :: sm_arch :: 90_real",
                "nvidia :: sm_arch :: 90_virtual",
            ]
            self.assertEqual(sorted(properties), expected)
            file.unlink()

    def test_of_others(self):
        for switch, slices in (("OFF", [SLICE]), ("ON", [])):
            self.assertEqual(self.finished(switch, slices=slices), WHEEL + ".whl")
        self.assertNotIn("variant", self.planned("ON", "cuda", "conda-py312", [SLICE]))
