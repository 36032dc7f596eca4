# SPDX-License-Identifier: BSD-3-Clause
"""Runs that take a build folder, without the build tools above the test."""

import fcntl
import json
import os
import pathlib
import shlex
import signal
import subprocess
import tempfile
import time
import unittest

HOLD = pathlib.Path(__file__).parent / "hold.cmake"


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


def process_in(file, what):
    """The process that a shell writes with `echo $$ >file`, once the line is whole: the file exists before it."""
    wait_until(lambda: file.exists() and file.read_text().endswith("\n"), what)
    return int(file.read_text())


@unittest.skipUnless(os.path.exists("/proc/self/stat"), "there is no /proc here, so nothing is locked")
class LockTest(unittest.TestCase):
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

    def detached(self, name, command):
        """Runs it in a session of its own, without the build tools above this test; <name>.pid and <name>.code get its
        process and its exit code, <name>.said what it says."""
        place = self.place / name
        inner = f"echo $$ >'{place}.new'; mv '{place}.new' '{place}.pid'; exec {command} >'{place}.said' 2>&1"
        text = '(setsid sh -c "$1"; echo $? >"$0.new"; mv "$0.new" "$0.code") & :'
        subprocess.run(["sh", "-c", text, str(place), inner], check=True, stderr=subprocess.DEVNULL)

    def is_free(self):
        with open(self.folder / ".lock") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
        return True
