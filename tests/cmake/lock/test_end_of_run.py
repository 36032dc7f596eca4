# SPDX-License-Identifier: BSD-3-Clause
"""A run ends as one, whichever of its processes is killed, and ends nothing else."""

import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import time

from lock_fixture import HOLD, LockTest, lives, process_in, wait_until

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROJECT = f"""
cmake_minimum_required(VERSION 3.25)
include({ROOT}/cmake/one_run/tsb_lock.cmake)
include({ROOT}/cmake/one_run/tsb_make_program.cmake)
set(TSB_CODEGEN_PYTHON "{sys.executable}")
tsb_lock(error "${{CMAKE_BINARY_DIR}}")
tsb_make_program()
project(x LANGUAGES NONE)
add_custom_target(a ALL COMMAND "${{CMAKE_BINARY_DIR}}/run" sh "${{CMAKE_SOURCE_DIR}}/../script.sh" USES_TERMINAL VERBATIM)
"""
WORKFLOW = f"""
execute_process(COMMAND sh "${{CMAKE_SOURCE_DIR}}/step.sh" configure)
add_custom_target(b ALL COMMAND "${{CMAKE_BINARY_DIR}}/run" sh "${{CMAKE_SOURCE_DIR}}/step.sh" build)
enable_testing()
include({ROOT}/tests/cmake/name_tests.cmake)
add_test(NAME t COMMAND sh "${{CMAKE_SOURCE_DIR}}/step.sh" test)
set(CPACK_GENERATOR External)
set(CPACK_EXTERNAL_PACKAGE_SCRIPT "${{CMAKE_SOURCE_DIR}}/pack.cmake")
file(WRITE "${{CMAKE_SOURCE_DIR}}/pack.cmake" "execute_process(COMMAND \\"${{CMAKE_BINARY_DIR}}/run\\" sh step.sh package
  WORKING_DIRECTORY \\"${{CMAKE_SOURCE_DIR}}\\")")
include(CPack)
"""
STEPS = "configure", "build", "test", "package"


