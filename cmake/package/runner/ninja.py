# SPDX-License-Identifier: BSD-3-Clause
"""What Ninja says about its steps: before it begins, on its status lines, in its log."""

import os
import re
import subprocess

STATUS = re.compile(r"\[(\d+)/(\d+)\] (.*)", re.ASCII | re.DOTALL)


def parse_status(line):
    """(finished, total, what) of `[312/1452] Building CXX object x.o`; None when the line is not of the form that
    NINJA_STATUS="[%f/%t] " gives."""
    match = STATUS.match(line)
    if not match:
        return None
    finished, total = int(match[1]), int(match[2])
    return (finished, total, match[3]) if total and finished <= total else None


class NinjaCommand:
    """A command that runs Ninja: `[env...] ninja [-C <folder>] [-j <jobs>] [<target>...]`."""

    def __init__(self, words, ninja):
        self.program = words[: ninja + 1]
        self.arguments = words[ninja + 1 :]
        self.folder = "."
        self.jobs = os.cpu_count() or 1
        rest = iter(self.arguments)
        for word in rest:
            if word[:2] in ("-C", "-j"):
                value = word[2:] or next(rest, "")
                if word[1] == "C":
                    self.folder = value
                elif value.isdigit():
                    self.jobs = max(int(value), 1)

    def alone(self, outputs):
        """The command that makes nothing but `outputs`, one step at a time."""
        return [*self.program, "-C", self.folder, "-j1", *outputs]

    def planned_steps(self):
        """Ninja's descriptions of the steps that the command would do, in its order, as Ninja's own dry run tells
        them. Empty when it cannot tell, as before build.ninja has been made again."""
        try:
            plan = subprocess.run(
                [*self.program, "-n", *self.arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                errors="surrogateescape",
            )
        except OSError:
            return []  # run() will say so
        if plan.returncode:
            return []
        return [status[2] for status in map(parse_status, plan.stdout.split("\n")) if status]


def ninja_command(words):
    """None when the command is of another kind."""
    for index, word in enumerate(words):
        if os.path.basename(word) in ("ninja", "ninja-build", "samu"):
            return NinjaCommand(words, index)
    return None


class NinjaLog:
    """Reads what is added to a build folder's .ninja_log, which Ninja writes line by line."""

    def __init__(self, folder):
        self.file = os.path.join(folder, ".ninja_log")
        self.read_to = self.size()  # what it has at this moment is of earlier runs

    def size(self):
        try:
            return os.path.getsize(self.file)
        except OSError:
            return 0

    def added(self):
        """[(output, seconds)] of the steps that were added since the last call."""
        size = self.size()
        if size <= self.read_to:
            # A smaller one was just written anew, without what no longer counts.
            self.read_to = size
            return []
        with open(self.file, "rb") as file:
            file.seek(self.read_to)
            data = file.read()
        data = data[: data.rfind(b"\n") + 1]
        self.read_to += len(data)
        steps = []
        for line in data.decode("utf-8", "surrogateescape").split("\n"):
            # start and end in milliseconds, time stamp, output, hash of the command
            words = line.split("\t")
            if len(words) == 5 and words[0].isdigit() and words[1].isdigit():
                steps.append((words[3], (int(words[1]) - int(words[0])) / 1000))
        return steps
