# SPDX-License-Identifier: BSD-3-Clause
"""libtorch's CMake package and torch.pc, used by each kind of caller in consumers/: what libtorch_cpu registers is registered,
once, although a program names none of its symbols. The libraries have one function each."""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from box import ROOT, BoxTest

HERE = pathlib.Path(__file__).resolve().parent
VARIABLES = """TORCH_FOUND=TRUE
TORCH_INSTALL_PREFIX={root}
TORCH_INCLUDE_DIRS={root}/include;{root}/include/torch/csrc/api/include
TORCH_LIBRARIES={libraries}
TORCH_LIBRARY={root}/lib/{library}
TORCH_CXX_FLAGS=-D_GLIBCXX_USE_CXX11_ABI=1
Torch_VERSION=2.6.0
TORCH_CUDA_VERSION={cuda[0]}
TORCH_CUDA_ARCH_LIST={cuda[1]}
CMAKE_CUDA_ARCHITECTURES={cuda[2]}
"""
# A request for a version, and whether 2.6.0 meets it.
REQUESTS = {
    "": True,
    "2.6.0": True,
    "2.6": True,
    "2": True,
    "1.13.1": True,
    "2.6.1": False,
    "3": False,
    "2.6.0 EXACT": True,
    "2.5.1 EXACT": False,
    "2.4...2.6": True,
    "2.4...2.5": False,
    "2.4...<2.6": False,
    "2.4...<2.7": True,
    "2.7...2.9": False,
}


def run(*command):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def make_shared(source, library, *needs):
    soname = f"-Wl,-soname,{library.name}"
    run("c++", "-shared", "-fPIC", soname, source, "-Wl,--no-as-needed", *needs, "-o", library)


