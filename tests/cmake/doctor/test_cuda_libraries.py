# SPDX-License-Identifier: BSD-3-Clause
"""cuDNN and cuSPARSELt: where they are looked for, and those that do not do."""

import shutil

from fixture import GCC, ToolkitTest

PIP = "python3 -m pip install --no-deps --target /somebody/nvidia-cu12"


class Libraries(ToolkitTest):
    checks = "cuda_toolkit cudnn"

    def setUp(self):
        super().setUp()
        self.toolkit()
        for file in "include/cudnn.h", "lib64/libcudnn.so.9":
            (self.root / "opt/cuda" / file).unlink()
        self.site = self.box / "site-packages"
        self.tool("python3", f"echo '{self.site}'")

    def cudnn(self, folder, minor, major=9, lib="lib", include="include", of_library=None, cuda=12):
        version = f"#define CUDNN_MAJOR {major}\n#define CUDNN_MINOR {minor}\n#define CUDNN_PATCHLEVEL 0\n"
        of_library = of_library or major
        self.write(folder / include / "cudnn_version.h", version)
        self.write(folder / include / "cudnn.h")
        self.write(folder / lib / f"libcudnn.so.{of_library}")
        self.write(folder / lib / f"libcudnn_adv.so.{of_library}", f"opens libcublasLt.so.{cuda} by name")

    def test_where_cudnn_is(self):
        """pip, conda, distribution, toolkit, TSB_CUDNN_HOME: each goes before the one before it here."""
        none = "cuDNN: version 9 for CUDA 12 is needed, and there is none"
        remedy = f"-> {PIP} nvidia-cudnn-cu12==9.1.0.70, and set TSB_CUDNN_HOME=/somebody/nvidia-cu12"
        self.ask(f"{none} here {remedy}", checks="cudnn", problems=1)
        self.ask(f"{none} in TSB_CUDNN_HOME, {self.bin}", problems=1, TSB_CUDNN_HOME=self.bin)
        # What that command gives.
        target = self.box / "target"
        self.cudnn(target / "nvidia/cudnn", 1)
        self.ask(f"-- cuDNN 9.1.0 in {target}/nvidia/cudnn (TSB_CUDNN_HOME)", TSB_CUDNN_HOME=target)

        of_pip = self.site / "nvidia/cudnn"
        self.cudnn(of_pip, 1)
        (self.site / "nvidia_cudnn_cu12-9.1.0.70.dist-info").mkdir()
        self.ask(
            f"-- cuDNN 9.1.0 in {of_pip} (pip); the official package has 9.1.0.70",
            f"TSB_CUDNN_headers is [{of_pip}/include/cudnn.h;{of_pip}/include/cudnn_version.h]",
            f"TSB_CUDNN_libraries is [{of_pip}/lib/libcudnn.so.9;{of_pip}/lib/libcudnn_adv.so.9]",
            "TSB_CUDNN_version is [9.1.0]",
        )
        conda, usr, cuda, mine = self.box / "conda", self.root / "usr", self.root / "opt/cuda", self.box / "mine"
        machine = "x86_64-linux-gnu"
        for minor, folder, found_by, places, environment in (
            (2, conda, "conda", {}, {"CONDA_PREFIX": conda}),
            (3, usr, "distribution", {"include": f"include/{machine}", "lib": f"lib/{machine}"}, {}),
            (4, cuda, "toolkit", {"lib": "lib64"}, {}),
            (5, mine, "TSB_CUDNN_HOME", {"lib": "lib64"}, {"TSB_CUDNN_HOME": mine}),
        ):
            self.cudnn(folder, minor, **places)
            self.ask(f"-- cuDNN 9.{minor}.0 in {folder} ({found_by})", **environment)

    def test_with_checks_in_cmake_between(self):
        """What one has found is known to those in another Python."""
        self.cudnn(self.root / "opt/cuda", 4, lib="lib64")
        self.tool("c++", GCC.format(12, 2))
        checks = "cuda_toolkit cuda_host_compiler cuda_driver cudnn nvtx"
        self.ask(f"-- cuDNN 9.4.0 in {self.root}/opt/cuda (toolkit)", "TSB_CUDA_NVTX is [", checks=checks)

    def test_of_pythonpath(self):
        folder = self.box / "more/nvidia/cudnn"
        self.cudnn(folder, 6)
        self.ask(f"-- cuDNN 9.6.0 in {folder} (pip)", PYTHONPATH=self.box / "more")

    def test_odd_files(self):
        """They end no check: a loop of links, a name without a version, a folder that cannot be a list of CMake's."""
        mine = self.box / "mine"
        self.cudnn(mine, 1)
        for name, target in ("libcudnn.so.9", "libcudnn-real"), ("libcudnn_adv.so.9", "libcudnn_adv.so.9"):
            (mine / "lib" / name).unlink()
            (mine / "lib" / name).symlink_to(target)
        self.ask(f"-- cuDNN 9.1.0 in {mine} (TSB_CUDNN_HOME)", TSB_CUDNN_HOME=mine)
        odd = self.box / "odd["
        self.cudnn(odd / "nvidia/cudnn", 1)
        self.ask("cudnn (pip), but its path has one of the characters", problems=1, PYTHONPATH=odd)

    def test_nothing_is_left(self):
        """A setting may hold a password, and a check may fail."""
        self.write("version/backends/cuda/doctor/cudnn.py", "def check(doctor):\n    raise OSError('full')\n")
        failed = "cudnn: the check itself has failed: OSError('full') ("
        self.ask(
            failed,
            "report this; to leave the check out: TSB_DOCTOR_SKIP=cudnn",
            problems=1,
            TSB_ADDITIONS=self.box / "version",
        )
        self.assertFalse(list(self.tmp.iterdir()))

    def test_which_cudnn_does_not_do(self):
        mine, usr = self.box / "mine", self.root / "usr"
        self.cudnn(mine, 9, major=8)
        found = f"cuDNN: version 9 for CUDA 12 is needed, found: 8.9.0 in {mine} (TSB_CUDNN_HOME)"
        self.ask(found, problems=1, TSB_CUDNN_HOME=mine)
        for fault, places in (
            ("its header is of 9.1.0 and its library of 8", {"of_library": 8}),
            ("it is for CUDA 13", {"cuda": 13}),
        ):
            self.cudnn(usr, 1, lib="lib64", **places)
            self.ask(f"9.1.0 in {usr} (distribution), but {fault}", problems=1)
            shutil.rmtree(usr / "lib64")
        self.ask(f"9.1.0 in {usr} (distribution), but it lacks the library libcudnn.so.<version>", problems=1)

    def test_licences(self):
        """Before hours are spent on what may not be passed on: the toolkit's in each artifact, others where they are inside."""
        home, mine = self.root / "opt/cuda", self.box / "mine"
        self.cudnn(mine, 1)
        checks = "cuda_toolkit cudnn cuda_licences"

        def ask(*says, artifacts="libtorch-shared-without-deps;libtorch-shared-with-deps", problems=0):
            settings = f'set(TSB_ARTIFACTS "{artifacts}" CACHE STRING "")'
            self.ask(*says, checks=checks, problems=problems, settings=settings, TSB_CUDNN_HOME=mine)

        eula = f"licence: the text of libcudart.so.12 ({home}/lib64/libcudart.so.12) is not on this machine -> put it there: EULA.txt"
        cudnn = f"licence: the text of libcudnn.so.9 ({mine}/lib/libcudnn.so.9) is not on this machine"
        (home / "EULA.txt").unlink(missing_ok=True)
        ask(eula, cudnn, problems=2)
        ask(eula, artifacts="conda-magma", problems=1)
        self.write(home / "EULA.txt", "terms")
        ask(artifacts="libtorch-shared-without-deps")
        ask(cudnn, artifacts="wheel-py312-large", problems=1)
        self.write(mine / "LICENSE.txt", "terms")
        ask()

    def test_cusparselt(self):
        """It is optional, but not when it was asked for by name, and nobody looks for it where its feature is off."""
        checks, folder = "cuda_toolkit cusparselt", self.site / "cusparselt"
        says = f"off ({PIP} nvidia-cusparselt-cu12==0.6.2, and set TSB_CUSPARSELT_HOME="
        self.ask(says, "TSB_CUSPARSELT is []", checks=checks)
        strict = "TSB_STRICT is ON: install it, or set TSB_ALLOW_MISSING=CUSPARSELT"
        self.ask(strict, checks=checks, problems=1, TSB_STRICT="ON")
        self.ask(says, checks=checks, TSB_STRICT="ON", TSB_ALLOW_MISSING="MAGMA;CUSPARSELT")
        nowhere = f"cuSPARSELt: TSB_CUSPARSELT_HOME is {self.bin}: there is none"
        self.ask(nowhere, checks=checks, problems=1, TSB_CUSPARSELT_HOME=self.bin)
        off = {"checks": checks, "TSB_PYTORCH_OPTIONS": "USE_CUSPARSELT=OFF", "TSB_STRICT": "ON"}
        self.ask("TSB_CUSPARSELT is []", **off)
        self.assertNotIn("cuSPARSELt", self.text)
        no_effect = "-- cuSPARSELt: the feature CUSPARSELT is off, and TSB_CUSPARSELT_HOME has no effect"
        self.ask(no_effect, TSB_CUSPARSELT_HOME=self.bin, **off)
        numbers = {"MAJOR": 0, "MINOR": 6, "PATCH": 2}
        text = "".join(f"#define CUSPARSELT_VER_{name} {number}\n" for name, number in numbers.items())
        self.write(folder / "include/cusparseLt.h", text)
        library = self.write(folder / "lib/libcusparseLt.so.0")
        self.ask(f"-- cuSPARSELt 0.6.2 in {folder} (pip)", f"TSB_CUSPARSELT_libraries is [{library}]", checks=checks)
        (self.site / "nvidia_cusparselt_cu13-0.8.0.dist-info").mkdir()
        self.ask("are off", f"; found: 0.6.2 in {folder} (pip), but it is for CUDA 13", checks=checks)

    def test_nvshmem(self):
        """Only for a release that has it; with the archive for the GPU, and all folders of headers."""
        folder = self.site / "nvidia/nvshmem"
        more = {"checks": "cuda_toolkit nvshmem", "version": "13.0", "release": "2.11.0"}
        self.ask("TSB_NVSHMEM is []", checks="cuda_toolkit nvshmem")
        self.assertNotIn("NVSHMEM:", self.text)
        self.toolkit("opt/cuda-13.0", "13.0.88")
        for file in "include/cufile.h", "lib64/libcufile.so":
            self.write(self.root / "opt/cuda-13.0" / file)
        pip = PIP.replace("cu12", "cu13")
        self.ask(f"is off ({pip} nvidia-nvshmem-cu13==3.4.5, and set TSB_NVSHMEM_HOME=", "TSB_NVSHMEM is []", **more)
        numbers = {"MAJOR": 3, "MINOR": 4, "PATCH": 5}
        text = "".join(f"#define NVSHMEM_VENDOR_{name}_VERSION {number}\n" for name, number in numbers.items())
        self.write(folder / "include/non_abi/nvshmem_version.h", text)
        names = "nvshmem.h nvshmemx.h bootstrap_device_host device device_host host non_abi".split()
        headers = [self.write(folder / "include" / name) for name in names[:2]] + [
            folder / "include" / name for name in names[2:]
        ]
        for header in headers[2:]:
            header.mkdir(exist_ok=True)
        names = "libnvshmem_host.so.3 nvshmem_bootstrap_uid.so.3 libnvshmem_device.a".split()
        paths = [self.write(folder / "lib" / name) for name in names]
        libraries = ";".join(map(str, paths))
        self.ask(
            f"-- NVSHMEM 3.4.5 in {folder} (pip)",
            f"TSB_NVSHMEM_libraries is [{libraries}]",
            f"TSB_NVSHMEM_headers is [{';'.join(map(str, sorted(headers)))}]",
            **more,
        )
        for part in (
            paths[-1],
            headers[0],
        ):  # without them PyTorch goes on without NVSHMEM, and says so in the middle of its log
            part.unlink()
            self.ask("is off", f"found: 3.4.5 in {folder} (pip), but it lacks {part.name}", "TSB_NVSHMEM is []", **more)
            self.write(part)
