# SPDX-License-Identifier: BSD-3-Clause
"""What the doctor says about a machine: all at once, as a command, and of folders, disks and the like."""

import os

from box import ROOT
from fixture import CLANG, GCC, DoctorTest

from engine.model.cells import cell_of

COMPILERS = "gcc 10 or clang 12 or newer is needed -> apt-get install g++"


class All(DoctorTest):
    def test_a_machine_that_has_everything(self):
        compile_it = '\n[ $1 = -dM ] || cp /bin/true "$3"'
        for name, script in {
            "ninja": "echo 1.10.0",
            "cc": GCC.format(10, 1) + compile_it,
            "c++": CLANG.format(12, 0) + compile_it,
            "python3": "echo '3.9.2|/the/real/python3'",
            "patchelf": "echo patchelf 0.14",
            "patch": "echo GNU patch 2.7",
            "tar": "echo tar 1",
            "xz": "echo 'xz (XZ Utils) 5.4.1'",
        }.items():
            self.tool(name, script)
        self.tools_of_machine("df", "mktemp")
        later = self.box / "not yet/there"
        self.doctor(
            "",
            "-- ninja 1.10.0",
            f"-- C compiler gcc 10.1.0 ({self.bin}/cc) -- C++ compiler clang 12.0 ({self.bin}/c++)",
            "-- git: none (only needed for sources that are given as commits)",
            "-- compiler cache: none",
            "-- TSB_COMPILER_CACHE is []",
            "-- TSB_CODEGEN_PYTHON is [/the/real/python3]",
            f"MB free below {self.box}",
            more=("SOURCE_DIR", self.box, "WRITABLE", later, "DISK", self.box, 1, "MEMORY_MB", 1),
        )
        self.assertEqual(sorted(os.listdir(self.box)), ["bin", "run.cmake"], "no trace")
        self.assertNotIn("make:", self.text, "what NCCL's and MAGMA's makefiles call is for CUDA alone")
        cuda = ("cuda", "12.4")
        which = "which: not found; packages for CUDA 12.4 are built with it"
        self.doctor("tools", "make: not found", which, "perl: not found", problems=3, backend=cuda)
        self.tool("make", "echo GNU Make 4.3")
        self.tool("perl", "exit 2")
        self.tool("which", "exit 2")  # a word for an option that it does not know
        self.doctor("tools", f"-- which: {self.bin}/which", backend=cuda)

    def test_a_machine_that_has_nothing(self):
        self.tool("apt-get", "exit 1")
        self.tools_of_machine("df", "du", "mktemp")
        self.tool("none", "exit 1")
        taken = self.write("taken")
        self.doctor(
            "",
            "ninja: not found, 1.10 or newer is needed -> apt-get install ninja-build",
            f"C compiler: none found, {COMPILERS}",
            f"C++ compiler: none found, {COMPILERS}",
            f"but {self.bin}/none does not run -> correct TSB_PYTHON or unset it",
            "patchelf: not found, 0.14 or newer is needed -> apt-get install patchelf",
            "tar: not found -> apt-get install tar",
            "patch: not found -> apt-get install patch",
            "xz: not found -> apt-get install xz-utils",
            "build folder: CMake, Ninja, the linker or a shell takes its path apart (semicolon)",
            f"folder {taken}/dist: cannot be written to: {taken}:",
            "disk: 99999999999 MB are needed,",
            "memory: 99999999 MB are needed,",
            "12, listed above with their remedies; nothing was built",
            problems=12,
            more=("BUILD_DIR", "/a;b", "WRITABLE", taken / "dist", "DISK", "/new", 99999999999, "MEMORY_MB", 99999999),
            TSB_PYTHON="none",
        )
        (self.bin / "apt-get").unlink()
        self.tool("dnf", "exit 1")
        says = "xz: not found -> dnf install xz", "-> dnf install gcc-c++"
        self.doctor("tools compiler", *says, problems=5)
        self.assertNotIn("gfortran", self.text)
        fortran = "gfortran: not found -> dnf install gcc-gfortran"
        self.doctor("tools", fortran, problems=4, more=("EXTRA_CHECKS", "fortran"))

    def test_as_a_command(self):
        script = ("-P", ROOT / "cmake/doctor/doctor.cmake")
        self.tool("ninja", "echo 1.8.2")
        self.tools_of_machine("df", "mktemp")
        says = f"ninja: {self.bin}/ninja is 1.8.2, 1.10 or newer is needed", f"writable: {self.box}/dist"
        self.on_machine(1, *script, says=says, TSB_DIST=str(self.box / "dist"))
        self.assertNotIn("Call Stack", self.text)
        self.assertNotIn("CUDA", self.text)
        self.assertNotIn("ready;", self.text)
        self.assertNotIn("--install-only", self.text)  # no remedy names a package
        self.tool("apt-get", "exit 1")
        says = "./bootstrap.sh --install-only cpu-all installs what is missing"
        preset = "-D", "TSB_PRESET=cpu-all", "-D", "TSB_DEFAULT_PYTORCH_VERSION=2.6.0"
        self.on_machine(1, *preset, *script, says=[says], TSB_PYTORCH_VERSION="2.6.0")
        says = "./bootstrap.sh --install-only cpu-all TSB_PYTORCH_VERSION=2.8.0 installs what is missing"
        self.on_machine(1, *preset, *script, says=[says], TSB_PYTORCH_VERSION="2.8.0")
        skip = "cmake,ninja,compiler,python,patchelf,tools,compile"
        self.on_machine(0, *script, says=["-- ready; compilers at once: 1"], TSB_DOCTOR_SKIP=skip, TSB_JOBS="1")
        made = ("-D", "TSB_BACKEND=official-cpu", "-D", "TSB_ARTIFACTS=libtorch-shared-with-deps")
        for binary, place in (("", f"{ROOT}/build"), (f"{self.box}/mine", f"{self.box}/mine")):
            says = [f"{place} (3000 MB needed)"]
            self.on_machine(
                1, *made, "-D", f"CMAKE_BINARY_DIR={binary}", *script, says=says, TSB_DIST=str(self.box / "dist")
            )
        known = [cell_of(release, "cpu", "libtorch-static-with-deps") for release in ("2.6.0", "2.14.0")]
        self.assertEqual(known[0]["word"], "built")
        for release, cell in zip(("2.6.0", "2.14.0"), known):
            made = f"TSB_PYTORCH_VERSION={release} TSB_BACKEND=cpu TSB_ARTIFACTS=libtorch-static-with-deps".split()
            word = f"-- PyTorch {release} for cpu, libtorch-static-with-deps: {', '.join(cell.values())}\n"
            options = [f"-D{name}" for name in made]
            self.on_machine(1, *options, *script)
            self.assertIn(word, self.text)
            self.on_machine(1, *options, f"-DTSB_LOCAL_pytorch={ROOT}", *script)
            self.assertNotIn(word, self.text)
        # With one also its checks; what each says about this machine is left out.
        checks = "cuda_toolkit cuda_host_compiler cudnn cusparselt nvtx cuda_driver cuda_archs".split()
        self.on_machine(1, "-D", "TSB_BACKEND=cu124", *script, TSB_DOCTOR_SKIP=",".join(checks))
        for check in checks:
            self.assertRegex(self.text, f"{check}: (skipped|TSB_DOCTOR_SKIP names it)")
        unknown = "TSB_DOCTOR_SKIP names 'dsk', but there is no such check -> correct it, or remove it"
        self.on_machine(1, *script, says=[unknown], TSB_DOCTOR_SKIP="disk,cudnn,dsk")
        # What it does not know is not ignored.
        for words, says in (
            (
                ("-D", "TSB_BACKND=cu124", *script),
                "-D TSB_BACKND: there is no such setting.",
            ),
            ((*script, "cu124"), "unknown argument: cu124; -D TSB_BACKEND=<backend> goes before -P"),
            (
                ("-D", "TSB_BACKEND=cu999", *script),
                "'cu999' is not among the backends of PyTorch: take a preset of ",
            ),
        ):
            self.on_machine(1, *words, says=[says])


