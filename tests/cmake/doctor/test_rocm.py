# SPDX-License-Identifier: BSD-3-Clause
"""ROCm: which one is taken, and the message where none can be. (What is as with CUDA: test_cuda.py.)"""

import shutil

from fixture import ToolkitTest


class Rocm(ToolkitTest):
    kind, version, release = "rocm", "6.2", "9.9.0"
    checks = "rocm_toolkit rocm_archs rocm_compile"

    def setUp(self):
        super().setUp()
        self.tool("c++", "exit 0")
        backends = {"rocm": {"6.2": {"archs": ["gfx906", "gfx90a"]}}}
        facts = {"cxx_standard": "17", "libtorch_zip": "x", "pythons": [], "backends": backends}
        self.write("additions/releases/9.9.0/release.json", facts)
        self.environment(TSB_ADDITIONS=str(self.box / "additions"))
        self.opt, self.usr = self.root / "opt", self.root / "usr"

    def rocm(self, *places):
        """(folder, version and layout)"""
        self.make(*(("make_rocm", place, more) for place, more in places))

    def test_others(self):
        none = "ROCm toolkit: 6.2 is needed, and there is none here"
        self.ask(f"{none} -> install all of ROCm 6.2 (https://rocm.docs.amd.com), or name one in ROCM_PATH", problems=1)
        self.assertNotIn("TSB_ROCM_TOOLKIT_home is", self.text)
        self.rocm((self.opt / "rocm-6.1.2", "6.1.2"), (self.usr, "7.2.4 LAYOUT distribution"))
        found = f"6.1.2 in {self.opt}/rocm-6.1.2 (/opt); 7.2.4 in {self.usr} (distribution)"
        self.ask(f"ROCm toolkit: 6.2 is needed, found: {found}", checks="rocm_toolkit", problems=1)
        self.ask(
            f"7.2.4 in {self.usr} (distribution), but it lacks clang++ in HIP_CLANG_PATH, which is /nowhere",
            "-> or set HIP_CLANG_PATH to the absolute path of a folder with ROCm's clang++, or unset it",
            checks="rocm_toolkit",
            problems=1,
            HIP_CLANG_PATH="/nowhere",
        )

    def test_found_in_both_layouts(self):
        self.rocm((self.opt / "rocm-6.1.2", "6.1.2"), (self.usr, "6.2.4 LAYOUT distribution"))
        self.ask(
            f"-- ROCm toolkit: 6.2.4 in {self.usr} (distribution)",
            f"not for this preset: 6.1.2 in {self.opt}/rocm-6.1.2 (/opt)",
            f"TSB_ROCM_TOOLKIT_clang is [{self.usr}/lib/llvm-22/bin]",
            f"TSB_ROCM_TOOLKIT_configs is [{self.usr}/lib/x86_64-linux-gnu/cmake]",
            "TSB_ROCM_TOOLKIT_layout is [distribution]",
            "TSB_ROCM_TOOLKIT_components_rocblas is [4.2.4]",
            "TSB_ROCM_TOOLKIT_components_amd_comgr is [unknown]",
            "TSB_ROCM_TOOLKIT_components_rocprim is [3.2.4]",
            "TSB_ROCM_TOOLKIT_kernels is [rocblas/5/library]",
        )
        # Two: the first by the documented order, and a line says so; a link to it does not count. ROCM_PATH decides.
        self.rocm((self.opt / "rocm-6.2.4", "6.2.4"))
        (self.opt / "rocm").symlink_to("rocm-6.2.4")
        other = f"ROCM_PATH would take another one: 6.2.4 in {self.usr} (distribution)"
        self.ask(
            f"-- ROCm toolkit: 6.2.4 in {self.opt}/rocm (/opt)",
            f"the first of several 6.2; {other}",
            "TSB_ROCM_TOOLKIT_layout is [standard]",
            "ROCm architectures: gfx906 gfx90a",
            f"ROCm: {self.opt}/rocm/bin/hipcc with {self.opt}/rocm/llvm/bin compiles for gfx906 gfx90a",
        )
        decided = f"-- ROCm toolkit: 6.2.4 in {self.usr} (ROCM_PATH)"
        self.ask(decided, "TSB_ROCM_TOOLKIT_layout is [distribution]", checks="rocm_toolkit", ROCM_PATH=f"{self.usr}/")

    def test_components(self):
        """Some are missing, some of another version."""
        rocm = self.opt / "rocm-6.2.4"
        self.rocm((rocm, "6.2.4"))
        for folder in "lib/cmake/hipblaslt", "lib/cmake/miopen", "include/ck", "lib/rocblas":
            shutil.rmtree(rocm / folder)
        for name, version in ("rocblas", "4.1.2"), ("rccl", "2.200.1"):
            self.write(rocm / f"lib/cmake/{name}/{name}-config-version.cmake", f'set(PACKAGE_VERSION "{version}")\n')
        lacks = f"6.2.4 in {rocm} (/opt) lacks miopen, hipblaslt, ck/ck.hpp, {rocm}/lib/rocblas/library"
        mixed = "not of ROCm 6.2, whose versions are in brackets: rocblas 4.1.2 (4.2), rccl 2.200.1 (2.20)"
        self.ask(
            f"ROCm toolkit: {lacks} -> install these components of the same ROCm, with their files for CMake",
            f"{mixed} -> install all components from one ROCm",
            problems=2,
        )
        # An incomplete one does not hide a complete one, unless ROCM_PATH names it.
        self.rocm((self.opt / "rocm-6.2.3", "6.2.3"))
        self.ask(
            f"-- ROCm toolkit: 6.2.3 in {self.opt}/rocm-6.2.3 (/opt)",
            f"not for this preset: 6.2.4 in {rocm} (/opt), but it lacks miopen, hipblaslt, ck/ck.hpp",
            "/rocblas/library and has components that are not of ROCm 6.2",
            "rccl 2.200.1 (2.20)",
            checks="rocm_toolkit",
        )
        named = f"ROCm toolkit: 6.2.4 in {rocm} (ROCM_PATH) lacks miopen"
        self.ask(named, checks="rocm_toolkit", problems=2, ROCM_PATH=rocm)

    def test_gpus_and_their_compiler(self):
        """tests/cmake/rocm/test_archs.py has what can be wrong with the list."""
        rocm = self.opt / "rocm-6.2.4"
        self.rocm((rocm, "6.2.4"))
        archs = "rocm_toolkit rocm_archs"
        self.ask("-- ROCm architectures: gfx1100 gfx90a", checks=archs, TSB_ROCM_ARCHS="gfx1100, gfx90a")
        self.ask(
            'TSB_ROCM_ARCHS is "gfx950": ROCm 6.2 does not know gfx950',
            "-> remove it from TSB_ROCM_ARCHS, or take another ROCm",
            problems=1,
            TSB_ROCM_ARCHS="gfx950",
        )
        self.write(rocm / "refused", "a note\nclang: error: cannot find HIP runtime\nanother error\n")
        self.ask(
            "does not compile for gfx906 gfx90a: clang: error: cannot find HIP runtime "
            "-> name another ROCm in ROCM_PATH, or other GPUs in TSB_ROCM_ARCHS",
            "-> or try anyway: TSB_DOCTOR_SKIP=rocm_compile",
            problems=1,
        )
        self.assertFalse(list(self.tmp.iterdir()))
        (rocm / "bin/hipcc").chmod(0o444)
        self.ask("the compiler ended with 126: ", "env: ", "bin/hipcc", "Permission denied", problems=1)
        (rocm / "lib/rocblas/library/TensileLibrary_lazy_gfx906.dat").unlink()
        none = f"rocBLAS has no kernels for gfx906 in {rocm}/lib/rocblas/library; for others: gfx90a gfx1100"
        remedy = "-> install rocBLAS with kernels for gfx906, or set TSB_ROCM_ARCHS to some of these"
        self.ask(f"ROCm architectures: {none} {remedy}", checks=archs, problems=1)
