# SPDX-License-Identifier: BSD-3-Clause
"""A staged tree becomes a wheel: METADATA is checked, the tag follows from the ELF files, pip installs what is packed."""

import json
import os
import shutil
import subprocess
import sys

from tools_fixture import ToolsTest  # isort: skip, it says where their modules are

import metadata
from artifact_fixture import ArtifactTest
from platform_tag import platform_tag

from engine.elf_needs import ElfNeeds, elf_needs
from engine.failure import Failure

METADATA = "Metadata-Version: 2.4\nName: Demo.Package\nVersion: 1.0+cpu\nLicense-File: COPYING\n\ntext\n"
INFO = "demo_package-1.0+cpu.dist-info"
HEADER = """\
Name: torch
Version: 2.6.0+cpu
License-File: LICENSE
License-File: NOTICE
Requires-Dist: filelock
Requires-Dist: cuda-toolkit[cublas]==13.2.2; platform_system == "Linux"
Requires-Dist: nvidia-nccl-cu13==2.30.7
"""
DESCRIPTION = "\nText; with [a semicolon] and\n\nLicense-File: not a header\n"


def needs(path="torch/lib/liba.so", machine="EM_X86_64", libraries=(), versions=()):
    return ElfNeeds(path, machine, path.split("/")[-1], list(libraries), list(versions))


class Tag(ToolsTest):
    def test_each(self):
        libc, gomp, cublas = "libc.so.6", "libgomp.so.1", "libcublas.so.12"
        for files, projects, expected, reason in (
            ([], [], "any", "no ELF file"),
            ([needs(libraries=[libc])], [], "manylinux_2_5_x86_64", "nothing newer"),
            ([needs(versions=[(libc, "GLIBC_2.34")])], [], "manylinux_2_34_x86_64", "liba.so needs GLIBC_2.34 of"),
            ([needs(versions=[("libstdc++.so.6", "GLIBCXX_3.4.30")])], [], "manylinux_2_35_x86_64", "GLIBCXX"),
            ([needs(versions=[(libc, "GLIBC_ABI_DT_RELR")])], [], "manylinux_2_36_x86_64", "RELR"),
            ([needs(versions=[(libc, "GLIBC_2.99")])], [], "linux_x86_64", "GLIBC_2.99"),
            ([needs(libraries=[gomp])], [], "linux_x86_64", "neither inside nor on every host"),
            ([needs(libraries=[gomp]), needs("torch/lib/" + gomp)], [], "manylinux_2_5_x86_64", "nothing newer"),
            # A wheel that is required has it, or the driver.
            ([needs(libraries=[cublas])], [], "linux_x86_64", "neither inside"),
            ([needs(libraries=[cublas])], ["nvidia-cublas-cu12"], "manylinux_2_5_x86_64", "nothing newer"),
            ([needs(libraries=[cublas])], ["cuda-toolkit"], "manylinux_2_5_x86_64", "nothing newer"),
            ([needs(libraries=["libcuda.so.1"])], [], "manylinux_2_5_x86_64", "nothing newer"),
        ):
            with self.subTest(expected=expected, reason=reason):
                tag, why = platform_tag(files, projects, "x86_64")
                self.assertEqual(tag, expected)
                self.assertIn(reason, why)

    def test_two_machines(self):
        with self.assertRaises(Failure) as caught:
            platform_tag([needs(), needs("b.so", "EM_AARCH64")], [], "x86_64")
        self.assertIn("liba.so is for EM_X86_64, b.so is for EM_AARCH64", caught.exception.args[0])

    def test_what_is_read(self):
        self.library("tree/lib/libb.so", "-Wl,-soname,libb.so.1", source='#include <stdio.h>\nvoid f() { puts(""); }')
        self.write("tree/lib/libb.txt", "\x7fELF no more")
        self.write("tree/other.txt", "text")
        (self.box / "tree/lib/libb.so.1").symlink_to("libb.so")
        (self.box / "tree/lib/libb.txt").unlink()
        (found,) = elf_needs(self.box / "tree")
        self.assertEqual((found.path, found.soname), ("lib/libb.so", "libb.so.1"))
        self.assertIn("libc.so.6", found.libraries)
        self.assertIn(("libc.so.6", "GLIBC_2.2.5"), found.versions)


