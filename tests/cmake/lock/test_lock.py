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
import tempfile
import time
import unittest

HOLD = pathlib.Path(__file__).parent / "hold.cmake"
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
            f"another run is working in {self.folder}: process {holder}, since 20",
            f"-DCOMMAND=sleep;60 -DMIRROR=https://mirror/a -P {HOLD}",
            f"wait until it has ended, or end it (kill {holder}), then run this again",
        )
        self.expect_refusal(
            f"(message): another run is working in {self.folder}: process {holder}, since 20",
            f"{HOLD} wait until it has ended, or end it (kill {holder}), then run this again",
            options=["-DRESULT=RESULT_ERROR;error"],
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

    def test_what_a_killed_run_leaves_is_ended_and_only_that(self):
        for name in "left", "own":
            (self.folder / name).mkdir(parents=True)
            rule = "rule wait\n command = echo $$PPID >pid.new; mv pid.new pid; sleep 60\nbuild x: wait\n"
            (self.folder / name / "build.ninja").write_text(rule)
        # CMake waits for its build tool before it obeys SIGTERM.
        (self.folder / "left/build.cmake").write_text("execute_process(COMMAND ninja)\n")
        holder = self.hold(f"env -C '{self.folder}/left' cmake -P build.cmake")
        # A build that a living shell of the same session has started since.
        shell = subprocess.Popen(["sh", "-c", "ninja; :"], cwd=self.folder / "own", stdout=subprocess.DEVNULL)
        pids = [self.folder / name / "pid" for name in ("left", "own")]
        wait_until(lambda: all(pid.exists() for pid in pids), "both builds run")
        left, own = (int(pid.read_text()) for pid in pids)
        os.kill(holder, signal.SIGKILL)
        self.assertEqual(self.end_of(self.start("true"))[0], 0)
        self.assertFalse(lives(left))
        self.assertTrue(lives(own))
        os.kill(own, signal.SIGTERM)
        shell.wait()
