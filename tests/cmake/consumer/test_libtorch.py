# SPDX-License-Identifier: BSD-3-Clause
"""packaging/consumer_check on a libtorch of one library and a consumer of one file (sample/)."""

import pathlib
import platform
import shutil
import subprocess
import tempfile

from box import ROOT
from fixture import CheckTest

SAMPLE = pathlib.Path(__file__).with_name("sample")
CONFIG = "package/share/cmake/Torch/TorchConfig.cmake"
MAIN = "consumer/main.cpp"
MANIFEST = {
    "deps": "with-deps",
    "features": {"MKLDNN": {"enabled": True}, "FBGEMM": {"enabled": False, "reason": "none"}},
    "packages": [{"name": "mkl", "version": "2025.0"}],
}
WITH_CUDA = {
    "deps": "without-deps",
    "backend": "cu124",
    "features": {"MAGMA": {"enabled": True}},
    "cuda": {"slice": ["8.6", "9.0+PTX"]},
    "packages": [
        {"name": "cuda-toolkit", "version": "12.4.131"},
        {"name": "nccl", "version": "2.21.5"},
        {"name": "sleef", "version": "3.9.0"},
    ],
}

# A file, what is appended to it (with "=": what it holds instead), what the check says.
FAULTS = (
    (CONFIG, 'message(WARNING "kineto not found.")\n', ["first, configure: Failed Error regular expression", "kineto"]),
    ("package/include/torch.h", "int length(;\n", ["cannot be used: first, build: Failed", "torch.h"]),
    (
        MAIN,
        'static const int early = (puts("FAIL svd: found 1, expected 2"), fflush(stdout), exit(1), 0);\n',
        ["| FAIL svd: found 1, expected 2", "cannot be used: first, run: ", "log: ", "again: ctest --test-dir"],
    ),
    (  # all is reported, and then it fails
        MAIN,
        "static const int late = atexit([] { fflush(stdout), _exit(3); });\n",
        ["| 1 checks, 0 failed", "it ended with: 3", "cannot be used: first, run: Failed Error regular expression"],
    ),
    (MAIN, "static const int early = (exit(0), 0);\n", ["first, run: Failed Required regular expression not found"]),
    ("consumer/abi.cpp", "=int main() {}\n", ["first, link wrong_abi: Failed Required regular expression not found"]),
    ("consumer/abi.cpp", "#if !_GLIBCXX_USE_CXX11_ABI\n#error never\n#endif\n", ["never", "first, link wrong_abi"]),
    (  # an unquoted path in a linker option
        CONFIG,
        'set_target_properties(torch PROPERTIES INTERFACE_LINK_LIBRARIES "-Wl,-rpath,${prefix}/lib -L${prefix}/lib")\n',
        ["ok first, run", "cannot be used: second place, build"],
    ),
    (  # where the package was first
        CONFIG,
        'set_target_properties(torch PROPERTIES IMPORTED_LOCATION "${CMAKE_CURRENT_LIST_DIR}/../../../../../first/libtorch'
        '/lib/libtorch.so")\n',
        ["ok first, run", "cannot be used: second place, build"],
    ),
)


