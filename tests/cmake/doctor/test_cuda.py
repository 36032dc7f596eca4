# SPDX-License-Identifier: BSD-3-Clause
"""CUDA: the toolkit, its host compiler, both with the C library, the driver, the architectures."""

import shutil

from box import ROOT
from fixture import CLANG, GCC, ToolkitTest


class Toolkit(ToolkitTest):
    """Which one is taken, and the message where none can be. (tests/cmake/cuda/find.cmake has all faults of one.)"""

    checks = "cuda_toolkit"

    def test_none(self):
        none = "CUDA toolkit: 12.4 is needed, and there is no toolkit here"
        self.ask(f"{none} -> apt-get install cuda-toolkit-12-4 (of NVIDIA's repository), or name one in", problems=1)
        self.assertNotIn("TSB_CUDA_TOOLKIT is", self.text)
        self.tool("apt-cache", "echo '  Candidate: 12.4.131~12.4.1-2'")
        self.ask("-> apt-get install nvidia-cuda-toolkit, or name one in TSB_CUDA_HOME", problems=1)

    def test_others(self):
        """All are named; a preset for one is offered where its release can be built."""
        local = self.root / "usr/local"
        self.toolkit(local / "cuda-13.2", "13.2.86")
        self.toolkit(local / "cuda-11.8", "11.8.89")
        self.ask(
            f"CUDA toolkit: 12.4 is needed, found: 13.2.86 in {local}/cuda-13.2 (/usr/local)",
            f"11.8.89 in {local}/cuda-11.8 (/usr/local)",
            f"or take the preset cu118-..., which is for PyTorch {self.release}",
            problems=1,
        )
        self.assertNotIn("cu132-", self.text)
        self.toolkit("usr", "12.4.131 LAYOUT distribution")
        self.ask(
            f"-- CUDA toolkit: 12.4.131 in {self.root}/usr (distribution)",
            "CUDA toolkit: not for this preset: 13.2.86 in",
            f"TSB_CUDA_TOOLKIT_home is [{self.root}/usr]",
            f"NVTX: {self.root}/usr/lib/x86_64-linux-gnu/libnvToolsExt.so",
            "TSB_CUDA_NVTX is [library]",
            checks="cuda_toolkit nvtx",
        )
        # Two of the version: the first by the documented order, and a line says so; TSB_CUDA_HOME decides.
        self.toolkit(local / "cuda-12.4", "12.4.99")
        taken = f"-- CUDA toolkit: 12.4.99 in {local}/cuda-12.4 (/usr/local)"
        other = f"TSB_CUDA_HOME would take another one: 12.4.131 in {self.root}/usr (distribution)"
        self.ask(taken, f"the first of several 12.4; {other}")
        self.ask(f"-- CUDA toolkit: 12.4.131 in {self.root}/usr (TSB_CUDA_HOME)", TSB_CUDA_HOME=self.root / "usr")
        wrong = f"TSB_CUDA_HOME is {local}/cuda-13.2, which is CUDA 13.2.86, but this preset is for 12.4"
        remedy = "-> name a toolkit 12.4, or unset it"
        self.ask(f"CUDA toolkit: {wrong} {remedy}", problems=1, TSB_CUDA_HOME=local / "cuda-13.2")

    def test_incomplete(self):
        self.toolkit()
        for file in self.root / "opt/cuda/include/cufft.h", *(self.root / "opt/cuda/lib64").glob("libcusparse.so*"):
            file.unlink()
        all_of_it = (
            "-> install all of the toolkit, not the compiler alone (Debian: nvidia-cuda-toolkit and nvidia-cuda-dev)"
        )
        lacks = f"12.4.131 in {self.root}/opt/cuda (/opt) lacks"
        self.ask(f"{lacks} cufft.h, libcusparse.so", all_of_it, problems=1)
        # Another package needs less of it.
        self.ask(f"{lacks} libcusparse.so", all_of_it, more=("PACKAGES", "magma"), problems=1)
        self.ask("-- CUDA toolkit: 12.4.131 in", more=("PACKAGES", "nccl"))

    def test_of_a_feature(self):
        """cuFile, where the release has it: a toolkit without it would fail when PyTorch links."""
        home, newer = self.root / "opt/cuda", {"version": "13.0", "checks": "cuda_toolkit"}
        self.toolkit(more="13.0.88")
        lacks, has = (
            f"13.0.88 in {home} (/opt) lacks cufile.h, libcufile.so",
            f"-- CUDA toolkit: 13.0.88 in {home} (/opt)",
        )
        newer["release"] = "2.11.0"
        self.ask(lacks, "-> install all of the toolkit", problems=1, **newer)
        for off in "USE_CUFILE=OFF", "USE_KINETO=ON USE_CUFILE:BOOL=no":
            self.ask(has, TSB_PYTORCH_OPTIONS=off, **newer)
        self.ask(lacks, TSB_PYTORCH_OPTIONS="USE_CUFILE=ON", problems=1, **newer)
        self.ask(has, more=("PACKAGES", "nccl", "magma"), **newer)
        for file in "include/cufile.h", "lib64/libcufile.so.0":
            self.write(home / file)
        self.ask(has, **newer)

    def test_what_is_built(self):
        """The command, by artifacts and TSB_PACKAGES: MAGMA and NCCL need nothing of what PyTorch alone does."""
        self.toolkit(more="13.0.88")
        lacks, cudnn, nvshmem = "lacks cufile.h, libcufile.so", "cuDNN", "NVSHMEM"
        for settings, says in (
            ("TSB_ARTIFACTS=libtorch-shared-with-deps", [lacks, cudnn, nvshmem]),
            ("TSB_ARTIFACTS=libtorch-shared-with-deps TSB_PYTORCH_OPTIONS=USE_CUFILE=OFF;USE_NVSHMEM=0", [cudnn]),
            ("TSB_ARTIFACTS=libtorch-shared-with-deps TSB_PACKAGES=nccl", []),
            ("TSB_ARTIFACTS=conda-magma", []),
        ):
            words = [f"-D{word}" for word in ("TSB_BACKEND=cu130", *settings.split())]
            home = {"TSB_CUDA_HOME": self.root / "opt/cuda"}
            with self.subTest(settings):
                self.on_machine(1, *words, "-P", ROOT / "cmake/doctor/doctor.cmake", says=["toolkit: 13.0.88"], **home)
                self.assertEqual([one for one in (lacks, cudnn, nvshmem) if one in self.text], says)

    def test_a_part_of_another_version(self):
        """The remedy of Debian's own."""
        self.toolkit("usr", "12.4.131 LAYOUT distribution")
        self.make(("cuda_tool", "usr/bin/ptxas", "13.0.88"))
        versions = "printf '  Installed: 12.4.131~12.4.1-2\\n  Candidate: 12.4.131~12.4.1-2\\n'"
        self.tool("apt-cache", versions)
        ptxas = f"but its ptxas ({self.root}/usr/bin/ptxas) is V13.0.88"
        reinstall = "-> apt-get install --reinstall nvidia-cuda-toolkit nvidia-cuda-dev, or name one in TSB_CUDA_HOME"
        self.ask(f"12.4.131 in {self.root}/usr (distribution), {ptxas}", reinstall, problems=1)

    def test_nvtx(self):
        """Headers since 12.9."""
        self.toolkit(more="12.9.86")
        newer = {"checks": "cuda_toolkit nvtx", "release": "2.8.0", "version": "12.9"}
        self.ask("NVTX: the headers nvtx3 replace libnvToolsExt", "TSB_CUDA_NVTX is [headers]", **newer)
        (self.root / "opt/cuda/include/nvtx3/nvToolsExt.h").unlink()
        says = f"NVTX: neither libnvToolsExt nor the headers nvtx3 are in the toolkit {self.root}/opt/cuda"
        self.ask(says, "install them", problems=1, **newer)