class Package:
    """One package, made in one folder and used in another one."""

    linkage = "static"
    cuda = False
    host = ""  # a library of the machine that static ones need
    says = "operators registered\n"
    names = ("c10", "torch_cpu")
    libraries, library = "torch", "libtorch_cpu.a"

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="packages ")
        cls.addClassCleanup(folder.cleanup)
        cls.work = pathlib.Path(folder.name).resolve()
        cls.project = shutil.copytree(HERE / "consumers", cls.work / "consumers")
        made = cls.work / "made here/libtorch"
        (made / "lib").mkdir(parents=True)
        (cls.work / "host").mkdir()
        cls.make_libraries(made / "lib")
        headers = shutil.copytree(cls.project / "headers", cls.work / "install/include")
        for path in ("caffe2/own.h", "ATen/own.h", "cpuinfo.h", "sleef.h", "kineto/libkineto.h"):
            (headers / path).parent.mkdir(exist_ok=True)
            (headers / path).touch()
        values = {"TSB_SOURCE_DIR": ROOT, "TSB_TEST_DIR": cls.work, "ROOT": made, "LINKAGE": cls.linkage}
        values.update(HOST_LIBRARY=cls.host, CUDA="ON" if cls.cuda else "OFF")
        run("cmake", *(f"-D{name}={value}" for name, value in values.items()), "-P", HERE / "make_package.cmake")
        (cls.work / "made here").rename(cls.work / "unpacked")
        cls.root = cls.work / "unpacked/libtorch"
        # Without blanks, for callers that cannot have them in a path.
        (cls.work / "plain").symlink_to(tempfile.mkdtemp(prefix="plain-"))
        cls.addClassCleanup(shutil.rmtree, os.readlink(cls.work / "plain"))
        cls.plain = pathlib.Path(os.readlink(cls.work / "plain")) / "libtorch"
        cls.plain.symlink_to(cls.root)

    @classmethod
    def make_libraries(cls, lib):
        sources = cls.project / "libraries"
        static = cls.linkage == "static"
        make_shared(sources / "host.cpp", cls.work / "host/libhost.so.7")
        if static:
            make_shared(sources / "help.cpp", lib / "libhelp-01234567.so.1")
        needs = {"torch_cuda": [lib / "libc10_cuda.so", lib / "libtorch_cpu.so"]}
        for name in cls.names:
            if static:
                definitions = ["-DHELP", *(["-DHOST"] if cls.host else [])]
                run("c++", "-fPIC", *definitions, "-c", sources / f"{name}.cpp", "-o", cls.work / f"{name}.o")
                run("ar", "rcs", lib / f"lib{name}.a", cls.work / f"{name}.o")
            else:
                make_shared(sources / f"{name}.cpp", lib / f"lib{name}.so", *needs.get(name, []))

    def setUp(self):
        super().setUp()
        folders = f"{self.root}/lib:{self.work}/host"
        self.environment(
            LD_LIBRARY_PATH=folders,
            LIBRARY_PATH=f"{self.work}/host",
            LDFLAGS="-Wl,--as-needed",  # as Ubuntu's compilers do unasked
            PKG_CONFIG_PATH=f"{self.plain}/lib/pkgconfig",
        )

    def configure(self, name, *options, ends=0):
        build = self.box / name
        command = ["cmake", "-S", self.project / name, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.root}"]
        self.run_program(ends, *map(str, command), *options)
        return build

    def build(self, name, *options):
        build = self.configure(name, *options)
        self.assertNotIn("Warning", self.text)
        self.run_program(0, "cmake", "--build", build)
        return build

    def ran(self, *programs, says=None):
        for program in programs:
            with self.subTest(program=program.name):
                self.run_program(0, program)
                self.assertEqual(self.text, self.says + "10\n" if says is None else says)

    def test_files(self):
        files = [*self.root.glob("share/**/*.cmake"), self.root / "lib/pkgconfig/torch.pc"]
        self.assertEqual(len(files), 7 if self.cuda else 6)
        for file in files:
            for fault in (str(self.work), "/build/machine", "protobuf", "@TSB"):
                self.assertNotIn(fault, file.read_text(), file)
        for name in ("macros/Export.h", "cuda/CUDAMacros.h"):
            visible = "visibility" in (self.root / "include/c10" / name).read_text()
            self.assertEqual(visible, self.linkage == "shared")
        headers = {folder.name: sorted(os.listdir(folder)) for folder in (self.root / "include").iterdir()}
        others = ["cpuinfo.h", "kineto", "other", "sleef.h"]
        own = {"ATen": ["own.h"], "c10": ["cuda", "macros", "number.h"], "caffe2": ["own.h"], "torch": ["csrc"]}
        self.assertEqual(headers, {**own, "third_party": others})

    def test_cmake(self):
        build = self.build("find_package", f"-DLINKAGE={self.linkage}", f"-DCMAKE_INSTALL_PREFIX={self.box}/installed")
        cuda = ("12.4", "9.0", "90-real") if self.cuda else ("", "", "")
        expected = VARIABLES.format(root=self.root, libraries=self.libraries, library=self.library, cuda=cuda)
        self.assertEqual((build / "variables.txt").read_text(), expected)
        hidden = "-fvisibility-inlines-hidden"
        self.assertEqual(hidden in (build / "build.ninja").read_text(), self.linkage == "static")
        self.assertEqual(hidden in run("pkg-config", "--cflags", "torch"), self.linkage == "static")
        for name in ("default", "hidden"):
            exported = run("nm", "-D", "--defined-only", build / f"lib{name}.so")
            self.assertIn(" of_user\n", exported)
            for symbol in ("_Z10get_numberv", "_ZNK6Number3getEv"):
                self.assertEqual(f" {symbol}\n" in exported, self.linkage == "shared", exported)
        self.ran(build / "app", build / "below/below", build / "several")
        self.run_program(0, build / "of_user/with_plugin", says=["the user's plugin"])
        self.run_program(0, "cmake", "--build", build, "--target", "our_header")
        self.ran(build / "of_user/our_header", says=self.says + "ours\n")
        self.environment(CPLUS_INCLUDE_PATH=f"{self.project}/find_package/of_user/include")  # as /usr/include
        self.run_program(0, "cmake", "--build", build, "--target", "their_header")
        self.ran(build / "of_user/their_header", says=self.says + "the user's\n")
        self.run_program(0, "cmake", "--install", build)
        for file in (self.box / "installed/share/mine").iterdir():
            self.assertNotIn(str(self.root), file.read_text())
        build = self.build("exported", f"-DMINE={self.box}/installed")
        self.ran(build / "app")

    def test_components(self):
        for component in ("shared" if self.linkage == "static" else "static", "python"):
            self.configure("find_package", f"-DLINKAGE={component}", ends=1)
            self.assertIn(f"(missing: {component})", self.text)

    def test_pkg_config(self):
        self.assertEqual(run("pkg-config", "--modversion", "torch"), "2.6.0\n")
        build = self.build("pkg_config")
        self.ran(build / "imported_target", build / "flags")
        if self.linkage == "shared" and not self.cuda:
            self.ran(build / "names")
        # As a makefile does it, from a folder with a blank in its name.
        self.environment(PKG_CONFIG_PATH=f"{self.root}/lib/pkgconfig")
        main, program = self.project / "find_package/main.cpp", self.box / "by hand"
        script = 'eval c++ -std=c++17 "\'$1\'" -o "\'$2\'" $LDFLAGS "$(pkg-config --cflags --libs torch)"'
        run("sh", "-c", script, "sh", main, program)
        self.ran(program)

    def test_pkg_config_by_name(self):
        """What callers get that take names only, and -L."""
        words = run("pkg-config", "--libs-only-l", "torch").split()
        wanted = [f"-l{name}" for name in self.names]
        self.assertEqual(sorted(word for word in words if word in wanted), sorted(wanted))
        folder = f"{self.plain}/lib/pkgconfig/../../lib"
        self.assertEqual(run("pkg-config", "--libs-only-L", "torch").split(), [f"-L{folder}"])

    @unittest.skipUnless(shutil.which("meson"), "Meson is not installed")
    def test_meson(self):
        self.run_program(0, "meson", "setup", str(self.box / "meson"), str(self.project / "pkg_config"))
        self.run_program(0, "meson", "compile", "-C", str(self.box / "meson"))
        self.ran(self.box / "meson/app")

    @unittest.skipUnless(importlib.util.find_spec("pkgconfig"), "Python's pkgconfig is not installed")
    def test_python_pkgconfig(self):
        self.run_program(0, sys.executable, self.project / "pkg_config/use_pkgconfig.py")
        for word in (*self.names, f"{self.plain}/lib/pkgconfig/../../lib"):
            self.assertIn(word, self.text.split())


