# SPDX-License-Identifier: BSD-3-Clause
"""What Ninja says about its steps, and the one line of progress that is made from it."""

import argparse
import fnmatch
import os
import re
import subprocess
import sys
import time

from text import ENVIRONMENT, Failure, human_time, plain, show, system_failure

STATUS = re.compile(r"\[(\d+)/(\d+)\] (.*)", re.ASCII | re.DOTALL)
PLAIN_WIDTH = 200
# Before this share of the work is done the time left is unknown.
LEAST_SHARE = 0.02


def parse_status(line):
    """(finished, total, what) of `[312/1452] Building CXX object x.o`; None when the line is not of the form that
    NINJA_STATUS="[%f/%t] " gives."""
    match = STATUS.match(line)
    if not match or not 0 < int(match[2]) >= int(match[1]):
        return None
    return int(match[1]), int(match[2]), match[3]


class NinjaCommand:
    """A command that runs Ninja: `[env...] ninja -C <folder> -j <jobs> [<target>...]`."""

    def __init__(self, words, ninja):
        self.program = words[: ninja + 1]
        self.arguments = words[ninja + 1 :]
        parser = argparse.ArgumentParser(add_help=False)
        parser.add_argument("-C", default=".")
        parser.add_argument("-j", type=int, default=os.cpu_count())
        options, _ = parser.parse_known_args(self.arguments)
        self.folder, self.jobs = options.C, options.j

    def alone(self, outputs):
        """The command that makes nothing but `outputs`, one step at a time."""
        return [*self.program, "-C", self.folder, "-j1", *outputs]

    def planned_steps(self):
        """Ninja's descriptions of the steps that the command would do, as its own dry run tells them. Empty when it
        cannot tell, as before build.ninja has been made again."""
        words = [*self.program, "-n", *self.arguments]
        try:
            plan = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, errors="surrogateescape")
        except OSError:
            return []  # run() will say so
        statuses = map(parse_status, plan.stdout.split("\n"))
        return [] if plan.returncode else [status[2] for status in statuses if status]


def ninja_command(words):
    """None when the command is of another kind."""
    for index, word in enumerate(words):
        if os.path.basename(word) in ("ninja", "ninja-build", "samu"):
            return NinjaCommand(words, index)
    return None


class Weights:
    """What the steps of a build weigh. PyTorch's first thousand steps, small C files, take 2 % of the time.

    The file is releases/<version>/pytorch/step_costs.txt: lines that begin with # are comments, every other is
    `<seconds> <pattern>`. The pattern is for a step's output, `*` in it stands for any characters, and the first line
    that fits counts; else a step weighs a second.
    """

    def __init__(self, path=None):
        self.lines = []
        try:
            with open(path or os.devnull, errors="surrogateescape") as file:
                lines = file.read().split("\n")
        except OSError as error:
            raise system_failure(f"{path} cannot be read", error) from error
        for number, line in enumerate(lines, 1):
            if not line or line.startswith("#"):
                continue
            try:
                seconds, pattern = line.split()
                self.lines.append((float(seconds), re.compile(fnmatch.translate(pattern)).match))
            except ValueError:
                message = f"{path}: line {number} is not '<seconds> <pattern>': {line}"
                raise Failure(ENVIRONMENT, message, "correct it; tools/step_costs.py writes such lines") from None

    def of(self, step):
        """The weight of a step, by Ninja's description of it, which ends in what it makes."""
        output = step.rpartition(" ")[2]
        return next((weight for weight, fits in self.lines if fits(output)), 1)


class Progress:
    """Turns Ninja's lines into the text of the progress line."""

    def __init__(self, label, ninja=None, weights=None, now=None):
        """`label`: "pytorch build". `ninja`: the command, if it is one. `weights`: of its steps."""
        self.label = label
        self.weights = weights or Weights()
        self.jobs = ninja.jobs if ninja else 0
        steps = ninja.planned_steps() if ninja else []
        self.planned = len(steps)
        self.work = sum(map(self.weights.of, steps))
        self.done = 0
        self.started = time.monotonic() if now is None else now
        self.finished = self.total = 0
        self.what = ""

    def see(self, line):
        """Takes note of a line of the log."""
        status = parse_status(line)
        if status:
            self.finished, self.total, self.what = status
            self.done += self.weights.of(self.what)
            if self.total > self.planned:  # build.ninja was made again
                self.work = 0
        elif not self.total and line:
            # Between Ninja's own lines stands what compilers say; that is for the log.
            self.what = line

    def text(self, now=None):
        """ "pytorch build 21% after 3m10s, about 11m52s left, 2 jobs  <what>" (the share is that of the work); before the
        first step, and for tools that are not Ninja, "pytorch build 12s  <last line>"."""
        gone = (time.monotonic() if now is None else now) - self.started
        what = "  " + plain(self.what) if self.what else ""
        if not self.total:
            return f"{self.label} {human_time(gone)}{what}"
        # Ninja takes steps out that turn out to be up to date.
        work = self.work if self.finished < self.total else self.done
        share = min(self.done / work, 1) if work else self.finished / self.total
        left = f", about {human_time(gone * (1 - share) / share)} left" if share >= LEAST_SHARE and gone >= 1 else ""
        jobs = f", {self.jobs} job{'s' if self.jobs != 1 else ''}" if self.jobs else ""
        return f"{self.label} {int(share * 100 + 1e-9)}% after {human_time(gone)}{left}{jobs}{what}"


class ProgressLine:
    """Shows progress on standard output: one line that is rewritten on a terminal, plain lines now and then elsewhere
    (no control characters)."""

    def __init__(self, interval):
        """`interval`: the least number of seconds between two plain lines."""
        self.terminal = sys.stdout.isatty()
        self.interval = 0.1 if self.terminal else interval
        self.shown = False
        self.wait()

    def wait(self):
        """Nothing is due before the interval is over. Whoever starts the runner has said what begins."""
        self.last = time.monotonic()

    def due(self):
        return time.monotonic() - self.last >= self.interval

    def update(self, text):
        """Shows `text` if it is due, cut to the width of the terminal; plain lines are cut as well, since Ninja names all
        files that a generator makes."""
        if not self.due():
            return
        self.wait()
        if not self.terminal:
            self.print(text[:PLAIN_WIDTH])
            return
        try:
            width = os.get_terminal_size(sys.stdout.fileno()).columns or 80
        except OSError:
            width = 80
        show(sys.stdout, "\r\033[K" + text[: width - 1])
        self.shown = True

    def print(self, text):
        """Replaces the progress line by `text` that stays."""
        self.clear()
        show(sys.stdout, text + "\n")

    def clear(self):
        if self.shown:
            show(sys.stdout, "\r\033[K")
            self.shown = False
