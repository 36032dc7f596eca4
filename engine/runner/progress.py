# SPDX-License-Identifier: BSD-3-Clause
"""What Ninja says about its steps, and how far they are by that."""

import argparse
import fnmatch
import os
import re
import subprocess
import sys

from engine.failure import Failure
from engine.runner.text import ENVIRONMENT, plain, show, system_failure

STATUS = re.compile(r"\[(\d+)/(\d+)\] (.*)", re.ASCII | re.DOTALL)
PLAIN_WIDTH = 200


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
        self.folder = parser.parse_known_args(self.arguments)[0].C

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
                raise Failure(message, "correct it; tools/step_costs.py writes such lines", ENVIRONMENT) from None

    def of(self, step):
        """The weight of a step, by Ninja's description of it, which ends in what it makes."""
        output = step.rpartition(" ")[2]
        return next((weight for weight, fits in self.lines if fits(output)), 1)


class Progress:
    """Turns Ninja's lines into progress."""

    def __init__(self, label, ninja=None, weights=None):
        """`label`: "pytorch build". `ninja`: the command, if it is one. `weights`: of its steps."""
        self.label = label
        self.weights = weights or Weights()
        steps = ninja.planned_steps() if ninja else []
        self.planned = len(steps)
        self.work = sum(map(self.weights.of, steps))
        self.done = 0
        self.finished = self.total = 0
        self.what = self.shown = ""

    def see(self, line):
        """Takes note of a line of the log."""
        status = parse_status(line)
        if status and status[2].startswith(("Re-checking ", "Re-running ")):
            self.what = status[2]  # what follows counts from the beginning
        elif status:
            self.finished, self.total, self.what = status
            self.done += self.weights.of(self.what)
            if self.total > self.planned:  # build.ninja was made again
                self.work = 0
        elif not self.total and line:
            # Between Ninja's own lines stands what compilers say; that is for the log.
            self.what = line

    def show(self):
        """Tells engine/one_run/screen.py: "tsb_progress: 0.213 pytorch build: <what>" (the share is that of the work);
        without a share before the first step, and for tools that are not Ninja."""
        text = self.label
        if self.total:
            # Ninja takes steps out that turn out to be up to date.
            work = self.work if self.finished < self.total else self.done
            share = min(self.done / work, 1) if work else self.finished / self.total
            text = f"{share:.3f} {text}"
        text += ": " + plain(self.what)[:PLAIN_WIDTH] if self.what else ""
        if text != self.shown:
            show(sys.stdout, f"tsb_progress: {text}\n")
        self.shown = text