class Finish(ToolsTest):
    def setUp(self):
        super().setUp()
        self.root = self.box / "site"
        self.write(f"site/{INFO}/METADATA", METADATA)
        self.write(f"site/{INFO}/licenses/COPYING", "text")
        self.write("site/demo/__init__.py", "def answer():\n    return 42\n")
        self.write('site/demo/a, "b" größe.txt', "odd name\n")

    def finish(self, ends=0, *words, says=()):
        options = ["--root", self.root, "--python", "cp311", "--machine", "x86_64", "--result", self.box / "wheel.json"]
        self.run_tool(ends, "wheel/finish_wheel.py", *options, *words, says=says)
        if not ends:
            return json.loads((self.box / "wheel.json").read_text())

    def test_pip_installs_it(self):
        self.library("site/demo/lib/libdemo.so")
        made = self.finish(0, "--build", "1large", says=["platform manylinux_2_5_x86_64: nothing newer"])
        self.assertEqual(
            made, {"file": "demo_package-1.0+cpu-1large-cp311-cp311-manylinux_2_5_x86_64.whl", "dist_info": INFO}
        )
        text = (self.root / INFO / "WHEEL").read_text()
        self.assertIn("Root-Is-Purelib: false\nTag: cp311-cp311-manylinux_2_5_x86_64\nBuild: 1large\n", text)
        # A second time nothing changes, and RECORD does not list itself twice.
        record = (self.root / INFO / "RECORD").read_text()
        self.finish(0, "--build", "1large")
        self.assertEqual((self.root / INFO / "RECORD").read_text(), record)

        file = self.box / made["file"].replace("cp311-cp311", "py3-none")
        self.write(f"site/{INFO}/WHEEL", text.replace("cp311-cp311", "py3-none"))
        last = [word for name in ("", "/WHEEL", "/RECORD") for word in ("--last", INFO + name)]
        command = [os.environ["TORCHPKG"], "pack", "--root", self.root, "--output", file, "--flat", *last]
        self.run_program(0, *command)
        pip = [sys.executable, "-m", "pip", "--isolated", "install", "--no-index", "--no-deps", "--no-compile"]
        subprocess.run([*pip, "--quiet", "--target", self.box / "installed", file], check=True)
        expected = self.files("site") | {f"{INFO}/INSTALLER", f"{INFO}/REQUESTED", f"{INFO}/direct_url.json"}
        self.assertEqual(self.files("installed"), expected)

    def test_faults(self):
        changes = (
            (f"{INFO}/METADATA", METADATA.replace("1.0+cpu", "1.1"), "name it demo_package-1.1.dist-info"),
            ("other-1.dist-info/METADATA", METADATA, "does not have exactly one *.dist-info with METADATA"),
        )
        for path, text, words in changes:
            file = self.write(f"site/{path}", text)
            self.finish(3, says=["error: ", words])
            file.unlink()
            if "other" in path:
                file.parent.rmdir()
            else:
                self.write(f"site/{path}", METADATA)
        self.library("site/_C.cpython-39-x86_64-linux-gnu.so")
        self.finish(3, says=["_C.cpython-39-x86_64-linux-gnu.so is not for cp311"])
        (self.root / "_C.cpython-39-x86_64-linux-gnu.so").unlink()
        (self.root / "link").symlink_to("demo")
        self.finish(3, says=["link is a symlink, and wheels have none"])


