# SPDX-License-Identifier: BSD-3-Clause
"""bundle.py on libraries of a function each: lib/libmain.so needs libgomp.so.1 and liba.so.1, which needs libb.so.2; a
plug-in in lib/plugins and a program in bin/ need libmain.so."""

import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import types

from box import need

from artifact_fixture import ArtifactTest

from engine.bundle import Bundler, Request
from engine.failure import Failure
from engine.host_platform import host_platform

need("patchelf")
TORCHPKG = os.environ["TORCHPKG"]
MAIN = """int a(void); int run(void) { int n = 0;
#pragma omp parallel reduction(+ : n)
n += a(); return n > 0 ? 0 : 1; }
"""


def function(name, called=None):
    if called is None:
        return f"int {name}(void) {{ return 1; }}\n"
    return f"int {called}(void); int {name}(void) {{ return {called}(); }}\n"


def compile_c(text, file, *options):
    file.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cc", "-xc", "-", "-xnone", *options, "-o", file], input=text, text=True, check=True)


def compile_library(text, library, *options):
    compile_c(text, library, "-shared", "-fPIC", f"-Wl,-soname,{library.name}", *options)


class Bundle(ArtifactTest):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.made = pathlib.Path(folder.name).resolve()
        deps, root = cls.made / "deps", cls.made / "stage"
        compile_library(function("b"), deps / "libb.so.2")
        (deps / "libb.so.2").rename(deps / "libb.so.2.0")
        (deps / "libb.so.2").symlink_to("libb.so.2.0")
        compile_library(function("a", "b"), deps / "liba.so.1", f"-L{deps}", "-l:libb.so.2")
        main = (f"-L{deps}", "-l:liba.so.1", "-fopenmp", "-Wl,-rpath,/build/lib")
        compile_library(MAIN, root / "lib/libmain.so", *main)
        use = (f"-L{root}/lib", "-lmain", f"-Wl,-rpath-link,{deps}")
        compile_library(function("plugin", "run"), root / "lib/plugins/plugin.so", *use, "-Wl,-z,execstack")
        compile_c("int run(void); int main(void) { return run(); }\n", root / "bin/program", *use)

    def setUp(self):
        super().setUp()
        shutil.copytree(self.made, self.box, symlinks=True, dirs_exist_ok=True)
        self.root, self.deps = self.box / "stage", self.box / "deps"

    def bundle(self, **members):
        request = {"torchpkg": TORCHPKG, "root": self.root, "report": self.box / "report.json"}
        request.update({"search": [str(self.box / "nowhere"), str(self.deps)], **members})
        Bundler(Request(**request)).run()
        return json.loads((self.box / "report.json").read_text())

    def refused(self, what, remedy, **members):
        with self.assertRaises(Failure) as caught:
            self.bundle(**members)
        for part, said in zip((what, remedy), caught.exception.args):
            self.assertIn(part, said)

    def scan(self, *files):
        names = [str(self.root / file) for file in files]
        said = subprocess.run([TORCHPKG, "scan", *names], stdout=subprocess.PIPE, check=True).stdout
        facts = {file["path"]: file for file in json.loads(said)["files"]}
        return [facts[name] for name in names]

    def expect_rpaths(self, expected):
        for file, facts in zip(expected, self.scan(*expected)):
            self.assertEqual((file, facts["rpath"], facts["runpath"]), (file, expected[file], None))

    def program_runs(self):
        """Also after a move."""
        self.deps.rename(self.box / "gone")
        self.root.rename(self.box / "moved")
        subprocess.run(["env", "-i", self.box / "moved/bin/program"], check=True)

    def names_in_lib(self):
        return {path.name for path in (self.root / "lib").iterdir()}

    def test_what_is_needed_is_copied(self):
        report = self.bundle()
        self.assertEqual(self.names_in_lib(), {"libmain.so", "plugins", "liba.so.1", "libb.so.2", "libgomp.so.1"})
        self.assertEqual(report["host_libraries"], [])
        versions = [name[6:] for file in self.scan("lib/libgomp.so.1") for name in file["needed_versions"]["libc.so.6"]]
        newest = max(versions, key=lambda version: [int(number) for number in version.split(".")])
        self.assertEqual(report["platform"], {"glibc": newest})
        self.assertNotIn("elsewhere", report)
        rpaths = {
            "lib/libmain.so": "$ORIGIN",
            "lib/liba.so.1": "$ORIGIN",
            "lib/plugins/plugin.so": "$ORIGIN:$ORIGIN/..",
        }
        self.expect_rpaths({**rpaths, "bin/program": "$ORIGIN/../lib"})
        self.program_runs()

    def test_what_a_host_must_have(self):
        """The newest number of each, not the last; the mark of relative relocations counts as the C library that brought it."""
        for libc, glibc in (["GLIBC_2.9", "GLIBC_2.28"], "2.28"), (["GLIBC_2.28", "GLIBC_ABI_DT_RELR"], "2.36"):
            cxx = ["GLIBCXX_3.4.9", "GLIBCXX_3.4.22", "CXXABI_1.3", "CXXABI_FLOAT128"]
            elf = types.SimpleNamespace(versions={"libc.so.6": libc, "libstdc++.so.6": cxx})
            expected = {"glibc": glibc, "glibcxx": "3.4.22", "cxxabi": "1.3"}
            self.assertEqual(host_platform([elf]), expected)

    def test_renamed_they_agree_in_file_name_soname_and_needed(self):
        sums = {
            name: hashlib.sha256((self.deps / name).read_bytes()).hexdigest() for name in ("liba.so.1", "libb.so.2")
        }
        a, b = (f"{name[:4]}-{sums[name][:8]}{name[4:]}" for name in sums)
        report = self.bundle(rename=True)
        of_main, of_a, of_b, gomp = self.scan("lib/libmain.so", f"lib/{a}", f"lib/{b}", "lib/libgomp.so.1")
        self.assertIn(a, of_main["needed"])
        self.assertEqual((of_a["soname"], of_a["needed"][0], of_b["soname"]), (a, b, b))
        self.assertEqual(gomp["soname"], "libgomp.so.1", "a second OpenMP runtime in the process")
        expected = {"name": "libb.so.2", "from": "libb.so.2.0", "sha256": sums["libb.so.2"], "file": b}
        self.assertEqual(report["bundled"][1], expected)
        self.program_runs()

    def test_libraries_get_a_version(self):
        self.bundle(soname_version="2.6")
        self.assertEqual(os.readlink(self.root / "lib/libmain.so"), "libmain.so.2.6")
        main, a, plugin, program = self.scan(
            "lib/libmain.so.2.6", "lib/liba.so.1", "lib/plugins/plugin.so", "bin/program"
        )
        self.assertEqual((main["soname"], a["soname"], plugin["soname"]), ("libmain.so.2.6", "liba.so.1", "plugin.so"))
        for file in (plugin, program):
            self.assertEqual(file["needed"][0], "libmain.so.2.6")
        self.program_runs()

    def test_needs_of_libraries_outside_count(self):
        """A stage of static libraries; the shared ones of the same objects lie elsewhere."""
        shared = self.box / "shared"
        self.root.rename(shared)
        self.write("stage/lib/libmain.a")
        libraries = [shared / "lib/libmain.so", shared / "lib/plugins/plugin.so"]
        before = libraries[0].read_bytes()
        report = self.bundle(needed_by=libraries, linked=libraries[:1])
        self.assertEqual(self.names_in_lib(), {"liba.so.1", "libb.so.2", "libgomp.so.1", "libmain.a"})
        self.expect_rpaths({"lib/liba.so.1": "$ORIGIN"})
        self.assertEqual(report["linked"], ["liba.so.1", "libgomp.so.1"])
        self.assertEqual(libraries[0].read_bytes(), before)

    def with_a_toolkit(self):
        """libcudnn.so.9 is needed, its part is opened by name; libhsa.so.1 is opened without its version."""
        for name in ("libcudnn.so.9", "libcudnn_ops.so.9", "libhsa.so.1"):
            compile_library(function("f"), self.deps / name, "-Wl,-rpath,/opt")
        for name, library in (("libtorch_cuda.so", "libcudnn.so.9"), ("libtorch_hip.so", "libhsa.so.1")):
            compile_library(function("g", "f"), self.root / "lib" / name, f"-L{self.deps}", f"-l:{library}")
        libraries = [{"files": ["libcudnn", "libcudnn_*"]}, {"files": ["libhsa"], "opened_as": "libhsa.so"}]
        facts = self.write("libraries.json", {"driver": ["libcuda.so.1"], "libraries": libraries})
        return {"toolkits": [facts], "also": ["libcudnn_ops.so.9"], "rename": True}

    def test_libraries_of_a_toolkit_keep_the_names_by_which_they_are_opened(self):
        self.bundle(**self.with_a_toolkit())
        self.assertFalse((self.root / "lib/liba.so.1").exists())
        files = ("lib/libcudnn.so.9", "lib/libcudnn_ops.so.9", "lib/libhsa.so")
        self.assertEqual([file["soname"] for file in self.scan(*files)], [os.path.basename(file) for file in files])
        self.expect_rpaths(dict.fromkeys(files, "$ORIGIN"))
        self.assertIn("libhsa.so", self.scan("lib/libtorch_hip.so")[0]["needed"])

    def test_files_of_others_stay_as_they_are(self):
        """With what they need under the name that they ask for."""
        vendor = self.box / "vendor/liba.so.1"
        needs = (f"-L{self.deps}", "-l:libb.so.2", "-Wl,--enable-new-dtags,-rpath,$ORIGIN:$ORIGIN/../../b/lib")
        compile_library(function("a", "b"), vendor, *needs)
        facts = self.write("libraries.json", {"libraries": [{"files": ["liba"]}]})
        folders = {"search": [vendor.parent, self.deps], "unchanged": [vendor.parent]}
        report = self.bundle(toolkits=[facts], rename=True, **folders)
        self.assertEqual([copy.get("unchanged") for copy in report["bundled"]], [True, None, None])
        self.assertEqual((self.root / "lib/liba.so.1").read_bytes(), vendor.read_bytes())
        self.assertIn("libb.so.2", self.names_in_lib())
        self.program_runs()

    def test_programs_of_others_stay_as_they_are(self):
        """Out of a wheel, such as ptxas."""
        tool = self.root / "bin/tool"
        compile_c("int main(void) { return 0; }\n", tool, "-Wl,--enable-new-dtags,-rpath,$ORIGIN/../lib64")
        before = tool.read_bytes()
        self.bundle(only=True, rpath_only=True)
        self.assertEqual(tool.read_bytes(), before)
        self.expect_rpaths({"bin/program": "$ORIGIN/../lib"})

    def test_what_the_loader_would_not_find_is_loaded_before(self):
        """NVRTC's built-in functions, where NVRTC stays as it is and has no RPATH."""
        vendor = self.box / "vendor"
        compile_library(function("parts"), vendor / "libnvrtc-builtins.so.13.0")
        facts = self.write("libraries.json", {"libraries": [{"files": ["libnvrtc", "libnvrtc-builtins"]}]})
        members = {"search": [vendor, self.deps], "unchanged": [vendor], "toolkits": [facts], "rename": True}
        members.update(also=["libnvrtc-builtins.so.13.0"], loader="libmain.so")
        for rpath, needed in ((["-Wl,--enable-new-dtags,-rpath,$ORIGIN"], False), ([], True)):
            compile_library(function("nvrtc"), vendor / "libnvrtc.so.13", *rpath)
            compile_library(function("g", "nvrtc"), self.root / "lib/libg.so", f"-L{vendor}", "-l:libnvrtc.so.13")
            self.bundle(**members)
            self.assertEqual("libnvrtc-builtins.so.13.0" in self.scan("lib/libmain.so")[0]["needed"], needed)
            self.assertIn("libnvrtc-builtins.so.13.0", self.names_in_lib())
            for name in ("libnvrtc.so.13", "libnvrtc-builtins.so.13.0") if not needed else ():
                (self.root / "lib" / name).unlink()
        self.program_runs()

    def test_zlib_may_be_left_to_the_host(self):
        words = ["cc", "-print-file-name=libgomp.so.1"]
        shutil.copy(subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout.strip(), self.deps)
        subprocess.run(["patchelf", "--add-needed", "libz.so.1", self.root / "lib/libmain.so"], check=True)
        report = self.bundle(only=True)
        self.assertEqual([library["name"] for library in report["host_libraries"]], ["libz.so.1"])

    def test_another_processor_has_its_own(self):
        """libgomp.so.1 is in this machine's folders as well."""
        if not shutil.which("aarch64-linux-gnu-gcc"):
            self.skipTest("g++-aarch64-linux-gnu is not installed")
        shutil.rmtree(self.root)
        library = self.root / "lib/libmain.so"
        library.parent.mkdir(parents=True)
        text = MAIN.replace("a()", "1")
        command = ["aarch64-linux-gnu-gcc", "-xc", "-", "-shared", "-fPIC", "-fopenmp", "-o", library]
        subprocess.run(command, input=text, text=True, check=True)
        (copy,) = self.bundle()["bundled"]
        own = pathlib.Path("/usr/aarch64-linux-gnu/lib/libgomp.so.1").read_bytes()
        self.assertEqual((copy["name"], copy["sha256"]), ("libgomp.so.1", hashlib.sha256(own).hexdigest()))

    def test_no_stack_is_executable(self):
        compile_library(function("b"), self.deps / "libb.so.2", "-Wl,-z,execstack")
        (self.deps / "libb.so.2").chmod(0o555)
        before = self.scan("lib/plugins/plugin.so", self.deps / "libb.so.2")
        self.assertEqual([file["executable_stack"] for file in before], [True, True])
        self.bundle()
        after = self.scan("lib/libb.so.2", "lib/plugins/plugin.so", self.deps / "libb.so.2")
        self.assertEqual([file["executable_stack"] for file in after], [False, False, True])
        self.program_runs()

    def test_faults(self):
        cases = (
            (
                {"search": []},
                "liba.so.1 is needed by lib/libmain.so and was not found",
                "install the package that has it",
            ),
            (
                {"only": True},  # libgomp is on this machine
                f"libgomp.so.1 is needed by lib/libmain.so and is not in {self.box}/nowhere or {self.deps}",
                "take it from where the others are: this machine's must not get in",
            ),
            ({"also": ["libnone.so.9"]}, "libnone.so.9 is opened by name and was not found", "install the package"),
            ({"lib": "none"}, f"there is no folder {self.root}/none for libraries", "see which libraries were staged"),
            ({"needed_by": [__file__]}, f"torchpkg cannot read {__file__}", "see its message above"),
        )
        for members, what, remedy in cases:
            with self.subTest(what):
                self.refused(what, remedy, **members)
        for script, what, remedy in (
            (None, "patchelf is not on the PATH", "install patchelf"),
            ("#!/bin/sh\necho broken; exit 1\n", "failed: broken", "check that patchelf is at least 0.14"),
        ):
            with self.subTest(what):
                if script:
                    self.write("bin/patchelf", script, mode=0o755)
                self.environment(PATH=str(self.box / "bin"))
                self.refused(what, remedy)
