# SPDX-License-Identifier: BSD-3-Clause
"""The steps that failed in a log of Ninja's, and which of them were killed for lack of memory."""

import re

from ninja import parse_status
from text import lines_of

FAILED = "FAILED: "
# In lower case.
LACK_OF_MEMORY = [
    "killed signal terminated program",
    "fatal error: killed",
    "out of memory allocating",
    "cannot allocate memory",
    "ld terminated with signal 9",
    "memory exhausted",
    "unable to execute command: killed",
]


def names_lack_of_memory(lines):
    text = "\n".join(lines).lower()
    return "Killed" in lines or any(words in text for words in LACK_OF_MEMORY)


class FailedStep:
    """As Ninja reports it: `FAILED: <outputs>`, its command, what it said."""

    def __init__(self, lines):
        # Newer Ninjas put the exit code before the outputs: `[code=137] x.o`.
        code, outputs = re.match(r"(?:\[code=([^] ]*)[^ ]*)?(.*)", lines[0][len(FAILED) :]).groups()
        self.outputs = [output for output in outputs.split(" ") if output]
        self.command = lines[1] if len(lines) > 1 else ""
        said = lines[2:]
        self.output = "".join(line + "\n" for line in said)
        # A compiler that fails says why. One that is killed itself cannot.
        self.killed_for_memory = code in ("137", "9") or not any(said) or names_lack_of_memory(said)


def failed_steps(log):
    """(steps, whether memory is named as the reason anywhere in the log)"""
    lines = lines_of(log)
    steps = []
    for begin, line in enumerate(lines):
        if line.startswith(FAILED):
            end = begin + 2  # the next line is the command; then comes what it printed, up to the next step
            while end < len(lines) and not (lines[end].startswith((FAILED, "ninja: ")) or parse_status(lines[end])):
                end += 1
            steps.append(FailedStep(lines[begin:end]))
    return steps, names_lack_of_memory(lines)


def only_memory(steps, memory_named):
    """Whether lack of memory is all that went wrong: only then does another try make sense."""
    return all(step.killed_for_memory for step in steps) if steps else memory_named


def log_tail(log, count):
    """The last `count` lines; or, when a `FAILED:` line stands before them or among them, the `count` lines from the
    first such line on (and the last line, when it was left out)."""
    lines = lines_of(log)
    begin = next((i for i, line in enumerate(lines) if line.startswith(FAILED)), max(len(lines) - count, 0))
    shown = lines[begin : begin + count]
    if begin + count < len(lines):
        shown += ["...", lines[-1]]
    return "".join(line + "\n" for line in shown)
