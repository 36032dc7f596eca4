# SPDX-License-Identifier: BSD-3-Clause
"""One run per build folder: who is refused, who passes, and what becomes of a run that was killed."""

import fcntl
import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
HOLD = pathlib.Path(__file__).parent / "hold.cmake"
PROJECT = f"""
cmake_minimum_required(VERSION 3.25)
include({ROOT}/cmake/lock/tsb_lock.cmake)
include({ROOT}/cmake/run/tsb_make_program.cmake)
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
CONTAINER = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]


def wait_until(condition, what):
    for _ in range(1500):
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError(f"this did not happen: {what}")


def lives(pid):
    try:
        return ") Z " not in pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


@unittest.skipUnless(os.path.exists("/proc/self/stat"), "there is no /proc here, so nothing is locked")
class Lock(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="a place ", dir=os.getcwd())
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)
        self.folder = self.place / "a build folder"
        self.runs = 0

    def start(self, command="sleep 60", prefix=(), options=()):
        """A run without the build tools above this test as ancestors: its shell ends at once. Returns the file
        that gets its exit code at its end; its output is beside."""
        self.runs += 1
        code = self.place / f"code{self.runs}"
        hold = [
            "cmake",
            f"-DFOLDER={self.folder}",
            f"-DCOMMAND={';'.join(shlex.split(command))}",
            *options,
            "-P",
            str(HOLD),
        ]
        text = '("$@" >"$0.txt" 2>&1; echo $? >"$0.new"; mv "$0.new" "$0") & :'
        subprocess.run(["sh", "-c", text, str(code), *prefix, *hold], check=True)
        return code

    def hold(self, *arguments, **options):
        """Starts a run that gets the folder; returns its process."""
        before = self.held()
        code = self.start(*arguments, **options)
        wait_until(lambda: self.held() > before or code.exists(), "the run has the folder")
        self.assertFalse(code.exists(), code.with_suffix(".txt").read_text() if code.exists() else "")
        holder = json.loads((self.folder / ".lock").read_text())["run"][0]
        if "prefix" not in options:
            self.addCleanup(self.end_of, code)  # it writes into the folder until then
            self.addCleanup(lambda: lives(holder) and os.kill(holder, signal.SIGKILL))
        return holder

    def held(self):
        return len(list(self.folder.glob("held-*")))

    def end_of(self, code):
        wait_until(code.exists, "the end of a run")
        return int(code.read_text()), " ".join(code.with_name(code.name + ".txt").read_text().split())

    def expect_refusal(self, *parts, **options):
        before = self.held(), (self.folder / ".lock").read_text()
        code, output = self.end_of(self.start("true", **options))
        self.assertEqual(code, 1, output)
        for part in parts:
            self.assertIn(part, output)
        self.assertEqual((self.held(), (self.folder / ".lock").read_text()), before, "nothing has changed")

    def background_process(self):
        """That which holds the lock for the run."""
        for file in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = file.read_bytes().split(b"\0")
            except OSError:
                continue
            if str(self.folder).encode() in words and any(word.endswith(b"/lock.py") for word in words):
                return int(file.parent.name)
        return 0

    def test_a_second_run_is_told_who_has_the_folder(self):
        holder = self.hold(options=["-DMIRROR=https://me:s3@cret@mirror/a"])
        self.expect_refusal(
            f"(message): another run is working in {self.folder}: process {holder}, since 20",
            f"-DCOMMAND=sleep;60 -DMIRROR=https://mirror/a -P {HOLD}",
            f"wait until it has ended, or end it (kill {holder}), then run this again",
        )
        os.kill(holder, signal.SIGKILL)
        self.assertEqual(self.end_of(self.start("true"))[0], 0, "after its end")

    def test_the_steps_of_one_run_pass(self):
        inner = f"cmake '-DFOLDER={self.folder}' -DCOMMAND=true -P '{HOLD}'"
        self.assertEqual(self.end_of(self.start(inner)), (0, ""))
        self.assertEqual(self.held(), 2)

    def test_exactly_one_of_many_gets_it(self):
        codes = [self.start("sleep 3") for _ in range(5)]
        self.assertEqual(sorted(self.end_of(code)[0] for code in codes), [0, 1, 1, 1, 1])

    def test_two_commands_of_a_make_are_two_runs(self):
        make = self.place / "make"
        shutil.copy(os.path.realpath("/bin/sh"), make)
        script = '"$@" & sleep 0.1; until test -e "$0"/held-*; do sleep 0.1; done; "$@"; code=$?; kill $!; exit $code'
        self.folder.mkdir()
        code, output = self.end_of(self.start(prefix=[str(make), "-c", script, str(self.folder)]))
        self.assertEqual(code, 1, output)
        self.assertIn("another run is working in", output)

    def test_a_container_sees_the_lock_and_is_seen(self):
        if subprocess.run([*CONTAINER, "true"], capture_output=True).returncode:
            self.skipTest("no PID namespace can be made here; root can")
        holder = self.hold()
        self.expect_refusal(f"process {holder} on ", " or in a container, since 20", "end it there", prefix=CONTAINER)
        os.kill(holder, signal.SIGKILL)
        self.hold("sleep 15", prefix=CONTAINER)
        self.expect_refusal(" or in a container, since 20")

    def test_the_end_of_the_process_in_the_background_opens_nothing(self):
        holder = self.hold()
        with open(self.folder / ".lock") as runner:  # as in a phase's runner
            fcntl.flock(runner, fcntl.LOCK_SH | fcntl.LOCK_NB)
            os.kill(self.background_process(), signal.SIGKILL)
            wait_until(lambda: not self.background_process(), "its end")
            self.expect_refusal(f"process {holder}")

    def test_what_the_file_has_of_a_run_that_is_gone_means_nothing(self):
        self.folder.mkdir()
        for text in "", '{"run": [1', json.dumps({"run": [1, 1, 0, "another boot", "pid:[1]"]}):
            (self.folder / ".lock").write_text(text)
            self.assertEqual(self.end_of(self.start("true")), (0, ""), text)

    def detached(self, name, command):
        """Runs it in a session of its own, without the build tools above this test; <name>.pid and <name>.code get its
        process and its exit code, <name>.said what it says."""
        place = self.place / name
        inner = f"echo $$ >'{place}.new'; mv '{place}.new' '{place}.pid'; exec {command} >'{place}.said' 2>&1"
        text = '(setsid sh -c "$1"; echo $? >"$0.new"; mv "$0.new" "$0.code") & :'
        subprocess.run(["sh", "-c", text, str(place), inner], check=True, stderr=subprocess.DEVNULL)

    def build(self, script, interrupt=""):
        """A run as of an IDE: cmake --build, Ninja, a shell, this script."""
        project, folder = self.place / "project", self.folder
        (self.place / "script.sh").write_text(script)
        project.mkdir()
        (project / "CMakeLists.txt").write_text(PROJECT)
        for file in self.place.glob("*.code"):
            file.unlink()
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
        wait_until((folder / "server").exists, "the server runs")
        build = (self.place / "build.pid").read_text().strip()
        wait_until(lambda: len(self.session_of(build)) > 8, "all of it runs")
        return int(build), self.session_of(build), int((folder / "server").read_text())

    def session_of(self, leader):
        found = subprocess.run(["ps", "-o", "pid=", "-s", leader], stdout=subprocess.PIPE, text=True).stdout
        return list(map(int, found.split()))

    def is_free(self):
        with open(self.folder / ".lock") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
        return True

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
        shutil.rmtree(self.folder), shutil.rmtree(self.place / "project", ignore_errors=True)

    def test_a_run_ends_as_one(self):
        for number in signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP:
            for kill in os.kill, os.killpg:
                build, processes, server = self.begin_everything()
                kill(build, number)
                self.expect_end(processes, (number, kill), server)
                self.assertEqual(int((self.place / "build.code").read_text()), 128 + number)
        for name in "run.py", "ninja", "script.sh":
            build, processes, server = self.begin_everything()
            texts = {pid: pathlib.Path(f"/proc/{pid}/cmdline").read_text().split("\0") for pid in processes}
            victim = next(pid for pid, words in texts.items() if any(word.endswith("/" + name) for word in words[:8]))
            os.kill(victim, signal.SIGKILL)
            self.expect_end(processes, texts[victim], server)

    def begin_with_presets(self, at, does, command):
        """A command in a project with the preset x, in which the step `at` does that."""
        project = self.place / "project"
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
        wait_until((self.place / "pid").exists, "its command runs")
        left = int((self.place / "pid").read_text())
        os.kill(holder, signal.SIGKILL)
        self.assertEqual(self.end_of(self.start("true"))[0], 0)
        self.assertFalse(lives(left))
