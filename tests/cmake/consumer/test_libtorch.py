# SPDX-License-Identifier: BSD-3-Clause
"""packaging/libtorch/consumer_check.cmake on a package of one library and a consumer of one file (sample/)."""

import json
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

from box import ROOT, BoxTest

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
    "packages": [
        {"name": "cuda-toolkit", "version": "12.4.131"},
        {"name": "nccl", "version": "2.21.5"},
        {"name": "sleef", "version": "3.9.0"},
    ],
}

# A file, what is appended to it (None: it is removed; with "=": what it holds instead), what the check says.
FAULTS = (
    ("package/build-version", None, ["unpack at first: there is no libtorch/build-version in it"]),
    (CONFIG, None, ["cannot be used: configure at first", "TorchConfig.cmake"]),
    (CONFIG, 'message(WARNING "kineto not found.")\n', ["configure at first: find_package(Torch) warns", "kineto"]),
    ("package/include/torch.h", "int length(;\n", ["cannot be used: build at first", "torch.h"]),
    (
        MAIN,
        'static const int early = (puts("FAIL svd: found 1, expected 2"), fflush(stdout), exit(1), 0);\n',
        ["| FAIL svd: found 1, expected 2", "cannot be used: run at first: it ended with: 1", "log: "],
    ),
    (MAIN, "static const int early = (exit(0), 0);\n", ["run at first: it exited without reporting its checks"]),
    ("consumer/abi.cpp", "=int main() {}\n", ["link wrong_abi at first: a program of the other C++ ABI links"]),
    (
        "consumer/abi.cpp",
        "#if !_GLIBCXX_USE_CXX11_ABI\n#error never compiles\n#endif\n",
        ["link wrong_abi at first: it failed for another reason than an undefined reference"],
    ),
    (  # an unquoted path in a linker option
        CONFIG,
        'set_target_properties(torch PROPERTIES INTERFACE_LINK_LIBRARIES "-Wl,-rpath,${prefix}/lib -L${prefix}/lib")\n',
        ["ok first, run", "cannot be used: build at second place"],
    ),
    (  # where the package was first
        CONFIG,
        'set_target_properties(torch PROPERTIES IMPORTED_LOCATION "${CMAKE_CURRENT_LIST_DIR}/../../../../../first/libtorch'
        '/lib/libtorch.so")\n',
        ["ok first, run", "cannot be used: build at second place"],
    ),
)


