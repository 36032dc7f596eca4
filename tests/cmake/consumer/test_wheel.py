# SPDX-License-Identifier: BSD-3-Clause
"""packaging/consumer_check on a wheel of one module and a consumer of a few lines (wheel/)."""

import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from box import ROOT, make_wheel, sha256
from fixture import CheckTest

import servers

PARTS = pathlib.Path(__file__).with_name("wheel")
CUDA = {"version": "9.9", "versions": {"nccl": "2"}}
PINS = ("filelock==9.9", 'fsspec==2.0 ; python_version < "3.9"', 'fsspec==2.1 ; python_version >= "3.9"')
CUDNN = "nvidia-cudnn-cu12 (==9.1.0.70)"  # which the wheel takes its libraries from

# What is wrong, and what the check says.
FAULTS = (
    (
        {"holds": False},
        "cannot be used: venv, run: Failed Error regular expression found in output. Regex=[it ended with: ]",
    ),
    ({"needed": "nobody_requires_this"}, "cannot be used: venv, run: "),
    ({"entry_point": "torch.walk:main"}, "cannot be used: venv, scripts: Failed"),
    (
        {"hash": "0" * 64, "find_links": True},
        "| FAIL pip was given other files than those with the pinned hashes",
    ),
    ({"requires": ["filelock>=4"], "find_links": True}, "cannot be used: venv, pip check: Failed"),
    (
        {"requires": ["filelock", CUDNN], "gpus": 1},
        "| FAIL it needs the libraries of nvidia-cudnn-cu12: no hash is known for",
    ),
    ({"gpus": 1}, "a wheel for the CPU uses no GPU"),
)


