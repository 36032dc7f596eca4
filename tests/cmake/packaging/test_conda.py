# SPDX-License-Identifier: BSD-3-Clause
"""Conda packages: what they depend on, what info/ says and the same bytes again. e2e.conda-client installs some."""

import json
import os
import zipfile

from box import sha256

from artifact_fixture import ArtifactTest
from depends import host_packages, requirements
from tools_fixture import ToolsTest

from engine.elf_needs import ElfNeeds
from engine.failure import Failure

RUNTIME = ["__glibc >=2.17,<3.0.a0", "libgcc >=5", "libstdcxx >=5"]


class HostPackages(ToolsTest):
    def test_each(self):
        for versions, libraries, expected in (
            ([], [], RUNTIME),
            (["GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_PRIVATE"], [], ["__glibc >=2.34,<3.0.a0", *RUNTIME[1:]]),
            (["GLIBC_ABI_DT_RELR"], [], ["__glibc >=2.36,<3.0.a0", *RUNTIME[1:]]),
            (["GLIBCXX_3.4.21", "CXXABI_1.3.9", "GCC_3.0"], [], RUNTIME),
            (["GLIBCXX_3.4.30"], [], [RUNTIME[0], "libgcc >=12", "libstdcxx >=12"]),
            (["GCC_12.0.0", "CXXABI_1.3.11"], [], [RUNTIME[0], "libgcc >=12", "libstdcxx >=12"]),
            (["GLIBCXX_3.4.99"], [], [RUNTIME[0], "libgcc >=16", "libstdcxx >=16"]),
            ([], ["libgomp.so.1"], [*RUNTIME, "_openmp_mutex >=4.5"]),
            ([], ["libcudart.so.12", "libcublasLt.so.12"], [*RUNTIME, "cuda-cudart", "libcublas"]),
            ([], ["libcudart.so.11.0", "libcublas.so.11", "libcudnn.so.9"], [*RUNTIME, "cudatoolkit", "cudnn"]),
        ):
            with self.subTest(versions=versions, libraries=libraries):
                files = [ElfNeeds("a.so", "EM_X86_64", "", libraries, [("libx.so", version) for version in versions])]
                self.assertEqual(host_packages(files), expected)


class Requirements(ToolsTest):
    def test_each(self):
        head = "Metadata-Version: 2.1\nName: torch\nVersion: 1\n"
        for lines, expected in (
            ("filelock\ntyping_extensions>=4.10.0", ["filelock", "typing_extensions >=4.10.0"]),
            ('sympy==1.13.1 ; python_version >= "3.9"', ["sympy ==1.13.1"]),
            ('a ; python_version < "3.12"\nb ; python_version >= "3.12"', ["a"]),
            ('a ; platform_system == "Windows"\nb ; extra == "b"', []),
        ):
            with self.subTest(lines):
                fields = "".join(f"Requires-Dist: {line}\n" for line in lines.splitlines())
                self.assertEqual(requirements(self.write("METADATA", head + fields), "3.11"), expected)
        url = self.write("METADATA", head + "Requires-Dist: demo @ https://example.org/demo.whl\n")
        with self.assertRaisesRegex(Failure, "cannot depend on a URL"):
            requirements(url, "3.11")


class Package(ToolsTest, ArtifactTest):
    def setUp(self):
        super().setUp()
        target = {"processor": "madeup64", "conda_subdir": "linux-64"}
        self.artifact(version="12.4", target=target, conda_version="2.6.0", conda_build_number=202, python="3.11")
        self.package("pytorch")
        self.write("packages/pytorch/manifest.json", {"fingerprint": "0123"})
        info = self.box / "prefix/info"
        self.write("prefix/info/licenses/deep/COPYING", "text")
        options = ["--name", "libtorch", "--build", "cpu_h0_0", "--summary", "PyTorch", "--tree", self.box / "tree"]
        options += ["--metadata", self.write("METADATA", "Metadata-Version: 2.1\nName: torch\nVersion: 1\n")]
        lists = ["--depends", "python >=3.11", "--run-exports", "libtorch 2.6.*"]
        self.run_tool(
            0, "conda/conda_info.py", "--artifact", self.box / "artifacts/a.json", "--info", info, *options, *lists
        )
        self.write("prefix/bin/torchrun", "#!/opt/placeholder/bin/python\n", 0o755)
        self.write("prefix/lib/liba.so", b"\0binary")
        (self.box / "prefix/lib/liba.so.1").symlink_to("liba.so")
        (self.box / "prefix/lib/other.so").symlink_to("../../elsewhere.so")

    def pack(self, dist, **environment):
        self.environment(**{"SOURCE_DATE_EPOCH": None, **environment})
        options = ["--root", self.box / "prefix", "--output", self.box / dist, "--placeholder", "/opt/placeholder"]
        self.run_tool(0, "conda/pack_conda.py", *options)
        return self.box / dist / "linux-64/libtorch-2.6.0-cpu_h0_0.conda"

    def test_info(self):
        index = json.loads((self.box / "prefix/info/index.json").read_text())
        of_backend = ["__cuda >=12", RUNTIME[0], "cuda-version >=12.4,<13.0a0", *RUNTIME[1:]]
        self.assertEqual(index["depends"], [*of_backend, "python >=3.11", "setuptools"])
        facts = [index[name] for name in ("arch", "subdir", "platform", "build_number", "version")]
        self.assertEqual(facts, ["madeup64", "linux-64", "linux", 202, "2.6.0"])
        about = json.loads((self.box / "prefix/info/about.json").read_text())
        self.assertEqual(about["license_file"], ["deep/COPYING"])

    def test_same_bytes(self):
        first = sha256(self.pack("one"))
        os.utime(self.box / "prefix/lib/liba.so", (1, 1))
        self.assertEqual(sha256(self.pack("two")), first)
        dated = self.pack("three", SOURCE_DATE_EPOCH="1700000000")
        self.assertNotEqual(sha256(dated), first)
        with zipfile.ZipFile(dated) as package:
            self.assertEqual({entry.date_time for entry in package.infolist()}, {(2023, 11, 14, 22, 13, 20)})

    def test_how_far_it_is(self):
        for run, says in (None, self.assertNotRegex), ("x", self.assertRegex):
            self.pack("dist", TORCH_SUPERBUILD_RUN=run)
            says(self.text, r"tsb_progress: pkg-libtorch-\S+, \d+ %")