class HostCompiler(ToolkitTest):
    """The compiler that nvcc hands C++ to: too new by the toolkit's own header, and what is offered instead."""

    checks = "cuda_toolkit cuda_host_compiler"

    def setUp(self):
        super().setUp()
        self.toolkit(more="12.4.131 GCC 13 CLANG 18")

    def test_gcc(self):
        self.tool("c++", GCC.format(13, 2))
        self.ask(
            f"-- CUDA host compiler: gcc 13.2.0 ({self.bin}/c++)",
            f"TSB_CUDA_TOOLKIT_host_compiler is [{self.bin}/c++]",
            "TSB_CUDA_HOST_COMPILER_VERSION is [gcc 13.2.0]",
        )
        self.tool("c++", GCC.format(14, 2))
        says = f"CUDA host compiler: {self.bin}/c++ is gcc 14.2.0, and nvcc 12.4.131 takes gcc up to 13 only"
        self.ask(f"{says} -> apt-get install g++-13, and set TSB_CUDA_HOST_COMPILER=g++-13", problems=1)
        self.assertNotIn("TSB_CUDA_TOOLKIT_host_compiler is", self.text)
        # The newest that the distribution has; the greatest where that is not known.
        self.tool("apt-cache", "[ $2 = g++-12 ] && echo '  Candidate: 12.5.0-11' || echo '  Candidate: (none)'")
        self.ask("-> apt-get install g++-12, and set TSB_CUDA_HOST_COMPILER=g++-12", problems=1)
        for major in 11, 12, 14:
            self.tool(f"g++-{major}", GCC.format(major, 2))
        self.ask(f"-> set TSB_CUDA_HOST_COMPILER={self.bin}/g++-12, which is here and fits", problems=1)
        for asked in "g++-12", self.bin / "g++-12":
            self.ask(f"-- CUDA host compiler: gcc 12.2.0 ({self.bin}/g++-12)", TSB_CUDA_HOST_COMPILER=asked)
        # That of the build folder, or of -D, and not another one behind it.
        self.tool("cc", GCC.format(12, 2))
        says = f"-- CUDA host compiler: gcc 12.2.0 ({self.bin}/g++-12)"
        settings = f'set(CMAKE_CXX_COMPILER "{self.bin}/g++-12")'
        self.ask(says, checks=f"compiler {self.checks}", settings=settings, CXX="c++")

    def test_others(self):
        self.tool("odd", "echo nothing")
        self.tool("clang", CLANG.format(17, 0))
        self.tool("new-clang", CLANG.format(18, 0))
        too_new = f"{self.bin}/new-clang is clang 18, and nvcc 12.4.131 takes clang up to 17 only"
        for says, problems, environment in (
            ("CUDA host compiler: there is no /nowhere/g++", 1, {"CXX": "/nowhere/g++"}),
            (f"CUDA host compiler: {self.bin}/odd is neither gcc nor clang", 1, {"TSB_CUDA_HOST_COMPILER": "odd"}),
            (f"-- CUDA host compiler: clang 17 ({self.bin}/clang)", 0, {"CXX": "clang"}),
            (too_new, 1, {"CXX": "new-clang"}),
        ):
            self.ask(says, problems=problems, **environment)
        # Without a toolkit there is one problem, not two.
        shutil.rmtree(self.root / "opt")
        self.ask("CUDA toolkit: 12.4 is needed", problems=1)