class LibtorchTest(BoxTest):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()  # without a blank, which one of the two places has
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
        if text is None:
            path.unlink()
        else:
            path.write_text(text[1:] if text.startswith("=") else path.read_text() + text)

    def zip(self, folder, name):
        """The folder, as the folder libtorch of a zip."""
        (self.box / folder).rename(self.box / "libtorch")
        subprocess.run(["cmake", "-E", "tar", "cf", name, "--format=zip", "libtorch"], cwd=self.box, check=True)
        (self.box / "libtorch").rename(self.box / folder)
        return self.box / name

    def check(self, ends, says, **options):
        """Packs and checks the package; the result, as JSON."""
        defaults = {"package": None, "consumer": self.box / "consumer", "work": self.box / "scratch"}
        options = {**defaults, "result": self.box / "result.json", **options}
        options["package"] = options["package"] or self.zip("package", "libtorch-shared-with-deps.zip")
        words = [f"-DTSB_{name.upper()}={value}" for name, value in options.items()]
        self.environment(CPATH="/nowhere", LD_LIBRARY_PATH="/nowhere", CMAKE_PREFIX_PATH="/nowhere")
        script = [ROOT / "packaging/libtorch/consumer_check.cmake"]
        self.run_program(ends, sys.executable, ROOT / "cmake/run/run.py", "cmake", *words, "-P", *script, says=says)
        self.assertNotRegex(self.text, r"(?m)^(Call Stack|CMake Error)")
        result = self.box / "result.json"
        return json.loads(result.read_text()) if result.exists() else None

    def log(self, name):
        return (self.box / "scratch/log" / name).read_text()

    def test_good(self):
        result = self.check(0, ["works in two folders"], brief="ON")
        self.assertNotIn("ok first", self.text)
        self.assertEqual((result["verdict"], len(result["rows"])), ("ok", 12))
        for place in ("first", "second place"):
            self.assertFalse((self.box / "scratch" / place).exists())
        # What this machine has set for its GPUs is handed on, and the name of a run, and nothing else.
        variables = [line for line in self.log("first-run.log").splitlines() if line.startswith("environment ")]
        handed_on = "CUDA_", "NCCL_", "NVSHMEM_", "TORCH_SUPERBUILD_RUN="
        variables = [line for line in variables if not any(part in line for part in handed_on)]
        self.assertEqual(len(variables), 2, variables)
        self.assertIn("environment OMP_NUM_THREADS=1", self.log("first-run_OMP_NUM_THREADS=1.log"))
        expected = (
            "[--expect-version][2.6.0][--expect-no-feature][FBGEMM][--expect-feature][MKLDNN][--expect-blas][mkl]"
            f"[--expect-prefix][{self.box}/scratch/second place/libtorch][--json][checks.json]"
        )
        self.assertEqual(self.log("second_place-run.log").splitlines()[0], expected)

    def test_static_without_position_independent_code(self):
        """Links into a program at a fixed address, and nowhere else."""
        self.change("torch.cpp", "int table[9];\nint* of_table() { return table; }\n")
        self.make_static("-fno-pic")
        self.change(
            CONFIG,
            "set_target_properties(torch PROPERTIES INTERFACE_LINK_OPTIONS"
            ' "$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>")\n',
        )
        wanted = "cannot be used: link g++, bfd, shared library at first"
        self.check(1, ["ok first, g++, bfd, fixed address", wanted, "relocation"])

    def test_plugins(self):
        """Two in one process, when the static library lets its names be exported, and when it hides them."""
        shutil.copy(ROOT / "packaging/consumer/plugin_host.cpp", self.box / "consumer")
        host = "add_executable(plugin_host plugin_host.cpp)\nadd_dependencies(torch_consumer_by_library plugin_host)\n"
        self.change("consumer/CMakeLists.txt", host)
        self.change(MAIN, 'extern "C" double plugin_sum(bool wrong) { return wrong ? throw std::string() : 5.4e7; }\n')
        self.change("package/include/torch.h", "inline int copies = 0;\n")
        self.change("torch.cpp", "#include <torch.h>\nstatic const bool first = ++copies == 1 ? true : throw copies;\n")
        self.make_static("-fPIC", "-Ipackage/include")
        wanted = "cannot be used: plug-ins, g++, bfd, shared library at first"
        self.check(1, [wanted, "| FAIL RTLD_LOCAL"])
        self.make_static("-fPIC", "-Ipackage/include", "-fvisibility=hidden")
        self.check(1, [wanted, "FAIL RTLD_GLOBAL"])  # what it throws is not a std::exception
        text = (self.box / MAIN).read_text().replace("throw std::string()", "throw std::bad_alloc()")
        self.change(MAIN, "=#include <new>\n" + text)
        self.check(0, ["ok first, plug-ins, g++, bfd, shared library: two in one process", "works in two folders"])

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
        for words in (
            ["--only-keep-debug", library, file],
            ["--strip-unneeded", f"--add-gnu-debuglink={file}", library],
        ):
            subprocess.run(["objcopy", *words], cwd=self.box, check=True)
        line = ': Line 4 of "/usr/src/sample/show_config.cpp"'
        good = [f"ok first, gdb, {way}{line}" for way in ("beside", "by build ID")]
        self.check(0, good, debug_package=self.zip("debug", "debug.zip"))
        by_id.unlink()
        wanted = "gdb, by build ID at first: gdb knows no source line"
        self.check(1, [good[0], wanted], debug_package=self.zip("debug", "debug.zip"))
        file.unlink()
        wanted = "gdb, beside at first: gdb knows no source line"
        self.check(1, [wanted], debug_package=self.zip("debug", "debug.zip"))

    def test_extension(self):
        """One that the consumer has made is loaded, and allowed outside the package."""
        self.change("consumer/CMakeLists.txt", "add_library(stable_extension MODULE extension.cpp)\n")
        self.write("consumer/extension.cpp")
        self.check(0, ["works in two folders"])
        extension = f"[--extension][{self.box}/scratch/first/build/libstable_extension.so]"
        self.assertIn(extension + "[--allow-library][libstable_extension]", self.log("first-run.log"))

    def test_libraries_of_the_host(self):
        """What a package without dependencies needs; of another folder that it names the linker takes nothing."""
        for folder, text in {"host": "int newer() { return 1; }", "toolkit": ""}.items():
            self.write(f"{folder}/needed.cpp", text)
            self.compile(
                "-shared",
                "-fPIC",
                "-Wl,-soname,libneeded.so.1",
                f"{folder}/needed.cpp",
                "-o",
                f"{folder}/libneeded.so.1",
            )
        self.change("torch.cpp", "int newer();\nint use() { return newer(); }\n")
        words = ["-shared", "-fPIC", "-Wl,-soname,libtorch.so", "torch.cpp", "host/libneeded.so.1"]
        self.compile(*words, "-o", "package/lib/libtorch.so")
        options = f'INTERFACE_LINK_OPTIONS "LINKER:-rpath-link,{self.box}/toolkit"'
        self.change(CONFIG, f"set_target_properties(torch PROPERTIES {options})\n")
        self.check(1, ["cannot be used: build at first", "undefined reference to `newer()'"])
        self.check(0, ["works in two folders"], host_libraries=self.box / "host")

    def test_another_processor(self):
        """This one's, said to be another: the emulator gets all programs, and a toolchain file names it."""
        triplet = platform.machine() + "-linux-gnu"
        emulator = self.write("qemu", '#!/bin/sh\necho "emulated: $1 $2 $3 $4" >&2\nshift 4\nexec "$@"\n', 0o755)
        self.check(0, ["works in two folders"], triplet=triplet, emulator=emulator, compiler="c++")
        for step in ("run", "run_right_abi"):
            self.assertIn(f"emulated: -cpu max -L /usr/{triplet}", self.log(f"second_place-{step}.log"))
        toolchain = (self.box / "scratch/toolchain.cmake").read_text()
        self.assertIn(f"set(CMAKE_SYSTEM_PROCESSOR {platform.machine()})\n", toolchain)
        emulator.unlink()
        says = "cannot be used: run right_abi at first"
        self.check(1, [says], triplet=triplet, emulator=emulator, compiler="c++")

    def test_faults(self):
        for file, text, says in FAULTS:
            with self.subTest(says=says[-1]):
                before = (self.box / file).read_text()
                self.change(file, text)
                self.assertEqual(self.check(1, says, brief="ON")["verdict"], "FAIL")
                (self.box / file).write_text(before)

    def test_wrong_use(self):
        no_zip = self.write("text.zip", "PK but no zip")
        for options, says in (
            ({"package": self.box / "none.zip"}, f"error: consumer_check: there is no package {self.box}/none.zip"),
            ({"package": no_zip}, "text.zip cannot be used: unpack at first"),
            ({"debug_package": self.box / "no.zip"}, f"error: consumer_check: there is no package {self.box}/no.zip"),
            ({"consumer": self.box / "no"}, f"error: consumer_check: there is no CMakeLists.txt in {self.box}/no"),
            ({"gpus": "two"}, "TSB_GPUS is 'two' give the number of GPUs that the machine has"),
        ):
            with self.subTest(says):
                self.check(1, [says], **options)
        says = ["error: consumer_check: TSB_PACKAGE is not given usage: cmake -D TSB_PACKAGE=<zip>"]
        self.run_program(1, "cmake", "-P", ROOT / "packaging/libtorch/consumer_check.cmake", says=says)

    def test_gpus(self):
        self.write("package/manifest.json", WITH_CUDA)
        self.change(MAIN, "=#define SKIP\n" + (self.box / MAIN).read_text())
        says = ["skip first, cuda::attention: this machine has no NVIDIA driver", "works on a machine with 2 GPUs"]
        result = self.check(0, says, gpus=2)
        self.assertNotIn("second place", self.text)
        self.assertEqual(result["checks"][0]["name"], "cuda::attention")
        options = self.log("first-run.log").splitlines()[0]
        self.assertIn("[--expect-feature][MAGMA]", options)
        self.assertIn("[--expect-library][cuda-toolkit=12.4.131][--expect-library][nccl=2.21.5]", options)
        for name in ("libcu", "libnv", "libz", "libnccl", "libmagma"):
            self.assertIn(f"[--allow-library][{name}]", options)
        self.assertIn("[--expect-gpus][2]", options)
        self.assertNotIn("sleef", options)

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
        self.assertTrue((work / "gpu.json").exists())
        # How the machine's GPUs may be used is handed on, what could help to find a library is not.
        text = self.log("first-run.log")
        for part in ("[--expect-gpus][3]", "environment CUDA_VISIBLE_DEVICES=0", "environment NCCL_NVLS_ENABLE=0"):
            self.assertIn(part, text)
        self.assertNotIn("LD_LIBRARY_PATH", text)
        # A check that fails is shown, without CMake's own report, and is in the result.
        text = (self.box / MAIN).read_text().replace("nskip cuda", "nFAIL cuda::eig: found 1, expected 2\\nskip cuda")
        self.change(MAIN, "=" + text.replace("? 0 : 1", "? 1 : 0"))
        says = ["error: libtorch-shared-with-deps.zip cannot be used: run at first", "FAIL: 1 skip: 1"]
        self.run_on_gpu(1, says, package, work)
        self.assertNotIn("Call Stack", self.text)
        self.assertEqual(json.loads((work / "gpu.json").read_text())["checks"][0]["name"], "cuda::attention")

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