class LibtorchTest(CheckTest):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory(prefix="ü")  # without a blank, which one of the two places has
        self.addCleanup(folder.cleanup)
        self.box = pathlib.Path(folder.name).resolve()
        shutil.copytree(SAMPLE, self.box, dirs_exist_ok=True)
        self.write("package/build-version", "2.6.0+cpu\n")
        self.write("package/manifest.json", MANIFEST)
        (self.box / "package/lib").mkdir()
        self.compile("-shared", "-fPIC", "-Wl,-soname,libtorch.so", "torch.cpp", "-o", "package/lib/libtorch.so")

    def compile(self, *words):
        subprocess.run(["c++", *words], cwd=self.box, check=True)

    def make_static(self, *options):
        (self.box / "package/lib/libtorch.so").unlink(missing_ok=True)
        self.compile("-c", *options, "torch.cpp", "-o", "torch.o")
        subprocess.run(["ar", "rcs", "package/lib/libtorch.a", "torch.o"], cwd=self.box, check=True)
        self.write("package/manifest.json", {**MANIFEST, "linkage": "static"})

    def change(self, file, text):
        path = self.box / file
        path.write_text(text[1:] if text.startswith("=") else path.read_text() + text)

    def zip(self, folder, name):
        """The folder, as the folder libtorch of a zip."""
        (self.box / folder).rename(self.box / "libtorch")
        subprocess.run(["cmake", "-E", "tar", "cf", name, "--format=zip", "libtorch"], cwd=self.box, check=True)
        (self.box / "libtorch").rename(self.box / folder)
        return self.box / name

    def check(self, ends, says, **options):
        """Packs and checks the package."""
        defaults = {"package": None, "consumer": self.box / "consumer", "work": self.box / "scratch"}
        options = {**defaults, **options}
        options["package"] = options["package"] or self.zip("package", "libtorch-shared-with-deps.zip")
        self.environment(CPATH="/nowhere", LD_LIBRARY_PATH="/nowhere", CMAKE_PREFIX_PATH="/nowhere")
        self.run_check(ends, says, **options)

    def test_good(self):
        self.check(0, ["-- ok libtorch-shared-with-deps.zip works"], quiet=True)
        self.assertNotIn("ok first", self.text)
        tests = "unpack", "configure", "build", "run right_abi", "link wrong_abi", "run", "run OMP_NUM_THREADS=1"
        expected = [("ok", f"{place}, {test}") for place in ("first", "second place") for test in tests]
        self.assertEqual([row[:2] for row in self.rows], expected)
        self.assertEqual(self.rows[5][2], "1 checks, 0 failed")
        self.assertFalse((self.work / "first").exists())
        self.assertNotIn("/nowhere", self.log("first-run"))
        self.assertIn("environment OMP_NUM_THREADS=1", self.log("first-run_OMP_NUM_THREADS=1"))
        expected = (
            "[--expect-version][2.6.0][--expect-no-feature][FBGEMM][--expect-feature][MKLDNN][--expect-blas][mkl]"
            f"[--expect-prefix][{self.box}/scratch/second place/libtorch]"
        )
        self.assertIn(f" {expected} ", self.log("second_place-run"))

    def test_by_hand(self):
        """With CMake and CTest alone, and one test with what it needs."""
        package = self.zip("package", "libtorch-shared-with-deps.zip")
        consumer = f"-DTSB_CONSUMER={self.box}/consumer"
        project = ["-S", ROOT / "packaging/consumer_check", "-B", "by hand", f"-DTSB_PACKAGE={package.name}", consumer]
        self.run_program(0, "cmake", *project, cwd=self.box)
        for _ in range(2):
            says = ["first, unpack", "first, run .", "100% tests passed, 0 tests failed out of 4"]
            self.run_program(0, "ctest", "--test-dir", "by hand", "-R", "^first, run$", says=says, cwd=self.box)

    def test_static_without_position_independent_code(self):
        """Links into a program at a fixed address, and nowhere else."""
        self.change("torch.cpp", "int table[9];\nint* of_table() { return table; }\n")
        self.make_static("-fno-pic")
        self.change(
            CONFIG,
            "set_target_properties(torch PROPERTIES INTERFACE_LINK_OPTIONS"
            ' "$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>")\n',
        )
        wanted = "cannot be used: first, link g++, bfd, shared library"
        self.check(1, ["ok first, run g++, bfd, fixed address: 1 checks", wanted, "relocation"])

    def test_plugins(self):
        """Two in one process, when the static library lets its names be exported, and when it hides them."""
        shutil.copy(ROOT / "packaging/consumer/plugin_host.cpp", self.box / "consumer")
        host = "add_executable(plugin_host plugin_host.cpp)\nadd_dependencies(torch_consumer_by_library plugin_host)\n"
        self.change("consumer/CMakeLists.txt", host)
        self.change(MAIN, 'extern "C" double plugin_sum(bool wrong) { return wrong ? throw std::string() : 5.4e7; }\n')
        self.change("package/include/torch.h", "inline int copies = 0;\n")
        self.change("torch.cpp", "#include <torch.h>\nstatic const bool first = ++copies == 1 ? true : throw copies;\n")
        self.make_static("-fPIC", "-Ipackage/include")
        wanted = "cannot be used: first, plug-ins, g++, bfd, shared library"
        self.check(1, [wanted, "| FAIL RTLD_LOCAL"])
        self.make_static("-fPIC", "-Ipackage/include", "-fvisibility=hidden")
        self.check(1, [wanted, "FAIL RTLD_GLOBAL"])  # what it throws is not a std::exception
        text = (self.box / MAIN).read_text().replace("throw std::string()", "throw std::bad_alloc()")
        self.change(MAIN, "=#include <new>\n" + text)
        self.check(0, ["ok first, plug-ins, g++, bfd, shared library: ok RTLD_DEEPBIND"])
        text = (self.box / MAIN).read_text()
        self.change(MAIN, "=" + text.replace("wrong ? throw", "true ? throw"))
        self.check(1, [wanted, "FAIL RTLD_LOCAL"])  # what must be computed is not

    def test_debugger(self):
        identifier, library = "0123456789abcdef0123456789abcdef01234567", "package/lib/libtorch_cpu.so"
        debug = self.box / "debug/lib/.debug"
        by_id = debug / ".build-id/01" / (identifier[2:] + ".debug")
        by_id.parent.mkdir(parents=True)
        by_id.symlink_to("../../libtorch_cpu.so.debug")
        options = ["-g1", "-shared", "-fPIC", f"-Wl,--build-id=0x{identifier}"]
        self.compile(
            *options, f"-ffile-prefix-map={self.box}=/usr/src/sample", self.box / "show_config.cpp", "-o", library
        )
        file = debug / "libtorch_cpu.so.debug"
        for words in ["--only-keep-debug", library, file], ["--strip-unneeded", f"--add-gnu-debuglink={file}", library]:
            subprocess.run(["objcopy", *words], cwd=self.box, check=True)
        line = ': Line 4 of "/usr/src/sample/show_config.cpp"'
        good = [f"ok first, gdb, {way}{line}" for way in ("beside", "by build ID")]
        self.check(0, good, debug_package=self.zip("debug", "debug.zip"))
        by_id.unlink()
        wanted = "cannot be used: first, gdb, by build ID: Failed Required regular expression"
        self.check(1, [good[0], wanted], debug_package=self.zip("debug", "debug.zip"))
        file.unlink()
        wanted = "cannot be used: first, gdb, beside: Failed Required regular expression"
        self.check(1, [wanted], debug_package=self.zip("debug", "debug.zip"))

    def test_libraries_of_the_host(self):
        """What a package without dependencies needs; of another folder that it names the linker takes nothing."""
        for folder, text in {"host": "int newer() { return 1; }", "toolkit": ""}.items():
            self.write(f"{folder}/needed.cpp", text)
            library = ["-Wl,-soname,libneeded.so.1", "-o", f"{folder}/libneeded.so.1"]
            self.compile("-shared", "-fPIC", f"{folder}/needed.cpp", *library)
        self.change("torch.cpp", "int newer();\nint use() { return newer(); }\n")
        words = ["-shared", "-fPIC", "-Wl,-soname,libtorch.so", "torch.cpp", "host/libneeded.so.1"]
        self.compile(*words, "-o", "package/lib/libtorch.so")
        options = f'INTERFACE_LINK_OPTIONS "LINKER:-rpath-link,{self.box}/toolkit"'
        self.change(CONFIG, f"set_target_properties(torch PROPERTIES {options})\n")
        self.check(1, ["cannot be used: first, build", "undefined reference to `newer()'"])
        self.check(0, ["works"], host_libraries=self.box / "host")

    def test_another_processor(self):
        """This one's, said to be another: the emulator gets all programs, and a toolchain file names it."""
        triplet = platform.machine() + "-linux-gnu"
        emulator = self.write("qemu", '#!/bin/sh\necho "emulated: $1 $2 $3 $4" >&2\nshift 4\nexec "$@"\n', 0o755)
        self.check(0, ["works"], triplet=triplet, emulator=emulator, compiler="c++")
        for step in ("run", "run_right_abi"):
            self.assertIn(f"emulated: -cpu max -L /usr/{triplet}", self.log(f"second_place-{step}"))
        toolchain = (self.work / "toolchain.cmake").read_text()
        self.assertIn(f"set(CMAKE_SYSTEM_PROCESSOR {platform.machine()})\n", toolchain)
        emulator.unlink()
        says = "cannot be used: first, run right_abi"
        self.check(1, [says], triplet=triplet, emulator=emulator, compiler="c++")

    def test_faults(self):
        for file, text, says in FAULTS:
            with self.subTest(says=says[-1]):
                before = (self.box / file).read_text()
                self.change(file, text)
                self.check(1, says)
                self.assertEqual([row[0] for row in self.rows[-1:]], ["FAIL"] * bool(self.rows))
                (self.box / file).write_text(before)

    def test_wrong_use(self):
        no_zip, mine = self.write("text.zip", "PK but no zip"), self.write("mine/file")
        for options, says in (
            ({"package": "/none.zip"}, "error: consumer_check: TSB_PACKAGE is '/none.zip', which does not exist"),
            ({"package": no_zip}, "text.zip has no libtorch/build-version"),
            ({"gpus": "two"}, "TSB_GPUS is 'two' give the number of GPUs that the machine has"),
            ({"work": mine.parent}, f"error: {mine.parent} holds something else name a new folder"),
        ):
            with self.subTest(says):
                self.check(1, [says], **options)
        self.assertTrue(mine.exists())

    def test_gpus(self):
        self.write("package/build-version", "2.10.0+cu124\n")  # since which there is a stable extension
        self.write("package/manifest.json", WITH_CUDA)
        self.change(MAIN, "=#define SKIP\n" + (self.box / MAIN).read_text())
        self.check(0, ["skip first, cuda::attention: this machine has no NVIDIA driver", "works"], gpus=2)
        self.assertNotIn("second place", self.text)
        options = self.log("first-run")
        self.assertIn("[--expect-feature][MAGMA]", options)
        self.assertIn("[--expect-library][cuda-toolkit=12.4.131][--expect-library][nccl=2.21.5]", options)
        for name in ("libcu", "libnv", "libz", "libnccl", "libmagma"):
            self.assertIn(f"[--allow-library][{name}]", options)
        self.assertIn("[--expect-gpus][2]", options)
        self.assertIn("[--expect-arch][8.6][--expect-arch][9.0+PTX]", options)
        self.assertNotIn("sleef", options)
        extension = f"[--extension][{self.box}/scratch/first/build/libstable_extension.so]"
        self.assertIn(extension + "[--allow-library][libstable_extension]", options)

    def run_on_gpu(self, ends, says, *words, gpus="3"):
        self.environment(LD_LIBRARY_PATH="/nowhere", TSB_GPUS=gpus, TSB_CONSUMER_DIR=str(self.box / "consumer"))
        self.run_program(ends, "sh", ROOT / "packaging/consumer/run_on_gpu.sh", *words, says=says, cwd=self.box)

    def test_run_on_gpu(self):
        self.environment(CUDA_VISIBLE_DEVICES="0", NCCL_NVLS_ENABLE="0")
        self.change(MAIN, "=#define SKIP\n" + (self.box / MAIN).read_text())
        package, work = self.zip("package", "libtorch-shared-with-deps.zip"), self.box / "scratch"
        self.run_on_gpu(
            0, ["skip cuda::attention: this machine has no NVIDIA driver ok: 0 FAIL: 0 skip: 1"], package, work
        )
        # How the machine's GPUs may be used is handed on, what could help to find a library is not.
        self.work = work
        text = self.log("first-run")
        for part in ("[--expect-gpus][3]", "environment CUDA_VISIBLE_DEVICES=0", "environment NCCL_NVLS_ENABLE=0"):
            self.assertIn(part, text)
        self.assertNotIn("LD_LIBRARY_PATH", text)

    def test_run_on_gpu_errors(self):
        package = self.write("some.zip")
        for ends, says, words, gpus in (
            (2, "error: run_on_gpu.sh: 0 arguments usage: run_on_gpu.sh <libtorch zip>", [], "3"),
            (3, f"error: run_on_gpu.sh: there is no file {self.box}/none.zip usage:", [self.box / "none.zip"], "3"),
            (4, "this machine shows no GPU (TSB_GPUS is '0') install NVIDIA's driver", [package], "0"),
            (4, "shows no GPU (TSB_GPUS is 'two')", [package], "two"),
        ):
            with self.subTest(says):
                self.run_on_gpu(ends, [says], *words, gpus=gpus)
