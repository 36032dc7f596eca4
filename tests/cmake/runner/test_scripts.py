# SPDX-License-Identifier: BSD-3-Clause
"""engine/one_run/run.py: what it shows of a command's errors and progress, in which form, and how it ends."""

import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import time

from fixture import ROOT, RunnerTest

DETAIL = ROOT / "cmake/detail"
START = f'include("{DETAIL}/tsb_fail.cmake")\ninclude("{DETAIL}/tsb_progress.cmake")\n'
FAILING = 'tsb_fail("it broke; so" "fix a;b" "or c")\n'
FAILED = "error: it broke; so\n       fix a;b\n       or c\n"
MISTAKE = 'message(STATUS "on the way")\nfunction(f)\nmessage(FATAL_ERROR "a mistake")\nendfunction()\nf()\n'
SLEEP = 'execute_process(COMMAND sh -c "echo $PPID $$ >pid; mv pid started; exec sleep 60")\n'
TERMINAL = [sys.executable, "-c", "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)"]
PLAN = "10 demo configure\n80 demo build\n10 zip check\n"
PROGRESS = """
echo 'tsb_progress: 0.500 demo build: x.o'; sleep 1
echo 'tsb_progress: 0.250 demo build: y.o'; sleep 1
echo "tsb_progress: first, build log: $0"; sleep 1
echo 'tsb_progress: zip check'; sleep 1
"""


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


