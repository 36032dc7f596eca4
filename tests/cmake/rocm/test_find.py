# SPDX-License-Identifier: BSD-3-Clause
"""Which clang and device libraries of a distribution belong together, what ROCM_PATH and HIP_CLANG_PATH may be, and which
libraries a toolkit has. (tests/cmake/doctor/test_rocm.py has the order of several.)"""

import json
import os
import shutil

from box import ROOT, BoxTest

from backends.rocm.doctor.detail.rocm_toolkits import find_toolkits

FACTS = json.loads((ROOT / "backends/rocm/libraries.json").read_text())


class Find(BoxTest):
    def setUp(self):
        super().setUp()
        self.environment(ROCM_PATH=None, HIP_CLANG_PATH=None)
        self.usr = self.box / "usr"
        self.rocm(self.usr, "6.2.4 LAYOUT distribution")

    def rocm(self, place, more):
        text = (
            f'set(TSB_SOURCE_DIR "{ROOT}")\ninclude("{ROOT}/tests/fixtures/rocm.cmake")\nmake_rocm("{place}" {more})\n'
        )
        self.run_program(0, "cmake", "-P", self.write("make.cmake", text))

    def add(self, llvm, libraries=None):
        """In /usr: a folder of LLVM, and in it one of device libraries."""
        self.write(self.usr / llvm / "bin/clang++")
        if libraries:
            self.write(self.usr / llvm / libraries / "amdgcn/bitcode/ocml.bc")

    def has(self, number=0, fault="", **members):
        toolkit = find_toolkits(FACTS, [], str(self.box))[number]
        members = {name: str(value) for name, value in members.items()}
        self.assertEqual({name: toolkit[name] for name in ("fault", *members)}, {"fault": fault, **members})

    def test_clang_of_a_distribution(self):
        """Device libraries in a common folder go with the newest clang. One that has its own goes before."""
        lib = self.usr / "lib"
        common = lib / "x86_64-linux-gnu/amdgcn/bitcode"
        self.has(clang=lib / "llvm-22/bin", device_libraries=common)
        self.add("lib/llvm-9")
        self.add("lib/llvm-23")
        self.has(clang=lib / "llvm-23/bin", device_libraries=common)
        self.add("lib/llvm-9", "lib/clang/9")
        self.add("lib/llvm-17", "lib/clang/17/lib")
        own = lib / "llvm-17/lib/clang/17/lib/amdgcn/bitcode"
        self.has(clang=lib / "llvm-17/bin", device_libraries=own)
        # HIP_CLANG_PATH, and a link to it.
        own = lib / "llvm-9/lib/clang/9/amdgcn/bitcode"
        (self.usr / "bin/clang++").symlink_to("../lib/llvm-9/bin/clang++")
        for folder in lib / "llvm-9/bin", self.usr / "bin":
            self.environment(HIP_CLANG_PATH=str(folder))
            self.has(clang=folder, device_libraries=own)
        for value in "/nowhere", os.path.relpath(lib / "llvm-9/bin"):
            self.environment(HIP_CLANG_PATH=value)
            self.has(fault=f"it lacks clang++ in HIP_CLANG_PATH, which is {value}")

    def test_fedora(self):
        for folder in "llvm-22", "x86_64-linux-gnu/amdgcn":
            shutil.rmtree(self.usr / "lib" / folder)
        self.add("lib64/rocm/llvm", "lib/clang/18")
        llvm = self.usr / "lib64/rocm/llvm"
        self.has(clang=llvm / "bin", device_libraries=llvm / "lib/clang/18/amdgcn/bitcode")

    def test_rocm_path(self):
        """It is one folder, wherever one is; the others stay what they are."""
        home = self.box / "opt/rocm"
        self.rocm(home, "6.1.2")
        for value in os.path.relpath(home), f"{home};{self.usr}":
            self.environment(ROCM_PATH=value)
            self.has(0, "it is not the absolute path of one folder", found_by="ROCM_PATH")
            self.has(1, found_by="/opt", home=home)
            self.has(2, found_by="distribution", home=self.usr)

    def test_libraries(self):
        """Those that libraries.json knows, where each layout has them."""
        self.rocm(self.box / "opt/rocm", "6.1.2")
        for number, lib in enumerate((self.box / "opt/rocm/lib", self.usr / "lib/x86_64-linux-gnu")):
            for name in (
                "libc.so.6",
                "libhipblaslt_more.so",
                "libhiprtc-builtins.so.6",
                "librocblas.so",
                "librocblas.so.4",
            ):
                self.write(lib / name)
            names = "libhiprtc-builtins.so.6", "librocblas.so", "librocblas.so.4"
            found = find_toolkits(FACTS, [], str(self.box))[number]["libraries"]
            self.assertEqual(found, [f"{lib}/{name}" for name in names])