class Together(ToolkitTest):
    """Toolkit, host compiler and C library: what cannot work is named before anything is compiled."""

    checks = "cuda_toolkit cuda_host_compiler cuda_compile"

    def test_compile(self):
        self.toolkit()
        self.make(("cxx_of_glibc", self.bin / "c++", 41))
        cuda = self.root / "opt/cuda"
        parts = f"CUDA: nvcc 12.4.131, gcc 13.2 ({self.bin}/c++) and glibc 2.41"
        # Headers that are older than the C library's: they work where the layout puts them.
        self.ask(f"-- {parts} work together")
        clash = self.write(cuda / "include/crt/math_functions.h", "unknown here: sinpi(double x);\n")
        another = "-> name another toolkit in TSB_CUDA_HOME or another compiler in TSB_CUDA_HOST_COMPILER"
        error = "mathcalls.h(79): error: exception specification is incompatible"
        self.ask(f"{parts} do not work together: {error} {another}", problems=1)
        self.assertFalse(list(self.tmp.iterdir()))
        file = self.bin / "c++"
        no_folder = f"CUDA: the folder for temporary files, {file}, cannot be written to: Not a directory -> set TMPDIR"
        self.ask(no_folder, problems=1, TMPDIR=file)
        # What the laid-out toolkit would take from elsewhere.
        clash.write_text("\n")
        nvcc = cuda / "bin/nvcc"
        nvcc.write_text(nvcc.read_text().replace("ptxas fatbinary nvlink", "/elsewhere/ptxas"))
        self.ask("do not work together: nvcc would run ptxas, which does not exist", problems=1)

    def test_a_second_configure_does_not_compile_again(self):
        """Unless something has changed."""
        self.toolkit()
        self.make(("cxx_of_glibc", self.bin / "c++", 41))
        self.tools_of_machine("make")
        self.ask("glibc 2.41 work together")
        script = (self.box / "run.cmake").read_text()
        self.write("project/CMakeLists.txt", script.replace("tsb_doctor(", "project(p LANGUAGES NONE)\ntsb_doctor("))
        headers = self.root / "opt/cuda/include/crt/math_functions.h"
        words = "-S", self.box / "project", "-B", self.box / "build", "-GUnix Makefiles"
        self.on_machine(0, *words, says=["glibc 2.41 work together"])
        headers.write_text("unknown here: sinpi(double x);\n")
        self.on_machine(0, *words, says=["glibc 2.41 work together"])
        self.make(("cxx_of_glibc", self.bin / "c++", 42))
        self.on_machine(1, *words, says=["glibc 2.42 do not work together: mathcalls.h(79)"])