class EndOfRun(LockTest):
    def build(self, script, interrupt=""):
        """A run as of an IDE: cmake --build, Ninja, a shell, this script."""
        project, folder = self.place / "project", self.folder
        (self.place / "script.sh").write_text(script)
        for file in [*self.place.glob("build.*"), *(folder / name for name in ("server", "tool", "begun"))]:
            file.unlink(missing_ok=True)
        if not project.exists():
            project.mkdir()
            (project / "CMakeLists.txt").write_text(PROJECT)
            self.detached("configure", f"cmake -G Ninja -S '{project}' -B '{folder}'")
            wait_until((self.place / "configure.code").exists, "the end of configure")
            wait_until(self.is_free, "its lock is free")
        self.detached("build", f"{interrupt}cmake --build '{folder}'")

    def test_what_a_program_leaves_ends_nothing(self):
        """As a helper of Python's multiprocessing, which outlives the program that it is for."""
        self.build("(cmake -E sleep 3 >orphan.txt 2>&1 &)\nsleep 1; echo the end\n")
        wait_until((self.place / "build.code").exists, "the end")
        self.assertEqual((self.place / "build.code").read_text(), "0\n", (self.place / "build.said").read_text())

    def begin_everything(self, interrupt="env --default-signal=INT "):
        """With what a script runs, orphans in a process group of its own, and a server. Returns (the process of cmake
        --build, what has to end, the server)."""
        folder = self.folder
        self.build(
            "setsid -f sh -c 'echo $$ >server; exec sleep 90'\n"
            "(trap '' TERM INT HUP; sleep 91 & sleep 92) & sh -c 'sleep 93 &'\n"
            "set -m; cmake -E sleep 94 & set +m; echo $! >tool; trap 'exit 1' TERM; touch begun; wait\n",
            interrupt,
        )
        wait_until((folder / "begun").exists, "the build runs")
        server = process_in(folder / "server", "the server runs")
        build = (self.place / "build.pid").read_text().strip()
        wait_until(lambda: len(self.session_of(build)) > 8, "all of it runs")
        return int(build), self.session_of(build), server

    def session_of(self, leader):
        found = subprocess.run(["ps", "-o", "pid=", "-s", leader], stdout=subprocess.PIPE, text=True).stdout
        return list(map(int, found.split()))

    def expect_end(self, processes, what, server=None):
        """All of it ends within ten seconds, and the lock is held until then; the server goes on and does not hold it."""
        end = time.monotonic() + 10
        while left := [pid for pid in processes if lives(pid)]:
            self.assertLess(time.monotonic(), end, (what, left))
            free = self.is_free()
            self.assertFalse(free and any(map(lives, left)), (what, left))
            time.sleep(0.02)
        wait_until(self.is_free, "the lock is free")
        wait_until((self.place / "build.code").exists, "the end")
        if server:
            self.assertTrue(lives(server), what)
            os.kill(server, signal.SIGKILL)

    def test_a_run_ends_as_one(self):
        for number, kill in (
            (signal.SIGKILL, os.kill),
            (signal.SIGKILL, os.killpg),
            (signal.SIGTERM, os.kill),
            (signal.SIGINT, os.killpg),
            (signal.SIGHUP, os.killpg),
        ):
            build, processes, server = self.begin_everything()
            kill(build, number)
            self.expect_end(processes, (number, kill), server)
            self.assertEqual(int((self.place / "build.code").read_text()), 128 + number)
        for name in "engine/__main__.py", "ninja", "script.sh":
            build, processes, server = self.begin_everything()
            texts = {pid: pathlib.Path(f"/proc/{pid}/cmdline").read_text().split("\0") for pid in processes}
            victim = next(pid for pid, words in texts.items() if any(word.endswith("/" + name) for word in words[:8]))
            os.kill(victim, signal.SIGKILL)
            self.expect_end(processes, texts[victim], server)

    def begin_with_presets(self, at, does, command):
        """A command in a new project with the preset x, in which the step `at` does that."""
        project = self.place / "project"
        for folder in project, self.folder:
            shutil.rmtree(folder, ignore_errors=True)
        project.mkdir()
        (project / "CMakeLists.txt").write_text(PROJECT.replace("add_custom_target", "#") + WORKFLOW)
        (project / "step.sh").write_text(f"[ $1 = {at} ] || exit 0\n{does}\n")
        presets = {f"{step}Presets": [{"name": "x", "configurePreset": "x"}] for step in STEPS[1:]}
        presets["configurePresets"] = [{"name": "x", "generator": "Ninja", "binaryDir": str(self.folder)}]
        presets["workflowPresets"] = [{"name": "x", "steps": [{"type": step, "name": "x"} for step in STEPS]}]
        (project / "CMakePresets.json").write_text(json.dumps({"version": 6, **presets}))
        for file in self.place.glob("*.code"):
            file.unlink()
        self.detached("build", f"env -C '{project}' --default-signal=INT {command}")

    def test_the_tests_of_a_later_ctest_are_not_ended(self):
        """The name of the configure's run is no longer that of a run."""
        self.begin_with_presets("test", "sleep 1", "sh -c 'cmake --preset x && ctest --preset x'")
        wait_until((self.place / "build.code").exists, "the end")
        self.assertEqual((self.place / "build.code").read_text(), "0\n", (self.place / "build.said").read_text())

    def begin_workflow(self, at):
        """(its process, those of its session), once it is at that step."""
        end = self.place / "project/at"
        hold = f"(trap '' TERM INT HUP; sleep 91 & sleep 92) & set -m; cmake -E sleep 94 & set +m; touch '{end}'; wait"
        self.begin_with_presets(at, hold, "cmake --workflow --preset x")
        wait_until(end.exists, at)
        workflow = (self.place / "build.pid").read_text().strip()
        return int(workflow), self.session_of(workflow)

    def test_a_workflow_ends_as_one_at_each_step(self):
        for number, at in zip((signal.SIGTERM, signal.SIGHUP, signal.SIGTERM, signal.SIGKILL), STEPS):
            workflow, processes = self.begin_workflow(at)
            os.kill(workflow, number)
            self.expect_end(processes, (number, at))
            self.assertEqual(int((self.place / "build.code").read_text()), 128 + number)

    def test_a_step_that_begins_as_the_workflow_is_killed_ends(self):
        for name, of in ("cmake", "sh"), ("ctest", "sleep"):
            shutil.copy(os.path.realpath(f"/bin/{of}"), self.place / name)
        text = 'cd "$0"; cmake -DFOLDER="$1" -DCOMMAND=true -P "$2"; ./ctest 97 & echo $! >step; kill -9 $$'
        words = [str(self.place / "cmake"), "-c", text, str(self.place), str(self.folder), str(HOLD)]
        self.detached("build", shlex.join(words))
        wait_until((self.place / "build.code").exists, "it is killed")
        self.expect_end([int((self.place / "step").read_text())], "its step")

    def test_in_the_background_of_a_shell_it_says_that_it_was_interrupted(self):
        build, processes, server = self.begin_everything("")
        os.killpg(build, signal.SIGINT)
        self.expect_end(processes, "SIGINT", server)
        said = (self.place / "build.said").read_text()
        self.assertTrue(said.endswith("interrupted: the same command continues from here\n"), said)

    def test_what_a_killed_configure_leaves_is_ended(self):
        holder = self.hold(f"sh -c 'echo $$ >\"{self.place}/pid\" && exec sleep 60'")
        left = process_in(self.place / "pid", "its command runs")
        os.kill(holder, signal.SIGKILL)
        self.assertEqual(self.end_of(self.start("true"))[0], 0)
        self.assertFalse(lives(left))