class Machine(DoctorTest):
    def test_processors(self):
        self.doctor("target", "-- processor: x86-64")
        self.tool("uname", "echo madeup64")
        says = "processor: this machine's is 'madeup64', and only these are known: x86_64, aarch64"
        self.doctor("target", f"{says} -> build on one of those, or describe this one in targets/madeup64", problems=1)
        # Everything else needs what it finds.
        self.doctor("target", "target: TSB_DOCTOR_SKIP names it, but", problems=1, TSB_DOCTOR_SKIP="target")
        additions = str(ROOT / "tests/fixtures/additions-target")
        self.doctor("target", "-- processor: a made-up processor", TSB_ADDITIONS=additions)

    def test_targets(self):
        """A backend may name another processor than this machine's, whose programs qemu runs."""
        aarch64, needed = ("official-aarch64", ""), "10.0 or newer is needed"
        self.tools_of_machine("cmake")
        self.doctor(
            "target", "-- processor: aarch64", f"qemu-aarch64: not found, {needed}: the pinned", backend=aarch64
        )
        self.tool("qemu-aarch64", "echo 'qemu-aarch64 version 7.2.22 (Debian 1:7.2+dfsg-7+deb12u18)'")
        old = f"qemu-aarch64: {self.bin}/qemu-aarch64 is 7.2.22, {needed}"
        self.doctor("target", f"-- {old}: the pinned one is fetched", backend=aarch64)
        self.assertNotIn("TSB_EMULATOR", self.text)
        self.doctor(
            "target",
            f"{old} -> install qemu-user",
            backend={"target": "aarch64", "prebuilt": True},
            problems=1,
        )
        self.tool("qemu-aarch64", "echo 'qemu-aarch64 version 10.0.13 (Debian 1:10.0.13+ds-0+deb13u1)'")
        self.doctor("target", "-- qemu-aarch64 10.0.13", f"TSB_EMULATOR is [{self.bin}/qemu-", backend=aarch64)
        says = (
            "aarch64-linux-gnu-g++: not found; packages for CPU of aarch64, out of the official wheel are built with it"
        )
        self.tools_of_machine("patch", "tar", "xz")
        self.doctor("tools", says, "install g++-aarch64-linux-gnu", backend=aarch64, problems=1)
        says = "processor: the backend's is 'madeup64', and only these are known: x86_64, aarch64"
        self.doctor("target", says, backend={"target": "madeup64"}, problems=1)
        says = "aarch64-linux-gnu-gfortran: not found; packages for CPU of aarch64 are built with it"
        self.doctor("tools", says, "install gfortran-aarch64-linux-gnu", backend=("aarch64", ""), problems=2)
        self.doctor("target", "-- processor: aarch64", backend=("aarch64", ""))
        self.tool("uname", "echo aarch64")
        self.doctor("target", "-- processor: aarch64", backend=aarch64)
        self.assertNotIn("qemu", self.text)
        # On such a machine itself, nothing is compiled.
        says = "processor: PyTorch is not compiled for aarch64 here yet -> take a preset out of the official wheel"
        self.doctor("target", says, backend=("cpu", ""), problems=1)

    def test_disks(self):
        """Folders on one file system share its space; what they hold already counts."""
        one, two = "/dev/a disk 100 50 5000 50% /mnt/one", "/dev/b 100 50 700 50% /mnt/two of it"
        title = "echo 'Filesystem 1048576-blocks Used Available Capacity Mounted on'"
        self.tool("df", f"{title}\ncase $2 in */one*) echo '{one}' ;; *) echo '{two}' ;; esac")
        self.tool("du", "echo '400 '")
        build, store, other = (self.box / name for name in ("one/build", "one/store", "two"))
        for folder in build, store, other:
            folder.mkdir(parents=True)
        share = (
            f"-- disk: 5000 MB free below {build} (4000 MB needed), {store} (1000 MB needed)",
            f"-- disk: 700 MB free below {other}/new (700 MB needed)",
        )
        away = self.box / "two/dist"
        more = f"disk: 5001 MB more are needed, 5000 MB are free, below {build} (4000 MB needed), {store} (1801 MB needed) -> free some space"
        for problems, says, *needs in (
            (0, share, build, 4000, store, 1000, other / "new", 700),
            (0, (), build, 4000, store, 1800),  # what is there counts
            (1, (more,), build, 4000, store, 1801, other, 10),
            # Hard links, or copies.
            (0, (), build, 4000, store, 1000, self.box / "one/dist", 900),
            (0, (), build, 4000, store, 1000, away, 700),
            (1, (f"disk: 701 MB are needed, 700 MB are free, below {away} (701",), build, 4000, store, 1000, away, 701),
        ):
            asked = ("BUILD_DIR", build, "DISK", *needs)
            self.doctor("disk", *says, problems=problems, more=asked, TSB_DIST=str([*needs, away][4]))
        skipped = "-- disk: skipped (TSB_DOCTOR_SKIP)"
        self.doctor("disk", skipped, more=("DISK", build, 99999), TSB_DOCTOR_SKIP="memory,disk")

    def test_memory(self):
        self.write("proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: 4194304 kB\n")
        self.doctor("memory", "-- memory: 4096 MB available", more=("ROOT", self.box, "MEMORY_MB", 4096))
        says = "memory: 4097 MB are needed, 4096 MB are available"
        self.doctor("memory", says, problems=1, more=("ROOT", self.box, "MEMORY_MB", 4097))

    def test_a_clock_that_was_set_back(self):
        file = self.write("build/build.ninja")
        self.environment(SOURCE_DATE_EPOCH="1600000000")  # which CMake takes for the time
        more = ("SOURCE_DIR", self.box / "source", "BUILD_DIR", file.parent)
        self.doctor("clock", more=more)
        os.utime(file, (4102444800,) * 2)
        self.doctor(
            "clock",
            f"files from the future: 1, such as {file} (2100-01-01",
            f"-> set the clock, or: find '{file.parent}' '{self.box}/source' -newermt now -exec touch {{}} +",
            problems=1,
            more=more,
        )

    def test_names_of_folders(self):
        self.tools_of_machine("mktemp")
        blank = self.box / "a b"
        more = ("SOURCE_DIR", "/a b/ü = +e", "BUILD_DIR", "/x y/z%@", "WRITABLE", blank)
        left = self.box / ".tsb-doctor-XyZ123"
        left.mkdir()  # by a doctor that was killed
        self.doctor("folders", more=more)
        self.assertFalse(blank.exists() or left.exists())
        for name, text in {
            "colon": ":", "quote": '"', "apostrophe": "'", "backslash": "\\", "hash": "#", "bracket": "[x]", "comma": ",",
            "ampersand": "&", "shell character": "*", "parenthesis": "(", "dollar": "$",
        }.items():  # fmt: skip
            says = f"source folder: CMake, Ninja, the linker or a shell takes its path apart ({name}): /a{text}b"
            self.doctor("folders", says, problems=1, more=("SOURCE_DIR", f"/a{text}b", "BUILD_DIR", "/c"))
        prebuilt = {"folder": "cpu", "kind": "cpu", "version": "", "prebuilt": True}
        self.doctor("folders", more=("SOURCE_DIR", "/a (1)", "BUILD_DIR", "/c"), backend=prebuilt)
        mine = self.box / "R&D"
        self.write(mine / "CMakeLists.txt")
        says = f"checkout folder: CMake, Ninja, the linker or a shell takes its path apart (ampersand): {mine}"
        more = ("SOURCE_DIR", "/a", "BUILD_DIR", "/c", "PACKAGES", "pytorch-develop")
        self.doctor("folders", says, problems=1, more=more, TSB_LOCAL_pytorch=str(mine))
        file = self.write("dist", "a file")
        for folder, fault in (
            ("/proc/dist", "cannot be written to: /proc: "),
            (file, "cannot be written to: it is not a folder"),
            (self.box / "a[x]", "CMake takes its path for a pattern (bracket)"),
        ):
            self.doctor("folders", f"folder {folder}: {fault}", problems=1, more=("WRITABLE", folder))
