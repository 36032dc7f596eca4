# SPDX-License-Identifier: BSD-3-Clause
"""The presets that the guides name are there, whatever becomes of the generator; what they set; those of a release and a
backend that are not the project's; and files that differ from what the generator writes."""

import argparse
import itertools
import json
import pathlib
import re
import shutil
import sys
from unittest import mock

from box import ROOT, BoxTest

from engine.model import cells as cells_of_project
from engine.model import model
from engine.model.data import Data
from engine.presets import of_release, variables_of
from presets import generate_presets

PYTORCH = json.loads((ROOT / "tests/fixtures/sources.json").read_text())["release"]
BUILT = [
    version
    for version in Data().names("releases")
    if cells_of_project.cell_of(version, "cpu", "libtorch-shared-with-deps")["word"] == "built"
]
NEWEST = BUILT[0]
GENERATOR = "presets/generate_presets.py"
ZIPS = ["libtorch-shared", "libtorch-shared-without-deps", "libtorch-static", "libtorch-static-without-deps", "all"]
PYTHONS = ["py39", "py310", "py311", "py312", "py313"]
PROMISED = {"tests", "tests-fast", "tests-sanitized", "cpu-libtorch-shared-openblas", "rocm7.2-libtorch-shared"}
PROMISED |= {"cu130-conda-magma", "cu132-conda-magma", "cpu-develop"}
PROMISED |= {f"rocm6.2-{name}" for name in ("libtorch-shared", "wheel-py311", "all")}
PROMISED |= {f"official-cuda-{name}" for name in ("libtorch-shared", "wheel-py312", "conda-py312")}
for backend in ("cpu", "cu118", "cu124", "cu126", "cu128"):
    kinds = ["wheel-{}", "conda-{}"] + (["wheel-{}-large"] if backend != "cpu" else [])
    PROMISED |= {f"{backend}-{name}" for name in ZIPS}
    PROMISED |= {f"{backend}-{kind.format(python)}" for kind in kinds for python in PYTHONS}
# Preset: backend, release, BLAS, artifacts.
SETTINGS = {
    "cpu-libtorch-shared": f"cpu {NEWEST} [] libtorch-shared-with-deps",
    "cpu-libtorch-shared-openblas": f"cpu {NEWEST} [openblas] libtorch-shared-with-deps",
    "cu118-all": f"cu118 {PYTORCH} [] all",
    "cu124-wheel-py39-large": f"cu124 {PYTORCH} [] wheel-py39-large",
    "rocm6.2-libtorch-shared": f"rocm6.2 {PYTORCH} [] libtorch-shared-with-deps",
    "rocm7.2-libtorch-shared": f"rocm7.2 {PYTORCH} [] libtorch-shared-with-deps",
    "cu118-conda-py313": f"cu118 {PYTORCH} [] conda-py313",
}
AARCH64 = "CPU of aarch64"
FACTS = {"cxx_standard": "17", "libtorch_zip": "x"}
ADDITIONS = {
    "releases/9.9.0/release.json": FACTS
    | {"pythons": ["3.13", "3.14"], "backends": {"cpu": {}, "abacus": {"7.0": {}}}},
    "releases/9.10.0/release.json": FACTS | {"pythons": [], "backends": {"cpu": {}}},
    "backends/abacus/backend.json": {"name": "ab@digits@", "title": "Abacus @version@", "wheel_styles": ["plain"]},
}