class WheelTest(CheckTest):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="a python ")
        cls.addClassCleanup(folder.cleanup)
        cls.python = shutil.copy(PARTS / "make_venv.sh", folder.name)
        venv = [sys.executable, "-m", "venv", pathlib.Path(folder.name, "venv")]
        if subprocess.run(venv, stdout=subprocess.DEVNULL).returncode:
            print(f"SKIP: {sys.executable} cannot make a virtual environment", flush=True)
            raise unittest.SkipTest("no virtual environment")

    def setUp(self):
        super().setUp()
        pip = {"PIP_NO_INDEX": "1", "PIP_INDEX_URL": None, "PIP_CONFIG_FILE": None}
        configuration = {"XDG_CONFIG_HOME": None, "XDG_CACHE_HOME": None, "HOME": str(self.box / "my home")}
        self.environment(**pip, **configuration, TSB_OFFLINE=None)
        wheels = tempfile.TemporaryDirectory()  # without a blank, where pip would take its links apart
        self.addCleanup(wheels.cleanup)
        self.filelock = pathlib.Path(wheels.name, "filelock-3.17.0-py3-none-any.whl")
        make_wheel(self.filelock, {"filelock.py": ""})

    def check(self, ends, says, requires=("filelock",), cuda=None, holds=True, needed="filelock", **options):
        """Checks a wheel, with `more` files, and a consumer like these; the options are the tests'."""
        names = "entry_point", "hash", "find_links", "more"
        entry_point, hash, find_links, more = (options.pop(name, "") for name in names)
        package = self.box / "torch-9.1+cpu-py3-none-any.whl"
        manifest = {"version": "9.1+cpu", "git_version": "c0ffee", "features": {"MKLDNN": {"enabled": True}}}
        files = {
            "torch/__init__.py": "__version__ = '9.1+cpu'\n",
            "torch/run.py": "def main():\n    print('help')\n",
            "torch/manifest.json": json.dumps({**manifest, **({"cuda": cuda} if cuda else {})}),
            "torch-9.1+cpu.dist-info/entry_points.txt": f"[console_scripts]\ntorchrun = {entry_point or 'torch.run:main'}\n",
            **(more or {}),
        }
        make_wheel(package, files, "".join(f"Requires-Dist: {line}\n" for line in requires))
        consumer = self.box / "a consumer"
        self.write(consumer / "wheel_checks.py", (PARTS / "wheel_checks.py").read_text())
        self.write(consumer / "case.json", {"root": ROOT, "holds": holds, "needed": needed, "cuda": bool(cuda)})
        line = f"# A line.\nfilelock==3.17.0 \\\n    --hash=sha256:{hash or sha256(self.filelock)}\n"
        self.write("what is pinned/requirements.txt", line)
        self.environment(PIP_FIND_LINKS=f"file://{self.filelock.parent}" if find_links else None)
        options = {"modules": self.box, "pinned": self.box / "what is pinned", **options}
        self.run_check(ends, says, package=package, python=self.python, consumer=consumer, **options)

    def expect_dependencies(self, **case):
        self.check(0, ["ok venv, pip check: No broken requirements", "ok venv, run: 2 checks, 0 failed"], **case)
        self.assertNotIn("skip venv, dependencies", self.text)

    def expect_no_dependencies(self, why, **case):
        rows = ["skip venv, other: filelock is not installed", "1 checks, 0 failed", "torchrun show their help"]
        self.check(0, [f"skip venv, dependencies: {why}", f"skip venv, pip check: {why}", *rows], **case)

    def index(self):
        """An index of this machine, which must not be asked; the requests, in the end none."""
        requests = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_request(self, *words):
                requests.append(self.requestline)

            def do_GET(self):
                self.send_error(404)

        self.environment(PIP_NO_INDEX=None, PIP_INDEX_URL=servers.serve(self, Handler)[0] + "/simple")
        return requests

    def test_faults(self):
        for case, says in FAULTS:
            with self.subTest(says=says):
                self.check(1, [says], **case)

    def test_dependencies_by_the_callers_configuration(self):
        """A real pip finds them by it alone, though it also names what does not hold for a virtual environment."""
        settings = f"[global]\nno-index = true\nfind-links = {self.filelock.parent}\nconstraint = /gone\n"
        self.environment(PIP_NO_INDEX=None)
        self.write("my home/.config/pip/pip.conf", settings + "[install]\nuser = true\n")
        self.expect_dependencies()

    def test_dependencies_from_fetch(self):
        requests = self.index()
        self.expect_dependencies(wheels=self.filelock.parent)
        self.assertEqual(requests, [])

    def test_no_dependencies(self):
        self.expect_no_dependencies("pip could not install them")
        self.expect_no_dependencies("no hash is known for filelock; what needs them", pinned="")

    def test_offline(self):
        requests = self.index()
        self.environment(TSB_OFFLINE="1")
        self.expect_no_dependencies("pip could not install them from a folder, and TSB_OFFLINE is set; what needs")
        self.assertEqual(requests, [])

    def test_libraries_of_other_wheels(self):
        why = "it needs the libraries of nvidia-cudnn-cu12: installed, but not used"
        rows = [f"skip venv, {name}: {why}" for name in ("run", "scripts", "program")]
        rows += ["skip venv, dependencies: no hash is known for nvidia-cudnn-cu12==9.1.0.70;", "whl works; not run: 5"]
        self.check(0, rows, requires=["filelock", CUDNN])

    def test_without_scripts(self):
        self.check(1, ["cannot be used: venv, scripts: Failed"], more={"torch-9.1+cpu.dist-info/entry_points.txt": ""})

    def test_scripts_of_what_is_off(self):
        features = {"MKLDNN": {"enabled": True}, "DISTRIBUTED": {"enabled": False}}
        manifest = {"version": "9.1+cpu", "git_version": "c0ffee", "features": features}
        files = {"torch/distributed/run.py": "import nothing\n", "torch/manifest.json": json.dumps(manifest)}
        says = ["skip venv, scripts: torch.distributed is off"]
        self.check(0, says, find_links=True, entry_point="torch.distributed.run:main", more=files)

    def choose(self, requires, pins, expected):
        """What is chosen of these pins of NVIDIA's wheels, and of a release's own, is this."""
        info = self.write("torch-9.1+cpu.dist-info/METADATA", "Name: torch\nVersion: 9.1+cpu\n").parent
        for line in requires:
            self.write(info / "METADATA", (info / "METADATA").read_text() + f"Requires-Dist: {line}\n")
        sources = {
            name: {"candidates": [{"version": version, "sha256": "1" * 64, "python-index": {"project": name}}]}
            for name, version in pins
        }
        release = "more/releases/9.1.0"
        self.write(f"{release}/release.json", {"cxx_standard": "17", "pythons": [], "backends": {}})
        self.write(f"{release}/sources.json", {"sources": sources})
        own = "".join(
            f"{pin} \\\n    --hash=sha256:{'1' * 64}\n" for pin in ("filelock==3.17.0", "cuda-toolkit==13.0.2")
        )
        self.write(f"{release}/wheel_check/requirements.txt", f"# A line.\n{own}")
        script, result = "packaging/consumer_check/choose_requirements.py", self.box / "chosen"
        words = [sys.executable, "-B", ROOT / "engine", ROOT / script, result, self.box / release / "wheel_check"]
        self.run_program(0, *words, env={**os.environ, "PYTHONPATH": str(self.box)})
        self.assertEqual(
            re.findall("(?m)^[^ ]+", result.read_text()), ["filelock==3.17.0", "cuda-toolkit==13.0.2", *expected]
        )

    def test_what_is_chosen(self):
        """NVIDIA's wheels that it requires, and those that cuda-toolkit or cuda-bindings require for it; what releases have in
        common only where the release's own is not enough, and behind it. What is for another Python is not chosen."""
        common = "".join(f"{pin} --hash=sha256:{'0' * 64}\n" for pin in PINS)
        self.write("more/backends/cpu/wheel_check.txt", common)
        self.environment(TSB_ADDITIONS=str(self.box / "more"))
        cudnn, toolkit = "nvidia-cudnn-cu12==9.1.0.70", "cuda-toolkit[cublas]==13.0.2"
        pins = [("nvidia-cudnn-cu12", "9.1.0.70"), ("nvidia-cublas", "13.1")]
        for requires, given, expected in (
            (["filelock", CUDNN, toolkit], pins, [cudnn, "nvidia-cublas==13.1"]),
            (["filelock", "cuda-bindings", CUDNN], pins, [cudnn, "nvidia-cublas==13.1", "fsspec==2.1"]),
            (["filelock", CUDNN], pins, [cudnn]),
            (
                ["filelock", CUDNN],
                [("nvidia-cudnn-cu12", "9.01.0.70")],
                ["nvidia-cudnn-cu12==9.01.0.70"],
            ),  # one version
            (["filelock", CUDNN], [("nvidia-cudnn-cu12", "9.2")], ["fsspec==2.1"]),
            (["filelock"], pins, []),
            (["filelock", "fsspec"], pins, ["fsspec==2.1"]),
        ):
            with self.subTest(requires=requires):
                self.choose(requires, given, expected)

    def test_files_and_program(self):
        """None of the official wheel's is missing. The program is compiled with the CMake package of the wheel that is
        installed."""
        project = "cmake_minimum_required(VERSION 3.18)\nproject(use CXX)\nfind_package(Torch REQUIRED)\n"
        project += 'file(WRITE main.cpp "int main() { return ${answer}; }")\nadd_executable(use_libtorch main.cpp)\n'
        self.write("a consumer/conda/CMakeLists.txt", project)
        config = "torch/share/cmake/Torch/TorchConfig.cmake"
        ours = "torch/run.py,,\ntorch/share/cmake/ATen/ATenConfig.cmake,,\ntorch-9.1.dist-info/METADATA,,\n"
        gomp, ptxas = "torch/lib/libgomp-a34b3233.so.1,,\n", "torch/bin/ptxas,,\n"
        missing = ["FAIL torch/bin/ptxas of the official wheel is missing", "cannot be used: venv, files"]
        for ends, official, answer, says in (
            (0, gomp, 0, ["ok venv, files: all 1 of the official wheel", "ok venv, program: "]),
            (1, gomp, 3, ["cannot be used: venv, program: Failed"]),
            (1, ptxas, 0, missing),
        ):
            more = {config: f"set(TORCH_LIBRARIES)\nset(answer {answer})\n"}
            self.check(ends, says, find_links=True, official=self.write("RECORD", ours + official), more=more)

    def test_gpus(self):
        self.check(
            0, ["skip venv, gpu: this machine has no GPU", "skip venv, program: it has no CMake package"], cuda=CUDA
        )
        self.check(0, [], cuda=CUDA, gpus=2)
        self.assertIn("2 GPUs ok gpu 2 checks, 0 failed", self.log("venv-run"))
