# SPDX-License-Identifier: BSD-3-Clause
"""What ends when the runner is asked to end, or killed."""

import os
import signal
import subprocess
import time

from fixture import RunnerTest


def wait_until(condition, what):
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError(f"this did not happen: {what}")


def runs(process):
    try:
        with open(f"/proc/{process}/stat") as file:
            return ") Z " not in file.read()
    except OSError:
        return False


class Interrupt(RunnerTest):
    def begin(self, prefix=()):
        """A command that starts another process; (the runner's process, that of the other)."""
        started = self.folder / "started"
        started.unlink(missing_ok=True)
        words = self.words(["sh", "-c", f"sleep 300 & echo $! > '{started}'; wait"])
        runner = subprocess.Popen([*prefix, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        wait_until(lambda: started.exists() and started.read_text().endswith("\n"), "the command runs")
        return runner, int(started.read_text())

    def test_signals_reach_the_whole_group_and_end_it(self):
        for number, code in {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}.items():
            runner, sleeper = self.begin()
            runner.send_signal(number)
            output, _ = runner.communicate()
            self.assertEqual(runner.returncode, code, output)
            self.assertIn("demo build interrupted; run it again to continue\n", output)
            wait_until(lambda sleeper=sleeper: not runs(sleeper), "the command's child ends")

    def test_a_background_job_of_a_shell_can_be_interrupted(self):
        # The shell has SIGINT ignored for it.
        runner, sleeper = self.begin(["sh", "-c", 'trap "" INT; exec "$@"', "sh"])
        runner.send_signal(signal.SIGINT)
        runner.communicate()
        self.assertEqual(runner.returncode, 130)
        wait_until(lambda: not runs(sleeper), "the command's child ends")

    def test_what_prints_without_end_can_be_interrupted(self):
        runner = subprocess.Popen(self.words(["yes"]), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        wait_until(lambda: self.log.exists() and self.log.stat().st_size > 1 << 20, "the command prints")
        runner.send_signal(signal.SIGINT)
        runner.communicate(timeout=30)
        self.assertEqual(runner.returncode, 130)

    def test_a_background_job_that_prints_on_does_not_keep_it(self):
        result = subprocess.run(self.words(["sh", "-c", "yes & sleep 0.3; exit 3"]), capture_output=True, timeout=60)
        self.assertEqual(result.returncode, 3)

    def test_the_end_of_a_build_tool_above_ends_it(self):
        try:
            os.close(os.pidfd_open(os.getpid()))
        except (AttributeError, OSError):
            self.skipTest("no pidfd_open here")
        tool = self.folder / "cmake"
        tool.write_text('#!/bin/sh\n"$@" &\nwait\n')
        tool.chmod(0o755)
        above, sleeper = self.begin([tool])
        above.terminate()
        output, _ = above.communicate(timeout=30)  # the runner writes there too
        self.assertIn("demo build interrupted; run it again to continue\n", output)
        wait_until(lambda: not runs(sleeper), "the command's child ends")

    def test_killed_it_takes_the_command_with_it(self):
        command = f"echo $$ > '{self.folder}/pid'; echo begun; exec sleep 300"
        runner = subprocess.Popen(self.words(["sh", "-c", command]), stdout=subprocess.DEVNULL)
        wait_until(lambda: self.log.exists() and "\nbegun\n" in self.log_text(), "the command runs")
        runner.kill()
        runner.wait()
        sleeper = int((self.folder / "pid").read_text())
        wait_until(lambda: not runs(sleeper), "the command ends")
        self.assertNotEqual(os.getpgid(0), sleeper)
