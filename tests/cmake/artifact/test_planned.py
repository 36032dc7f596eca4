# SPDX-License-Identifier: BSD-3-Clause
"""What an artifact is: its row, its release and backend, its preset, the names of its files."""

import argparse
import json

from box import ROOT, BoxTest

from engine.model import data, model, plan
from engine.model.artifacts import artifacts_of

PYTORCH = json.loads((ROOT / "tests/fixtures/sources.json").read_text())["release"]


class Planned(BoxTest):
    def planned(self, preset, backend, rows, asked="", release=PYTORCH, slices=(), local=(), options=(), **members):
        """The artifacts by their names."""
        wanted = {"backend": backend, "release": release, "processor": "x86_64", "machine": "x86_64", "pins": ""}
        for name, record in model.load(data.Data(), argparse.Namespace(**wanted)).items():
            self.write(f"model/{name}.json", record)
        artifacts = {"asked": asked or rows.replace(" ", ";"), "rows": rows.split(), "slices": list(slices)}
        artifacts.update(preset=preset, blas="mkl", soname_version=False, source_version=release)
        artifacts.update(dict.fromkeys(("nightly", "candidate", "suffix", "build_number"), ""))
        artifacts.update(compiler="c++", objcopy="objcopy", **members)
        pins = str(self.write("pins.json", '{"schema": 1, "sources": {}}'))
        declared = {"artifacts": artifacts, "debug_info": "lines", "packages": {}, "pins": pins}
        declared |= {"pytorch_options": list(options), "folders": {}}
        declared |= {"local": dict(local), "resolved": {"compression": []}, "configured": {"host_compiler": "c++"}}
        self.write("plan/declared.json", declared)
        return {artifact["name"]: artifact for artifact in artifacts_of(plan.Plan(str(self.box)))}

    def test_a_toolkit_that_compiles_nothing(self):
        """The prebuilt backend's: packages depend on it, and there is no hook for what it compiles with."""
        self.planned("official-cuda-conda-py312", "official-cuda", "conda-py312", release="2.15.0")
        declared = json.loads((self.box / "plan/declared.json").read_text())
        declared.update(toolchains={"machine": {"MACHINE": "x86_64"}, "toolkit": None}, toolkit_files=[])
        self.write("plan/declared.json", declared)
        package = {"name": "p", "depends": ["cuda-toolkit"], "options": [], "inputs": [], "build_only": "FALSE"}
        plan.Plan(str(self.box)).add_toolchain(package | {"build_system": "none"})

    def has(self, artifact, **members):
        self.assertEqual({name: artifact.get(name) for name in members}, members)

    def test_a_wheel(self):
        wheel = self.planned("cpu-wheel-py313", "cpu", "wheel-py313")["wheel-py313"]
        debug_file = f"debug-torch-{PYTORCH}+cpu-cp313-cp313.zip"
        self.has(wheel, python="3.13", python_tag="cp313", package="pytorch-py313", version=f"{PYTORCH}+cpu")
        self.has(wheel, debug_file=debug_file, preset="cpu-wheel-py313", file=None, linkage="shared", deps="with-deps")
        self.has(wheel["release"], version=PYTORCH, folder=PYTORCH)
        self.has(wheel["backend"], kind="cpu")
        self.has(wheel["cell"], word="built")
        self.has(wheel, variant=None)
        large = "wheel-py311-large"
        version = f"{PYTORCH}+cu124.openblas"
        wheel = self.planned("mine", "cu124", large, blas="openblas")[large]
        self.has(wheel, build="1large", style="large", version=version, blas="openblas", preset="mine")
        self.has(wheel, debug_file=f"debug-torch-{version}-1large-cp311-cp311.zip")
        self.has(wheel["backend"], version="12.4")

    def test_a_zip(self):
        static = "libtorch-static-with-deps"
        file = f"libtorch-cxx11-abi-static-with-deps-{PYTORCH}+cpu.zip"
        found = self.planned("cpu-libtorch-static", "cpu", static)[static]
        self.has(found, python=None, debug_file=None, linkage="static", product="libtorch", file=file)

    def test_the_tree_of_a_user(self):
        """It says another release than the folder whose data is used."""
        (wheel,) = self.planned(
            "cpu-wheel-py313", "cpu", "wheel-py313", source_version="2.7.0a0", local={"pytorch": "/x"}
        ).values()
        self.assertNotIn("cell", wheel)
        self.has(wheel, version="2.7.0a0+cpu", conda_version="2.7.0a0")
        self.has(wheel["release"], version="2.7.0", folder=PYTORCH)

    def test_a_variant(self):
        """Nothing is known of how that cell fares, and it says what makes it one. A build number alone makes no other one."""
        zip_name, options = "libtorch-shared-with-deps", ["USE_ITT=OFF"]
        found = self.planned("mine", "cpu", zip_name, options=options, suffix="own")[zip_name]
        self.has(found, cell=None, variant={"version_suffix": "own", "pytorch_options": options})
        self.has(found, file=f"libtorch-cxx11-abi-shared-with-deps-{PYTORCH}+cpu.own.zip")
        found = self.planned("mine", "cpu", zip_name, build_number="2")[zip_name]
        self.has(found["cell"], word="built")
        self.has(found, variant={"build_number": "2"})

    def test_what_is_for_nothing(self):
        """A folder or a patch of a source that no package has may stand for other presets, and is named."""
        self.planned("mine", "cpu", "libtorch-shared-with-deps")
        patch = {"file": "b-c/1.patch", "source": "TSB_PATCHES"}
        made = plan.Plan(str(self.box))
        made.pins["sources"] = {"a": {"patches": [patch | {"file": "a/1.patch"}]}, "b-c": {"patches": [patch]}}
        made.packages = {"p": {"all_sources": ["a"]}}
        found = made.unused({"a": "/x", "b-c": "/y"})
        self.assertEqual(found, [("TSB_LOCAL_b_c", "b-c"), ("TSB_PATCHES: b-c/1.patch", "b-c")])

    def test_a_build_number(self):
        rows = "wheel-py311 wheel-py311-large libtorch-shared-with-deps conda-libtorch"
        found = self.planned("mine", "cu124", rows, build_number="2")
        version = f"{PYTORCH}+cu124"
        self.has(found["wheel-py311"], build="2", debug_file=f"debug-torch-{version}-2-cp311-cp311.zip")
        self.has(found["wheel-py311-large"], build="2large", debug_file=f"debug-torch-{version}-2large-cp311-cp311.zip")
        file = f"libtorch-cxx11-abi-shared-with-deps-{version}-2.zip"
        self.has(found["libtorch-shared-with-deps"], file=file, debug_file=f"debug-{file}")
        self.has(found["conda-libtorch"], conda_build_number=202, debug_file=f"debug-libtorch-{version}-2-conda.zip")

    def test_conda_packages(self):
        found = self.planned("cpu-conda-py311", "cpu", "conda-libtorch conda-py311", asked="conda-py311")
        self.has(found["conda-libtorch"], preset="cpu-all", tree="libtorch", product="conda", deps="without-deps")
        self.has(found["conda-py311"], preset="cpu-conda-py311", tree="wheel", python_tag="cp311")

    def test_magma(self):
        """For CUDA alone."""
        magma = self.planned("cu124-conda-magma", "cu124", "conda-magma")["conda-magma"]
        self.has(magma, conda_package="magma-cuda124", product="conda", package="magma", debug_file=None)
        for backend in "cpu", "rocm6.2":
            with self.assertRaises(KeyError):
                self.planned("mine", backend, "conda-magma")

    def test_everything(self):
        rows = "libtorch-shared-with-deps wheel-py311 conda-libtorch"
        found = self.planned("cpu-all", "cpu", rows, asked="all")
        presets = {name: artifact["preset"] for name, artifact in found.items()}
        of_cpu = ("cpu-libtorch-shared", "cpu-wheel-py311", "cpu-all")
        self.assertEqual(presets, dict(zip(rows.split(), of_cpu, strict=True)))
        found = self.planned(f"cu124-all-{PYTORCH}", "cu124", "wheel-py311", asked="all")
        self.has(found["wheel-py311"], preset=f"cu124-wheel-py311-{PYTORCH}", style="small")

    def test_slices(self):
        """Each artifact is there once for each; the backend has what it is cut to."""
        slices = [
            {"name": "sm75", "archs": ["7.5"], "configured": {"archs": ["7.5"]}},
            {"name": "sm86.sm90ptx", "archs": ["8.6", "9.0+PTX"], "configured": {"archs": ["8.6"]}},
        ]
        found = self.planned("mine", "cu124", "wheel-py311 libtorch-shared-with-deps", slices=slices)
        version = f"{PYTORCH}+cu124.sm75"
        wheel = found["wheel-py311-sm75"]
        self.has(wheel, version=version, preset="mine", debug_file=f"debug-torch-{version}-cp311-cp311.zip")
        self.has(wheel, slice={"name": "sm75", "archs": ["7.5"]})
        self.has(wheel["backend"], configured={"archs": ["7.5"], "compression": [], "host_compiler": "c++"})
        version = f"{PYTORCH}+cu124.sm86.sm90ptx"
        libtorch = found["libtorch-shared-with-deps-sm86.sm90ptx"]
        self.has(libtorch, version=version, file=f"libtorch-cxx11-abi-shared-with-deps-{version}.zip")
        self.assertEqual(len(found), 4)
        preset = "official-cuda-conda-py312"
        words = {"release": "2.15.0", "slices": slices[:1]}
        found = self.planned(preset, "official-cuda", "conda-libtorch conda-py312", asked="conda-py312", **words)
        self.has(found["conda-libtorch-sm75"], version="2.15.0+official.cu132.sm75", preset=preset, debug_file="")