class Metadata(ToolsTest, ArtifactTest):
    def describe(self, ends=0, says=(), header="Metadata-Version: 2.1\n", folder="cpu", licence="LICENSE", **members):
        """Returns METADATA."""
        shutil.rmtree(self.box / "site", ignore_errors=True)
        info = self.box / "site/torch-2.6.0+cpu.dist-info"
        self.write(info / "METADATA", header + HEADER + DESCRIPTION)
        for path in (info / licence, "site/torch/share/licenses/sleef/LICENSE.txt"):
            self.write(path, "text")
        for kind in ("spdx", "cdx"):
            self.write(f"site/torch/sbom.{kind}.json", "{}")
        # What torchrun imports before Python 3.10.
        registry = "site/torch/distributed/elastic/rendezvous/registry.py"
        self.write(registry, "    from importlib_metadata import entry_points\n")
        members = {"deps": "with-deps", "python": "3.11", "release": {"version": "2.6.0", "triton": "3.2.0"}, **members}
        self.artifact(folder, target={"wheel_machine": "madeup64"}, **members)
        options = [self.box / "artifacts/a.json", self.box / "site"]
        self.run_tool(ends, "wheel/metadata.py", *options, says=says)
        moved = {"METADATA", "licenses/LICENSE", "licenses/sleef/LICENSE.txt", "sboms/torch.spdx.json"}
        self.assertEqual(self.files(info), {*moved, "sboms/torch.cdx.json"})
        self.assertEqual(self.files("site/torch"), {"distributed/elastic/rendezvous/registry.py"})
        return (info / "METADATA").read_text()

    def expected(self, *requirements):
        lines = "".join(f"Requires-Dist: {name}\n" for name in ("filelock", *requirements))
        start = "Metadata-Version: 2.4\nName: torch\nVersion: 2.6.0+cpu\n"
        return f"{start}{lines}License-File: LICENSE\nLicense-File: sleef/LICENSE.txt\n{DESCRIPTION}"

    def test_licence_of_either_setuptools(self):
        """Version 77 and newer writes it where it belongs."""
        self.assertEqual(self.describe(licence="licenses/LICENSE"), self.describe())

    def test_what_is_added(self):
        """What a backend asks for holds for the machine that the wheel is for. Without deps other packages have libraries."""
        libraries = ['cuda-toolkit[cublas]==13.2.2; platform_system == "Linux"', "nvidia-nccl-cu13==2.30.7"]
        self.assertEqual(self.describe(), self.expected(*libraries))
        self.assertEqual(self.describe(python="3.9"), self.expected(*libraries, "importlib-metadata>=3.6"))
        condition = 'platform_system == "Linux" and platform_machine == "madeup64"'
        without = self.describe(folder="official-cuda", deps="without-deps")
        self.assertEqual(without, self.expected())
        self.assertEqual(self.describe(folder="cuda"), self.expected(*libraries, f"triton==3.2.0; {condition}"))

    def test_faults(self):
        self.describe(
            3, ["METADATA is not as setuptools writes it", "see packaging/wheel/metadata.py"], "Name: other\n"
        )
        start = "Metadata-Version: 2.1\n"
        says = ["METADATA is not valid: requires-dist: 'sympy newest' is invalid for 'requires-dist'"]
        self.describe(3, says, start + "Requires-Dist: sympy newest\n")

    def test_as_pip_and_a_package_index_read_it(self):
        licence = self.box / INFO / "licenses/NONE"
        for text, words in (
            (METADATA, ""),
            ("name: other\n" + METADATA, "name: "),  # the first one is not the last one
            (
                "Requires-Dist: sympy newest\n" + METADATA,
                "requires-dist: 'sympy newest' is invalid for 'requires-dist'",
            ),
            ("License-File: NONE\n" + METADATA, f"license-file: {licence} is missing"),
            ("Summary: a\nnot a field\n" + METADATA, "a line of the header has no field"),
            ("Metadata-Version: 2.4\nName: torch\n", "version: 'version' is a required field"),
        ):
            with self.subTest(words):
                self.write(f"{INFO}/METADATA", text)
                self.write(f"{INFO}/licenses/COPYING", "text")
                found = metadata.problems(self.box / INFO)
                self.assertEqual([one[: len(words)] for one in found], [words] if words else [])
