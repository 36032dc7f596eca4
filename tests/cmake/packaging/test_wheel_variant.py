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

import metadata  # isort: skip

sys.path.append(os.environ["TSB_TEST_TOOLS"] + "/variantlib")
try:
    from variantlib.commands.analyze_wheel import analyze_wheel
except ImportError:
    print("SKIP: variantlib could not be fetched", flush=True)
    raise unittest.SkipTest("no variantlib") from None

VERSION = "2.15.0+cu132.sm86.sm90ptx"
INFO = f"torch-{VERSION}.dist-info"
WHEEL = f"torch-{VERSION}-cp312-cp312-any"
DESCRIBE = f"""
cmake_minimum_required(VERSION 3.25)
include("{ROOT}/packaging/cmake/z_tsb_describe_artifact.cmake")
set(TSB_TARGET [[{{"wheel_machine": "x86_64"}}]])
file(READ backend.json TSB_BACKEND_FACTS)
file(READ artifact.json artifact)
z_tsb_describe_artifact("${{artifact}}")
"""
FINISH = f"""
cmake_minimum_required(VERSION 3.25)
include("{ROOT}/packaging/wheel/stage.cmake")
include("{ROOT}/cmake/model/tsb_read_record.cmake")
tsb_read_record("${{CMAKE_BINARY_DIR}}/artifacts/demo.json" artifact)
z_tsb_finish_wheel("${{CMAKE_BINARY_DIR}}")
"""
SLICE = {"name": "sm86.sm90ptx", "archs": ["8.6", "9.0+PTX"]}


class Variant(ToolsTest):
    def finished(self, switch="ON", folder="cuda", **members):
        """The name of the wheel that a staged artifact becomes."""
        self.write(f"site-packages/{INFO}/METADATA", f"Metadata-Version: 2.1\nName: torch\nVersion: {VERSION}\n")
        backend = {"folder": folder, "kind": "cuda", "prebuilt": True, "configured": {"archs": ["8.0", "9.0"]}}
        self.write("backend.json", backend)
        self.write("artifact.json", {"name": "demo", "product": "wheel", "python_tag": "cp312", **members})
        self.write("fetch/request.json", {"python": sys.executable})
        if not (self.box / "python-tools").exists():
            (self.box / "python-tools").symlink_to(TOOLS)
        describe, finish = self.write("describe.cmake", DESCRIBE), self.write("finish.cmake", FINISH)
        self.run_program(0, "cmake", f"-DTSB_WHEEL_VARIANT={switch}", "-P", describe, cwd=self.box)
        record = json.loads((self.box / "artifacts/demo.json").read_text())
        if "variant" in record:
            metadata.write_variant(record, self.box / "site-packages" / INFO)
        self.run_program(0, "cmake", "-P", finish, cwd=self.box)
        return json.loads((self.box / "wheel.json").read_text())["file"]

    def test_of_a_slice(self):
        for folder in ("cuda", "official-cuda"):
            file = self.box / self.finished(folder=folder, slice=SLICE)
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
        for switch, members in (("OFF", {"slice": SLICE}), ("ON", {}), ("ON", {"slice": SLICE, "product": "conda"})):
            self.assertEqual(self.finished(switch, **members), WHEEL + ".whl")
