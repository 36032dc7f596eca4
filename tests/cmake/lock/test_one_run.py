# SPDX-License-Identifier: BSD-3-Clause
"""One run per build folder: who has it, who is refused and who passes."""

import fcntl
import json
import os
import pathlib
import shutil
import signal
import subprocess

from lock_fixture import HOLD, LockTest, wait_until

CONTAINER = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]


class OneRun(LockTest):
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
            if str(self.folder).encode() in words and b"one_run.lock" in words:
                return int(file.parent.name)
        return 0

    def test_a_second_run_is_told_who_has_the_folder(self):
        holder = self.hold(options=["-DMIRROR=https://me:s3/@cret@mirror/a"])
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
            background = self.background_process()
            self.assertTrue(background)  # 0 is the whole group
            os.kill(background, signal.SIGKILL)
            wait_until(lambda: not self.background_process(), "its end")
            self.expect_refusal(f"process {holder}")

    def test_what_the_file_has_of_a_run_that_is_gone_means_nothing(self):
        self.folder.mkdir()
        for text in "", '{"run": [1', json.dumps({"run": [1, 1, 0, "another boot", "pid:[1]"]}):
            (self.folder / ".lock").write_text(text)
            self.assertEqual(self.end_of(self.start("true")), (0, ""), text)
