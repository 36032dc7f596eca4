# SPDX-License-Identifier: BSD-3-Clause
"""cmake/detail/run_script.py: what it shows of a script's errors and progress, and how it ends."""

import os
import signal
import subprocess
import sys

from fixture import ROOT, RunnerTest

from test_interrupt import runs, wait_until

DETAIL = ROOT / "cmake/detail"
START = f'include("{DETAIL}/tsb_fail.cmake")\ninclude("{DETAIL}/tsb_progress.cmake")\n'
FAILING = 'tsb_fail("it broke; so" "fix a;b" "or c")\n'
FAILED = "error: it broke; so\n       fix a;b\n       or c\n"
MISTAKE = 'message(STATUS "on the way")\nfunction(f)\nmessage(FATAL_ERROR "a mistake")\nendfunction()\nf()\n'
SLOW = """tsb_progress("unpacking b, 3 of 7")
execute_process(COMMAND sleep 1.9)
tsb_progress("")
message(STATUS "shows its own")
execute_process(COMMAND sleep 1.9)
message(STATUS "the end")
"""
SLEEP = 'execute_process(COMMAND sh -c "echo $PPID $$ >pid; mv pid started; exec sleep 60")\n'


class Scripts(RunnerTest):
    def words(self, content):
        script = self.folder / "a script.cmake"
        script.write_text(f"cmake_minimum_required(VERSION 3.25)\n{START}{content}")
        return [sys.executable, "-I", "-S", str(DETAIL / "run_script.py"), "cmake", "-P", str(script)]

    def expect(self, ends, output, error, content):
        """`output`, `error`: expressions for all that it writes there."""
        environment = {**os.environ, "TSB_PROGRESS_SECONDS": "0.8"}
        done = subprocess.run(self.words(content), capture_output=True, text=True, env=environment)
        self.assertEqual(done.returncode, ends, done.stderr)
        self.assertRegex(done.stdout, rf"(?s)^{output}$")
        self.assertRegex(done.stderr, rf"(?s)^{error}$")

    def test_what_explains_itself_fails_without_the_report_of_cmake(self):
        self.expect(1, "", "before\n" + FAILED, 'message(NOTICE "before")\n' + FAILING)
        self.expect(1, "", "explained\n", 'message(NOTICE "explained")\ntsb_fail()\n')
        (self.folder / "inner.cmake").write_text(f"{START}function(f)\n{FAILING}endfunction()\nf()\n")
        inner = f'execute_process(COMMAND cmake -P "{self.folder}/inner.cmake")\n'
        self.expect(1, "", FAILED + "error: the inner one\n", inner + 'tsb_fail("the inner one")\n')

    def test_all_else_is_shown(self):
        self.expect(1, "-- on the way\n", "CMake Error at .*a mistake.*Call Stack.*", MISTAKE)
        self.expect(0, "", "CMake Warning.*mind this.*", 'message(WARNING "mind this")\n')
        self.expect(0, "a", "b", 'execute_process(COMMAND sh -c "printf a; printf b >&2")\n')

    def test_what_takes_long_is_said_again_and_again(self):
        said = r"(-- unpacking b, 3 of 7 \(\d+ s\)\n)+-- shows its own\n-- the end\n"
        self.expect(0, said, "", SLOW)

    def test_signals_end_it(self):
        started = self.folder / "started"
        for number, code in {signal.SIGINT: 130, signal.SIGTERM: 143}.items():
            script = subprocess.Popen(self.words(SLEEP), cwd=self.folder)
            wait_until(started.exists, "the script runs")
            cmake, sleeper = map(int, started.read_text().split())
            started.unlink()
            script.send_signal(number)
            # CMake, and what it runs, which nobody tells, hold nothing up.
            self.assertEqual(script.wait(20), code)
            wait_until(lambda cmake=cmake: not runs(cmake), "CMake ends")
            os.kill(sleeper, signal.SIGTERM)
        self.expect(137, "", "", 'execute_process(COMMAND sh -c "kill -9 $PPID")\n')