class Scripts(RunnerTest):
    def setUp(self):
        super().setUp()
        self.variables = {name: text for name, text in os.environ.items() if "COLOR" not in name}

    def words(self, command):
        return [sys.executable, "-I", "-S", "-B", str(ROOT / "engine"), "one_run.run", *command]

    def script(self, content):
        script = self.folder / "a script.cmake"
        script.write_text(f"cmake_minimum_required(VERSION 3.25)\n{START}{content}")
        return self.words(["cmake", "-P", str(script)])

    def expect(self, ends, output, words, **variables):
        """`output`: an expression for all that it writes."""
        variables = {**self.variables, **variables}
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=variables)
        said = done.stdout.decode()  # with each \r
        self.assertEqual(done.returncode, ends, said)
        self.assertRegex(said, rf"(?s)^{output}$")

    def test_what_explains_itself_fails_without_the_report_of_cmake(self):
        self.expect(1, "before\n" + FAILED, self.script('message(NOTICE "before")\n' + FAILING))
        self.expect(1, "explained\n", self.script('message(NOTICE "explained")\ntsb_fail()\n'))
        (self.folder / "inner.cmake").write_text(f"{START}function(f)\n{FAILING}endfunction()\nf()\n")
        inner = f'execute_process(COMMAND cmake -P "{self.folder}/inner.cmake")\n'
        self.expect(1, FAILED + "error: the inner one\n", self.script(inner + 'tsb_fail("the inner one")\n'))

    def test_all_else_is_shown(self):
        self.expect(1, "-- on the way\nCMake Error at .*a mistake.*Call Stack.*", self.script(MISTAKE))
        self.expect(0, "CMake Warning.*mind this.*", self.script('message(WARNING "mind this")\n'))
        self.expect(0, "ab", self.script('execute_process(COMMAND sh -c "printf a; printf b >&2")\n'))
        self.expect(4, "", self.words(["sh", "-c", "exit 4"]))

    def ninja_words(self, command):
        rule = f"rule s\n command = {command}\n description = Making\n pool = console\nbuild a: s\n"
        return self.words(self.ninja(rule))

    def test_errors_end_with_the_error(self):
        self.expect(1, "ninja: Entering[^\n]*\nerror: why\n", self.ninja_words("echo error: why; exit 3"))
        shown = r"ninja: Entering[^\n]*\nFAILED: a \n.*exit 3\n.*subcommand failed.\n"
        self.expect(1, shown, self.ninja_words("exit 3"))
        explains = self.script('message(NOTICE "no network\\nset a mirror")\ntsb_fail()\n')  # as fetch, in Python, does
        self.expect(1, "ninja: Entering[^\n]*\nno network\nset a mirror\n", self.ninja_words(shlex.join(explains[-3:])))

    def test_colour_is_for_terminals(self):
        failing, red = self.script(FAILING), "\x1b[31;1merror: it broke; so\x1b[m"
        self.expect(1, FAILED, failing)
        coloured = FAILED.replace("error: it broke; so", red)
        self.expect(1, re.escape(red) + r"\n\S*       fix a;b\S*\n\S*       or c\S*\n", failing, CLICOLOR_FORCE="1")
        self.expect(1, FAILED, failing, CLICOLOR_FORCE="1", NO_COLOR="1")
        for variables, text in ({}, coloured), ({"NO_COLOR": "1"}, FAILED), ({"TERM": "dumb"}, FAILED):
            text = re.escape(text.replace("\n", "\r\n"))
            self.expect(1, text, [*TERMINAL, *failing], **{"TERM": "xterm", **variables})

    def run_in_folder(self, *words):
        (self.folder / "steps").mkdir(exist_ok=True)
        (self.folder / "steps/plan.txt").write_text(PLAN)
        (self.folder / "log").write_text("[1/9] a\n[3/9] b\nrest")
        return self.words(["--folder", str(self.folder), *words])

    def test_the_share_is_that_of_the_run_and_never_goes_back(self):
        said = r"(\[ 50%\] \ds  demo build: x.o\n){1,2}"
        said += r"(\[ 50%\] \ds  demo build: y.o\n){1,2}"
        said += r"(\[ 50%\] \ds  demo build: first, build \(3/9\)\n){1,2}"
        said += r"(\[ 9[01]%\] \ds  zip check\n){1,2}"
        words = self.run_in_folder("sh", "-c", PROGRESS, str(self.folder / "log"))
        self.expect(0, said, words, TSB_PROGRESS_SECONDS="0.6")
        self.expect(0, "", words)  # a log gets a line in a minute

    def test_a_terminal_has_one_line_that_is_rewritten(self):
        words = self.run_in_folder("sh", "-c", "echo begin; echo tsb_progress: demo build; sleep 1.5; echo end")
        said = r"begin\r\n(\r\x1b\[K\[ 1\d%\] \ds  demo build)+\r\x1b\[Kend\r\n"
        self.expect(0, said, [*TERMINAL, *words], TERM="xterm")

    def test_signals_end_it(self):
        started = self.folder / "started"
        for number, code in {signal.SIGINT: 130, signal.SIGTERM: 143}.items():
            words = self.script(SLEEP)
            script = subprocess.Popen(words, cwd=self.folder, stdout=subprocess.PIPE, text=True)
            self.addCleanup(script.stdout.close)
            wait_until(started.exists, "the script runs")
            cmake, sleeper = map(int, started.read_text().split())
            started.unlink()
            script.send_signal(number)
            # CMake, and what it runs, which nobody tells, hold nothing up.
            self.assertEqual(script.wait(20), code)
            self.assertEqual(script.stdout.read(), "interrupted: the same command continues from here\n")
            wait_until(lambda cmake=cmake: not runs(cmake), "CMake ends")
            os.kill(sleeper, signal.SIGTERM)
        self.expect(137, "error: killed by signal 9\n", self.script('execute_process(COMMAND sh -c "kill -9 $PPID")\n'))

    def test_what_prints_without_end_can_be_interrupted(self):
        for prefix in [], ["sh", "-c", 'trap "" INT; exec "$@"', "sh"]:  # as a shell does for its background
            script = subprocess.Popen([*prefix, *self.words(["yes"])], stdout=subprocess.PIPE)
            script.stdout.read(1 << 20)
            script.send_signal(signal.SIGINT)
            script.communicate(timeout=30)
            self.assertEqual(script.returncode, 130)

    def test_a_server_left_behind_does_not_hold_it_up(self):
        self.expect(0, "", self.words(["sh", "-c", f"sleep 30 & echo $! >'{self.folder}/pid'"]))
        os.kill(int(pathlib.Path(self.folder, "pid").read_text()), signal.SIGKILL)