class Driver(ToolkitTest):
    checks = "cuda_driver"

    def test_driver(self):
        """None, as new, older but of the same major version, too old; as the kernel's two modules say it."""
        none = "-- CUDA driver: none here, which is fine for building; what needs a GPU is not tested"
        self.ask(none)
        closed, build = (
            "NVIDIA UNIX x86_64 Kernel Module  {}  Tue Mar  5",
            "Release Build  (root@host)  Sun Jul 27 2025",
        )
        opened = f"NVIDIA UNIX Open Kernel Module for x86_64  {{}}  {build}"
        old = "535.183.01 is older than CUDA 12.4 (550.54.14); runs its programs, compiles none of its PTX"
        for module, driver, says, version in (
            (closed, "550.54.15", "-- CUDA driver: 550.54.15", "12.4"),
            (closed, "535.183.01", old, "12.4"),
            (closed, "470.256.02", "470.256.02 is older than CUDA 11.8 (520.61.05)", "11.8"),
            (opened, "580.65.06", "-- CUDA driver: 580.65.06", "12.4"),
        ):
            self.write(self.root / "proc/driver/nvidia/version", f"NVRM version: {module.format(driver)}\n")
            self.ask(says, version=version)
        file = self.write(self.root / "proc/driver/nvidia/version", f"NVRM version: {closed.format('470.256.02')}\n")
        self.ask(
            "CUDA driver: 470.256.02 is too old for CUDA 12.4 (525.60.13 is needed): nothing built would run here",
            "-> install driver 550.54.14 or newer, or take a preset of a CUDA that is not newer than the driver (11.8 at",
            "-> cuda-compat helps on data-centre GPUs only, others fail with error 804: forward compatibility",
            "-> to build for other machines anyway: TSB_DOCTOR_SKIP=cuda_driver",
            problems=1,
        )
        file.unlink()  # as it may be in a container
        self.tool("nvidia-smi", "echo 450.51.06; echo 450.51.06")
        self.ask("CUDA driver: 450.51.06 is too old for CUDA 12.4", problems=1)
        self.tool("nvidia-smi", "echo 'NVIDIA-SMI has failed'; exit 9")
        self.ask(none)


class Architectures(ToolkitTest):
    """TSB_CUDA_ARCHS: what nvcc knows. (tests/cmake/cuda/archs.cmake has what it comes to.)"""

    checks = "cuda_toolkit cuda_archs"

    def test_architectures(self):
        self.toolkit()
        self.ask("-- CUDA architectures: 5.0 6.0 7.0 7.5 8.0 8.6 9.0; libtorch_cuda.so comes to about")
        self.ask("-- CUDA architectures: 8.0 9.0+PTX;", TSB_CUDA_ARCHS="9.0+PTX, 8.0")
        unknown = (
            "CUDA architectures: nvcc of CUDA 12.4.131 does not know 9.1 12.0, only 5.0 6.0 7.0 7.5 8.0 8.6 8.9 9.0"
        )
        other = "-> name others in TSB_CUDA_ARCHS, or take a preset of another CUDA"
        self.ask(f"{unknown} {other}", problems=1, TSB_CUDA_ARCHS="8.0;9.1;12.0+PTX")