class Shared(Package, BoxTest):
    linkage = "shared"
    names = ("c10", "torch_cpu", "torch")
    libraries, library = "torch;torch_library;c10", "libtorch.so"

    def test_versions(self):
        self.configure("versions", f"-DREQUESTS={';'.join(REQUESTS)}")
        found = dict(re.findall(r"request \[(.*)\]: (\S*) ", self.text))
        self.assertEqual({request: found[request] == "1" for request in REQUESTS}, REQUESTS)

    def test_old_abi(self):
        """One line, before other libraries have undefined symbols."""
        line = "libtorch 2.6.0 has the old C++ ABI of libstdc++. Compile all C++ libraries that are linked with it with"
        new = ["-DLINKAGE=shared"]
        self.configure("find_package", *new)
        self.assertNotIn("old C++ ABI", self.text)
        package = shutil.copytree(self.root, self.box / "old")
        config = package / "share/cmake/Torch/TorchConfig.cmake"
        config.write_text(config.read_text().replace("_ABI=1", "_ABI=0"))
        old = [*new, f"-DCMAKE_PREFIX_PATH={package}", f"-DTorch_DIR={config.parent}"]
        self.configure("find_package", *old)
        self.assertEqual(self.text.count(line), 1)
        self.configure("find_package", *old, "-DQUIET=QUIET")
        self.assertNotIn("old C++ ABI", self.text)

    def test_library_is_missing(self):
        torn = shutil.copytree(self.root, self.box / "torn")
        (torn / "lib/libtorch_cpu.so").unlink()
        self.configure("exported", f"-DCMAKE_PREFIX_PATH={torn}", ends=1)
        self.assertIn("libtorch is not whole", self.text)
        self.assertIn("lib/libtorch_cpu.so is missing. Unpack the zip again.", " ".join(self.text.split()))


class StaticWithDeps(Package, BoxTest):
    pass


class StaticWithoutDeps(Package, BoxTest):
    host = "libhost.so.7"


class WithCuda(Package):
    cuda = True
    says = "operators registered\nthose of CUDA\nlinear algebra\n"


class SharedCuda(WithCuda, BoxTest):
    linkage = "shared"
    says = "operators registered\nthose of CUDA\n"  # linear algebra is opened when it is needed
    names = ("c10", "torch_cpu", "c10_cuda", "torch_cuda", "torch")
    libraries, library = "torch;torch_library;c10;c10_cuda", "libtorch.so"

    def test_headers_of_the_toolkit(self):
        """Those of another version do not count."""
        header = self.box / "toolkit/include/cuda_runtime_api.h"
        for version in 12040, 11000:
            self.write(header, f"#define CUDART_VERSION {version}\n")
            shutil.rmtree(self.box / "find_package", ignore_errors=True)
            build = self.configure("find_package", "-DLINKAGE=shared", f"-DCUDAToolkit_ROOT={self.box}/toolkit")
            self.assertEqual(f"{header.parent}" in (build / "build.ninja").read_text(), version == 12040)

    def test_older_library_in_the_toolkit(self):
        """The linker takes the package's own."""
        package = shutil.copytree(self.root, self.box / "newer")
        today, older, user = (self.box / f"{name}.cpp" for name in ("today", "older", "user"))
        today.write_text("int nccl_of_today() { return 1; }\n")
        older.write_text("")
        user.write_text("int nccl_of_today();\nint c10_number_of_cuda() { return nccl_of_today(); }\n")
        make_shared(today, package / "lib/libnccl.so.2")
        make_shared(user, package / "lib/libc10_cuda.so", package / "lib/libnccl.so.2")
        self.write("toolkit/include/cuda_runtime_api.h", "#define CUDART_VERSION 12040\n")
        self.write("toolkit/lib64/libcudart.so")
        make_shared(older, self.box / "toolkit/lib64/libnccl.so.2")
        options = [f"-DCMAKE_PREFIX_PATH={package}", f"-DCUDAToolkit_ROOT={self.box}/toolkit", "-DLINKAGE=shared"]
        self.ran(self.build("find_package", *options) / "app")


class StaticCuda(WithCuda, BoxTest):
    host = "libhost.so.7"
    names = ("c10", "torch_cpu", "c10_cuda", "torch_cuda", "torch_cuda_linalg")
    libraries = "torch;c10_cuda"
