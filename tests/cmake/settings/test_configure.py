# SPDX-License-Identifier: BSD-3-Clause
"""The project's own CMakeLists.txt shows faults before it looks at the machine, and without frames of functions. Its cache
has what the user gave, and nothing that was refused."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

from box import ROOT, BoxTest, flat

GOOD = {"TSB_PRESET": "mine", "TSB_BACKEND": "cpu", "TSB_ARTIFACTS": "a", "TSB_PYTORCH_VERSION": "2.6.0"}
UNSET = "was set when this folder was configured before, and is not set now: its default is used"

PROJECT = f"""\
cmake_minimum_required(VERSION 3.25)
project(settings LANGUAGES NONE)
include("{ROOT}/cmake/settings/tsb_read_settings.cmake")
tsb_read_settings(RESULT_ERROR faults)
if(faults)
  message(FATAL_ERROR "${{faults}}")
endif()
tsb_keep_settings()
"""
# As the project's own, in which a build is a part of a run.
PROJECT_OF_RUNS = PROJECT.replace(
    "if(faults)",
    f"""\
include("{ROOT}/cmake/one_run/tsb_lock.cmake")
include("{ROOT}/cmake/one_run/tsb_make_program.cmake")
tsb_lock(error "${{CMAKE_BINARY_DIR}}")
tsb_make_program()
set(seen "store ${{TSB_STORE}}, dist ${{TSB_DIST}}, sources ${{TSB_SOURCES}}, sleef ${{TSB_LOCAL_sleef}}, jobs ${{TSB_JOBS}}")
message(NOTICE "${{seen}}, signed by ${{TSB_SIGN}}, path $ENV{{PATH}}")
if(faults)""",
)


class Configure(BoxTest):
    def setUp(self):
        super().setUp()
        self.environment(**dict.fromkeys(name for name in os.environ if name.startswith("TSB_")))

    def configure(self, says, lacks=(), options=GOOD, **environment):
        """It always ends with an error: there is no artifact `a`."""
        words = [f"-D{name}={value}" for name, value in options.items()]
        command = ["cmake", "-S", ROOT, "-B", self.box / "build", "-G", "Ninja", *words]
        self.run_program(1, *command, says=says, env={**os.environ, **environment})
        for part in ("This machine", "Call Stack", *lacks):
            self.assertNotIn(part, self.text)

    def cache(self):
        return (self.box / "build/CMakeCache.txt").read_text()

    def test_refused_options(self):
        wrong = {"TSB_JOBS": "many", "TSB_JOB": "2", "USE_MPI": "ON", "CMAKE_CXX_COMPILR": "g++", "tsb_store": "a"}
        all_of_them = [
            "-D TSB_JOBS is",
            "-D TSB_JOB: ",
            "-D USE_MPI: there is no such setting.",
            "PyTorch's own options are given in TSB_PYTORCH_OPTIONS",
            "-D CMAKE_CXX_COMPILR: there is no such setting. Did you mean CMAKE_CXX_COMPILER?",
            "-D tsb_store: there is no such setting. Did you mean TSB_STORE?",
            "-D TSB_PYTHONS has 3.14",
            "TSB_ARTIFACTS names",
        ]
        self.configure(all_of_them, options=GOOD | wrong | {"TSB_PYTHONS": "3.14"})
        self.configure(["TSB_ARTIFACTS names 'a', which PyTorch"], [*wrong, "TSB_PYTHONS"], {})

    def test_cache(self):
        self.configure(["TSB_ARTIFACTS names"], options=GOOD | {"TSB_JOBS": "2", "TSB_DIST": "out"}, TSB_STORE="/env")
        self.assertIn("//The most compilers that run at once\nTSB_JOBS:STRING=2\n", self.cache())
        for line in "TSB_DIST:PATH=out", "TSB_STORE:PATH=", "TSB_BLAS:STRING=":
            self.assertRegex(self.cache(), f"(?m)^{line}$")
        self.assertIn("TSB_DEBUG_INFO-STRINGS:INTERNAL=lines;full;none", self.cache())
        self.configure(["TSB_ARTIFACTS names"])
        self.assertIn("TSB_JOBS:STRING=2", self.cache())
        self.configure(
            ["CMAKE_BUILD_TYPE has no effect: everything is compiled"], options=GOOD | {"CMAKE_BUILD_TYPE": "Debug"}
        )
        overruled = "TSB_JOBS of the environment is ignored: -D or your preset overrides it"
        self.configure([overruled], options={}, TSB_JOBS="3")
        self.configure([], [overruled], options={}, TSB_JOBS="2")
        self.configure(["TSB_ARTIFACTS names"], options={"TSB_JOBS": ""})
        self.assertRegex(self.cache(), "(?m)^TSB_JOBS:STRING=$")

    def alone(self, options, *command):
        """What it says. Not below what started this test, which would make all of them one run."""
        end = self.box / "end"
        end.unlink(missing_ok=True)
        words = [f"-D{name}={value}" for name, value in options.items()]
        command = command or ["cmake", "-S", ROOT, "-B", self.box / "build", "-G", "Ninja", *words]
        text = '("$@" >"$0.txt" 2>&1; mv "$0.txt" "$0") & :'
        subprocess.run(["sh", "-c", text, end, *command], check=True, stderr=subprocess.DEVNULL)
        until = end if words else self.box / "build/held-*"
        for _ in range(1200):
            if list(until.parent.glob(until.name)):
                break
            time.sleep(0.1)
        return flat(end.read_text()) if words else ""

    def test_another_run_keeps_its_cache(self):
        """Also from a command with more that is wrong than that."""
        good = {"CMAKE_CXX_COMPILER": "g++", "CMAKE_CXX_FLAGS_DEBUG": "-O1", "TSB_JOBS": "2"}
        said = self.alone(GOOD | good | {"TSB_LOCAL_sleef": "a [b; c"})
        self.assertIn("TSB_ARTIFACTS names", said)
        self.assertNotIn("CMAKE_CXX", said)
        self.assertIn("TSB_ARTIFACTS names", self.alone({"TSB_DIST": "out"}))
        file = self.box / "build/CMakeCache.txt"
        before = self.cache(), file.stat().st_mtime_ns
        hold = ROOT / "tests/cmake/lock/hold.cmake"
        self.alone({}, "cmake", f"-DFOLDER={file.parent}", "-DCOMMAND=sleep;300", "-P", hold)
        holder = json.loads((file.parent / ".lock").read_text())["run"][0]
        self.addCleanup(os.kill, holder, signal.SIGKILL)
        wrong = {"TSB_DIST": "evil", "TSB_JOBS": "many", "CMAKE_BUILD_TYPE": "Debug", "TSB_JOB": "1"}
        for options in wrong, {"TSB_DIST": ""}:
            said = self.alone(options)
            self.assertIn("another run is working in", said)
            self.assertNotIn("TSB_JOB", said)
        self.assertEqual(self.cache(), before[0])
        self.assertEqual(file.stat().st_mtime_ns, before[1], "else Ninja configures again")

    def test_no_preset(self):
        for options in {}, {"TSB_PRESET": "mine"}:
            self.configure(
                ["no preset, so there is nothing to build: name one, as in: cmake --preset cpu"], options=options
            )

    def test_no_checkout_to_develop_in(self):
        says = [
            "TSB_LOCAL_pytorch names no checkout, and mine builds one where it is",
            "TSB_LOCAL_pytorch=~/pytorch (docs/develop.md)",
        ]
        develop = GOOD | {"TSB_ARTIFACTS": "", "TSB_PACKAGES": "pytorch-develop", "CMAKE_BUILD_TYPE": "Debug"}
        self.configure(says, ["CMAKE_BUILD_TYPE"], develop)
        wrong = {"TSB_LOCAL_pytorch": "/nowhere", "TSB_VERSION_SUFFIX": "mine"}
        says = [
            "-D TSB_LOCAL_pytorch names /nowhere, which does not exist",
            "-D TSB_VERSION_SUFFIX has no effect, since nothing is packed",
        ]
        self.configure(says, ["names no checkout"], develop | wrong)

    def test_environment_of_another_run(self):
        """What the last configure that succeeded had of it, and nobody gives now, is named once."""
        self.write("project/CMakeLists.txt", PROJECT)

        def configure(*words, ends=0, says=(), **environment):
            command = ["cmake", "-S", self.box / "project", "-B", self.box / "build", "-G", "Ninja", *words]
            self.run_program(
                ends, *command, says=[f"{name} {UNSET}" for name in says], env={**os.environ, **environment}
            )
            self.assertEqual(self.text.count("was set when"), len(says), self.text)

        mirror = {"TSB_SOURCE_MIRROR": "https://me:secret@mirror"}
        for _ in "first time", "the same":
            configure(TSB_STORE="/a b", TSB_SOURCES="/s", TSB_JOBS="2", **mirror)
        self.assertNotIn("secret", self.cache())
        configure("-DTSB_SOURCES=/t", says=["TSB_STORE"], **mirror)
        configure(ends=1, says=["TSB_SOURCE_MIRROR"], TSB_DIST="/d", TSB_JOBS="many")
        configure(ends=1, TSB_SOURCE_MIRROR="smb://mirror")
        configure(says=["TSB_SOURCE_MIRROR"])
        configure()

    def test_a_build_that_configures_again(self):
        """It goes on as it was configured, in whichever shell it is started, but for what is read when something runs."""
        self.write("project/CMakeLists.txt", PROJECT_OF_RUNS)
        mine = {"TSB_STORE": "/mine", "TSB_LOCAL_sleef": str(self.box), "PATH": f"/mine:{os.environ['PATH']}"}
        words = ["-DTSB_STORE=/of-the-cache", "-DTSB_DIST=/d"]
        command = ["cmake", "-S", self.box / "project", "-B", self.box / "build", "-G", "Ninja", *words]
        self.run_program(0, *command, env={**os.environ, **mine, "BOOTSTRAP_SETTINGS": "TSB_STORE"})
        self.assertIn(
            "TSB_STORE behind bootstrap.sh overrides, in this run, what an earlier -D or your preset says",
            flat(self.text),
        )
        seen = f"store /mine, dist /d, sources {os.environ['HOME']}/.cache/torch-superbuild/sources, sleef {self.box}, jobs {{}}, signed by {{}}, path /mine:"
        self.assertIn(seen.format("", ""), self.text)
        for later in (
            {},
            {
                "HOME": "/elsewhere",
                "XDG_CACHE_HOME": "/elsewhere",
                "TSB_STORE": "/other",
                "TSB_SOURCES": "/other",
                "TSB_JOBS": "3",
                "TSB_SIGN": "me",
            },
        ):
            os.utime(self.box / "project/CMakeLists.txt")
            self.run_program(0, "cmake", "--build", self.box / "build", env={**os.environ, **later})
            self.assertIn(seen.format(later.get("TSB_JOBS", ""), later.get("TSB_SIGN", "")), self.text)
            for part in "was set when", "/other", "ignored", "/elsewhere":
                self.assertNotIn(part, self.text)
        os.utime(self.box / "project/CMakeLists.txt")
        self.run_program(0, "cmake", "--build", self.box / "build", "-j", "3")
        self.assertIn("jobs 3, ", self.text)
        again = "TSB_STORE was set when this folder was configured before, and is not set now: what an earlier -D, or your preset,"
        self.run_program(0, *command[:-2], says=[f"TSB_LOCAL_sleef {UNSET}", again])
        self.assertIn("store /of-the-cache, dist /d, ", self.text)

    def test_again(self):
        """A configure starts the python3 of PATH a few times only, as it may be a slow wrapper; another compiler is taken in a
        folder that is configured, and the preset is not lost."""
        self.write("bin/python3", f'#!/bin/sh\necho >>"{self.box}/starts"\nexec "{sys.executable}" "$@"\n', 0o755)
        (self.box / "bin/another-c++").symlink_to(shutil.which("c++"))
        self.environment(PATH=f"{self.box}/bin:{os.environ['PATH']}", TSB_DOCTOR_SKIP="disk,memory")
        options = {**GOOD, "TSB_ARTIFACTS": "libtorch-shared-with-deps", "TSB_PACKAGES": "pytorch"}
        options |= {name: f"{self.box}/{name}" for name in ("TSB_STORE", "TSB_SOURCES", "TSB_DIST")}
        words = [f"-D{name}={value}" for name, value in options.items()]
        for more in words, ["-DCMAKE_CXX_COMPILER=another-c++"], []:
            self.run_program(0, "cmake", "-S", ROOT, "-B", self.box / "build", "-G", "Ninja", *more)
            self.assertIn(f"({self.box}/bin/another-c++)" if more != words else "C++ compiler", self.text)
        self.assertLess((self.box / "starts").read_text().count("\n"), 3 * 6)
        self.assertIn(f'"{self.box}/bin/another-c++"', (self.box / "build/settings.json").read_text())

    def test_in_the_checkout(self):
        shutil.copy(ROOT / "CMakeLists.txt", self.box)
        says = ["the build folder is the checkout itself name a preset, as in: cmake --preset cpu-libtorch-shared"]
        (self.box / "link").symlink_to(".")
        for folder in ".", "link":
            self.run_program(1, "cmake", "-S", ".", "-B", folder, cwd=self.box, says=says)
        self.assertEqual(sorted(os.listdir(self.box)), ["CMakeCache.txt", "CMakeFiles", "CMakeLists.txt", "link"])

    def test_checkout_with_a_semicolon(self):
        folder = self.box / "a;b"
        folder.mkdir()
        shutil.copy(ROOT / "CMakeLists.txt", folder)
        self.run_program(
            1, "cmake", "-B", "build", cwd=folder, says=["a;b': CMake takes a path with ';' apart move it"]
        )
        self.assertNotIn("include could not find", self.text)