class Presets(BoxTest):
    def setUp(self):
        super().setUp()
        self.project = self.box / "a project"
        shutil.copytree(ROOT / "presets", self.project / "presets")
        for file in (ROOT / "CMakePresets.json", pathlib.Path(__file__).parent / "project/CMakeLists.txt"):
            shutil.copy(file, self.project)

    def cmake(self, *words):
        self.run_program(0, "cmake", *words, cwd=self.project)
        return self.text

    def expect_settings(self, presets):
        for preset, settings in presets.items():
            with self.subTest(preset):
                self.assertIn(f"settings: {preset} {settings}\n", self.cmake("--preset", preset))
                self.assertTrue((self.project / "build" / preset / "build.ninja").exists())

    def test_promised(self):
        titles = dict(re.findall(r'"([^"\n]+)" +- ([^\n]+)', self.cmake("--workflow", "--list-presets")))
        self.assertEqual(PROMISED - set(titles), set())
        self.assertLessEqual(len(titles), 135, "more than one can read")
        for name, title in titles.items():
            if not name.startswith("tests") and name != "cpu-develop":
                self.assertRegex(
                    title,
                    r"^PyTorch [0-9.]+, ((CPU( of aarch64)?|CUDA [0-9.]+)(, out of the official wheel)?|ROCm [0-9.]+ "
                    r"\(preview\)), (built|near|official|pinned): ",
                    name,
                )
            if name.startswith("rocm"):
                self.assertRegex(name, r"-(libtorch-shared|wheel-py\d+|all)$", "what is not made has none")
        for file in (self.project / "presets").glob("[!bt]*.json"):
            for kind, presets in json.loads(file.read_text()).items():
                presets = presets if kind.endswith("Presets") else []
                names = {preset["displayName"] for preset in presets}
                self.assertEqual(len(names), len(presets), f"{file} {kind}: an IDE shows these alone")
                for preset in presets:
                    self.assertRegex(preset["description"], r" \(docs/(cells|develop)\.md\)$")
        for kind in ("build", "test", "package"):
            listed = set(re.findall(r'"([^"\n]+)"', self.cmake(f"--list-presets={kind}")))
            missing = {name for name in PROMISED - listed if not name.startswith("tests")}
            self.assertEqual(missing, {"cpu-develop"} if kind != "build" else set(), kind)  # of which nothing is packed
        steps = json.loads((self.project / "presets/cu124.json").read_text())["workflowPresets"][0]["steps"]
        name = "cu124-libtorch-shared"
        kinds = [(step["type"], step["name"].replace(name, "")) for step in steps]
        expected = [("configure", ""), ("build", ""), ("test", ""), ("package", ""), ("build", "-check")]
        self.assertEqual(kinds, expected)

    def test_order(self):
        """bootstrap.sh lists them in that of README.md's table."""
        shutil.copytree(ROOT / "engine", self.project / "engine")
        self.run_program(0, sys.executable, "-B", self.project / "engine", "presets")
        titles = re.findall(r"^PyTorch [0-9.]+, (.+), (?:built|near|official|pinned)$", self.text, re.MULTILINE)
        titles = list(dict.fromkeys(titles))
        of_wheel = ", out of the official wheel"
        self.assertEqual(titles[0], "CPU")
        self.assertEqual(titles[-4:], [f"CPU{of_wheel}", f"CUDA 13.2{of_wheel}", AARCH64, AARCH64 + of_wheel])
        between = titles[1:-4]
        self.assertEqual(between, sorted(between))
        self.assertEqual({title.split()[0] for title in between}, {"CUDA", "ROCm"})

    def test_list_of_a_release(self):
        """TSB_PYTORCH_VERSION, of the environment or as a word, is the release of all: what it makes, by its cells."""
        self.environment(TSB_PYTORCH_VERSION="2.6.0", TSB_ADDITIONS=None)
        self.run_python(0, "presets", "TSB_PYTORCH_VERSION=2.8.0", "*-wheel-py31?", says=["PyTorch 2.8.0, CPU, near\n"])
        self.assertNotIn("2.6.0", self.text)
        self.assertNotIn("cu124-", self.text, "which it is not made for")
        self.assertIn(
            "PyTorch 2.8.0, CUDA 12.6, pinned\n  cu126-wheel-py310  wheel for Python 3.10, small\n", self.text
        )
        self.run_python(0, "presets", "tests", "cpu-all", says=["PyTorch 2.6.0, CPU, built", "tests-fast"])
        self.run_python(
            2, "presets", "TSB_PYTORCH_VERSION=2.6", says=["no PyTorch 2.6 in releases/", "may be: ", " 2.6.0"]
        )
        mine = {"mine": {"displayName": "PyTorch 2.6.0, mine: a wheel"}, "cu124-all": {"displayName": "shipped"}}
        self.assertEqual(of_release("2.8.0", None, mine), {"mine": mine["mine"]}, "nobody knows what it makes")

    def test_a_setting_of_a_preset(self):
        """A preset of the user's has it in its environment, or in its cache, which counts more if it is not empty."""
        presets = {
            "base": {"cacheVariables": {"TSB_PYTORCH_VERSION": "", "TSB_BLAS": {"type": "STRING", "value": "mkl"}}},
            "mine": {
                "inherits": "base",
                "environment": {"TSB_PYTORCH_VERSION": "2.8.0", "TSB_JOBS": None, "TSB_BLAS": "x"},
            },
        }
        self.assertEqual(variables_of("mine", presets), {"TSB_PYTORCH_VERSION": "2.8.0", "TSB_BLAS": "mkl"})
        self.environment(TSB_PYTORCH_VERSION="2.7.0", TSB_PACKAGES=None)
        for kind, value in ("environment", "2.8.0"), ("cacheVariables", "2.8.0"), ("environment", None):
            presets = {"name": "mine", "inherits": "cpu-libtorch-shared", kind: {"TSB_PYTORCH_VERSION": value}}
            steps = {"name": "mine", "steps": [{"type": "configure", "name": "mine"}]}
            presets = {
                "include": [ROOT / "CMakePresets.json"],
                "configurePresets": [presets],
                "workflowPresets": [steps],
            }
            for folder in "engine", "releases", "backends":
                shutil.copytree(ROOT / folder, self.project / folder, dirs_exist_ok=True)
            self.write(self.project / "CMakeUserPresets.json", presets)
            with self.subTest(kind, value=value):
                self.run_program(0, sys.executable, "-I", "-B", self.project / "engine", "words", "mine")
                self.assertEqual("cmake_needed=3.27" in self.text, value is not None)

    def test_settings(self):
        self.expect_settings(SETTINGS)
        # Packages alone are built on request; without the request the preset makes its artifact again.
        self.assertIn("packages: [sleef]", self.cmake("--preset", "cpu-libtorch-shared", "-DTSB_PACKAGES=sleef"))
        self.assertIn("packages: []", self.cmake("--preset", "cpu-libtorch-shared"))

    def test_example(self):
        """The sample of presets of one's own does what it says."""
        shutil.copy(ROOT / "docs/CMakeUserPresets.example.json", self.project / "CMakeUserPresets.json")
        two = "libtorch-shared-with-deps;wheel-py312"
        mine = {"my-wheel": f"cu124 {PYTORCH} [openblas] wheel-py311-large", "my-pair": f"cpu {PYTORCH} [] {two}"}
        self.expect_settings(mine)
        text = self.cmake("--workflow", "--list-presets")
        for line in ('"my-wheel" - A large wheel for CUDA 12.4, with Op', '"my-pair" - Two artifacts from one compile'):
            self.assertIn(line, re.sub(" +", " ", text))
        self.cmake("--build", "--preset", "my-wheel")

    def test_additions(self):
        for name, content in ADDITIONS.items():
            self.write(f"additions/{name}", content)
        file = self.box / "additions/presets.json"
        words = ("--root", self.project, "--additions", self.box / "additions", "--output", file)
        self.run_python(0, GENERATOR, *words)
        self.write(self.project / "CMakeUserPresets.json", {"version": 6, "include": [file]})
        mine = {
            "cpu-wheel-py314-9.9.0": "cpu 9.9.0 [] wheel-py314",
            "cpu-all-9.9.0": "cpu 9.9.0 [] all",
            "ab70-conda-py313": "ab70 9.9.0 [] conda-py313",
            "cpu-wheel-py313": f"cpu {PYTORCH} [] wheel-py313",
        }
        self.expect_settings(mine)
        text = self.cmake("--workflow", "--list-presets")
        self.assertRegex(text, '"cpu-libtorch-shared-9.9.0" +- PyTorch 9.9.0, CPU, pinned: libtorch, shared')
        self.assertRegex(text, '"ab70-wheel-py314" +- PyTorch 9.9.0, Abacus 7.0, pinned: wheel for Python 3.14')
        self.assertNotIn("py39-9.9.0", text)
        self.assertIn("cpu-libtorch-shared-9.10.0", text, "all releases of additions")

        # What bootstrap.sh would install for them: it follows what they include and inherit.
        self.environment(TSB_PYTHON_314=None)
        shutil.copytree(ROOT / "engine", self.project / "engine")
        words = [sys.executable, "-I", "-B", self.project / "engine", "words", "ab70-wheel-py314"]
        self.run_program(0, *words)
        self.assertIn("needed='build abacus compile python3.14 python' version='3.14' ", self.text)
        self.run_program(0, *words, "TSB_JOBS=2", "TSB_STORE=", "-DTSB_BLAS=mkl")
        self.assertIn("export 'BOOTSTRAP_SETTINGS=TSB_JOBS TSB_BLAS'\n", self.text)  # an empty one is not set
        # As CMake reads it from 3.27 on.
        self.environment(MINE=str(file.parent))
        named = {"version": 7, "include": [f"$penv{{MINE}}/{file.name}"]}
        self.write(self.project / "CMakeUserPresets.json", named)
        self.run_program(0, *words)
        self.run_program(0, *words[:-1], "cu132-conda-magma")  # PyTorch is not compiled
        self.assertIn("needed='build cuda cu132-toolkit' ", self.text)
        shutil.copytree(ROOT / "releases", self.project / "releases")
        for name, is_needed in ("cu128-all", True), ("cu124-all", False):  # of 2.8.0, which needs a newer CMake
            self.run_program(0, *words[:-1], name)
            self.assertEqual("cmake_needed=3.27" in self.text, is_needed, name)
        self.environment(TSB_PYTHON_314="/a/python")
        self.run_program(0, *words)
        self.assertIn("needed='build abacus compile python3.14' ", self.text)

    def cells(self, *cells):
        """As if packaging/cells.json had these."""
        patcher = mock.patch.object(cells_of_project, "FILE", self.write(f"{len(str(cells))}.json", {"cells": cells}))
        patcher.start()
        self.addCleanup(patcher.stop)

    def by_default(self):
        """{preset: (its release, the word in its title)}"""
        blocks, files = generate_presets.collect(generate_presets.by_default(list(generate_presets.read_facts(None))))
        of_backend = {name: one["inherits"][1] for name, one in blocks.items() if "base" in one.get("inherits", ())}
        presets = {}
        for name, inherits, title, _ in itertools.chain.from_iterable(files.values()):
            release = re.search(r"pytorch-(\S+)", f"{inherits[0]} {of_backend.get(inherits[0])}")[1]
            self.assertNotIn(name, presets)
            presets[name] = release, title.partition(": ")[0].rpartition(", ")[2]
            self.assertIn("Your PyTorch" if name == "cpu-develop" else f"PyTorch {release}", title.partition(", ")[0])
        return presets

    def test_the_newest_that_was_built(self):
        """It is the default of a cell; of a backend with none, the newest of which a near tree was compiled. The newest of
        all is the default of what is not compiled, where nothing was compiled, and of a backend whose releases were not."""
        built = {"word": "built", "where": "here", "when": "today"}
        of_cpu = built | {"releases": ["2.6.0"], "backends": "cpu"}
        near = built | {"word": "near", "tree": "2.9.0a0", "releases": ["2.8.0", "2.9.1"], "backends": "cpu"}
        newest = Data().names("releases")[0]
        self.cells(of_cpu)
        presets = self.by_default()
        self.assertEqual(presets["cpu-libtorch-shared"], ("2.6.0", "built"))
        for backend in "cu118", "cu126":  # which later releases have as well, that were not compiled
            self.assertEqual(presets[f"{backend}-libtorch-shared"], ("2.6.0", "pinned"))
        releases = {}
        for entry in generate_presets.read_facts(None):
            releases.setdefault(entry["backend"]["name"], entry["release"])
        self.assertEqual(presets["cu128-libtorch-shared"], (releases["cu128"], "pinned"))
        for backend in releases:
            self.assertTrue([name for name in presets if name.startswith(f"{backend}-")], backend)
        self.assertEqual(presets["official-cpu-libtorch-shared"], (newest, "pinned"))
        self.cells(of_cpu | {"artifacts": "libtorch-shared.*"}, near)
        presets = self.by_default()
        self.assertEqual(presets["cpu-libtorch-shared"], ("2.6.0", "built"))
        self.assertEqual(presets["cpu-libtorch-static"], ("2.6.0", "pinned"))
        asked = argparse.Namespace(backend="cpu", release="", processor="", pins="", machine="x86_64")
        self.assertEqual(model.load(Data(), asked)["release"]["version"], "2.6.0")
        self.cells(near)
        self.assertEqual(self.by_default()["cpu-libtorch-shared"], ("2.9.1", "near"))
        self.assertEqual(model.load(Data(), asked)["release"]["version"], "2.9.1")
        later = of_cpu | {"releases": ["2.8.0"]}
        self.cells(of_cpu, later | {"artifacts": "libtorch.*"})
        presets = self.by_default()
        self.assertEqual(presets["cpu-libtorch-static"], ("2.8.0", "built"))
        self.assertEqual(presets["cpu-wheel-py312"], ("2.6.0", "built"))
        self.assertEqual(presets["cpu-all"], ("2.6.0", "built"), "more is made of it")
        self.cells()
        presets = self.by_default()
        self.assertEqual(presets["cpu-libtorch-shared"], (releases["cpu"], "pinned"))
        self.assertEqual(presets["official-cpu-libtorch-shared"], (newest, "pinned"))

    def test_files(self):
        """The committed ones are what the generator writes. Another one is noticed, and nothing is changed by looking."""
        self.run_python(0, GENERATOR, "--check")
        with open(self.project / "presets/cpu.json", "a") as file:
            file.write("\n")
        self.write(self.project / "presets/cu999.json", {})
        says = (
            "These files differ from what releases/, backends/ and packaging/artifacts.json give:",
            f"presets/cpu.json, presets/cu999.json Write them again: {GENERATOR}",
        )
        self.run_python(1, GENERATOR, "--check", "--root", self.project, says=says)
        self.assertTrue((self.project / "presets/cu999.json").exists())
