# SPDX-License-Identifier: BSD-3-Clause
"""One phase of a package being run, with its second tries."""

import os
import re
import sys

from engine.build_folder import read_json
from engine.runner.log_errors import FAILED, LogErrors, failed_steps, names_lack_of_memory
from engine.runner.network import cut_off_network, downloads_in
from engine.runner.progress import Progress, Weights, ninja_command
from engine.runner.supervise import Supervisor
from engine.runner.text import join_some, plain, show

PIN_IT = "pin what it wants, or switch it off: docs/adding-a-package.md#it-wants-to-download"
TAIL = 30  # lines of a log in which nothing looks like an error
KILLED = 137


def value_of(file, key):
    """A number of /proc/meminfo or /proc/vmstat; 0 when it cannot be read."""
    try:
        with open(file) as stream:
            return next((int(line.split()[1]) for line in stream if line.startswith(key)), 0)
    except OSError:
        return 0


def log_tail(log):
    """The last lines; or, when a `FAILED:` line stands before them or among them, the lines from the first such line on
    (and the last line, when it was left out)."""
    lines = plain(log).rstrip("\n").split("\n")
    begin = next((i for i, line in enumerate(lines) if line.startswith(FAILED)), max(len(lines) - TAIL, 0))
    more = ["...", lines[-1]] if begin + TAIL < len(lines) else []
    return "".join(line + "\n" for line in [*lines[begin : begin + TAIL], *more])


def unit_to_split(errors, folder):
    """(group, source, what to add to which file, so that the source is compiled alone) when a unit does not compile of
    those that superbuild/pytorch/unity_groups.cmake makes; None for other errors."""
    if not errors.unit:
        return None
    unit, group, line = errors.unit
    lists = [file for file in read_json(os.path.join(folder, "package.json"))["inputs"] if "/unity_" in file]
    beside = [file for end in ("exclude.txt", "groups.txt") for file in lists if file.endswith(end)]
    if not beside:
        return None
    try:
        with open(unit, encoding="utf-8") as stream:
            included = stream.read().split("\n")[int(line) - 1].split('"')[1]
    except (OSError, ValueError, IndexError):  # it is gone, or another file
        return None
    source = os.path.relpath(included, os.path.join(folder, "source"))
    why = re.search("error: (.*)", errors.first)
    file = os.path.join(os.path.dirname(beside[0]), "unity_exclude.txt")
    return (
        group,
        source,
        f"add the line '{source} {why[1] if why else 'does not compile'}' to {file}, for another release to a copy in its own folder",
    )


class Phase:
    def __init__(self, options):
        self.package = options.package
        self.label = f"{options.package} {options.phase}"
        self.command = options.command
        self.retry_alone = options.retry_alone
        self.weights = Weights(options.step_costs)
        self.folder = os.path.dirname(os.path.dirname(os.path.abspath(options.log)))
        self.supervisor = Supervisor(options.log, self.label)
        if options.no_network:
            cut_off_network(options.no_network, not options.host_namespace, self.supervisor.note)
        self.log = ""  # of the last attempt
        self.retried = set()
        self.advice = ""

    def run(self):
        """Returns the command's exit code."""
        self.supervisor.write(("$ " + " ".join(self.command) + "\n").encode("utf-8", "surrogateescape"))
        code, again = self.attempt(self.command), True
        while again and code:
            code, again = self.retry(code)
        if code:
            self.report_failure(code)
        elif wanted := list(downloads_in(self.log)):
            self.complain(
                f"{self.label} tried to download and continued without: {join_some(wanted, 10)}\nremedy: {PIN_IT}"
            )
        return code

    def attempt(self, command):
        begin = self.supervisor.size()
        self.oom_kills = value_of("/proc/vmstat", "oom_kill ")
        progress = Progress(self.label, ninja_command(command), self.weights)

        code = self.supervisor.run(command, progress.see, progress.show)
        self.log = self.supervisor.tail(begin)
        return code

    def steps_killed_for_memory(self, code):
        """The outputs of the steps that the kernel killed; None when anything else went wrong, and another try makes no
        sense. What was killed without a word, and without a code in Ninja's line, the kernel must have counted."""
        steps = failed_steps(self.log)
        counted = value_of("/proc/vmstat", "oom_kill ") > self.oom_kills
        if not all(step.killed or (step.silent and counted) for step in steps):
            return None
        if not steps and code != KILLED and not names_lack_of_memory(self.log):
            return None
        return [output for step in steps for output in step.outputs]

    def retry(self, code):
        """Tries again what was killed for memory: (exit code, whether another try may make sense)."""
        outputs = self.steps_killed_for_memory(code)
        if outputs is None:
            return code, False
        ninja = ninja_command(self.command)
        killed = f"the compiler was killed for lack of memory: {join_some(outputs, 5) or self.label}"
        if not self.retry_alone or not outputs or not ninja or not self.retried.isdisjoint(outputs):
            self.say(killed)
            self.advice = "use fewer jobs, or a machine with more memory, and run it again"
            return code, False
        self.say(f"{killed}; trying it again alone")
        self.retried.update(outputs)
        free = value_of("/proc/meminfo", "MemAvailable:")
        code = self.attempt(ninja.alone(outputs))
        if not code:
            return self.attempt(self.command), True
        if self.steps_killed_for_memory(code) is not None:
            self.say(
                f"it was killed again although it ran alone: {free / 2**20:.1f} GiB of "
                f"{value_of('/proc/meminfo', 'MemTotal:') / 2**20:.1f} GiB memory were free, and that was not enough"
            )
            self.advice = "stop other programs, add swap space, or use a machine with more memory"
        return code, False

    def report_failure(self, code):
        errors = LogErrors(self.log)
        downloads = downloads_in(self.log)
        text = f"{self.label} failed (exit {code})\n"
        text += errors.command + "\n" if errors.command else ""
        tail = errors.first or log_tail(self.log)
        # A download at the very end is why, and its own words say less than ours below.
        if errors.first or not any(plain(line) in tail for line in downloads.values()):
            text += tail
        if errors.further:
            text += "1 more error is" if errors.further == 1 else f"{errors.further} more errors are"
            text += " in the log\n"
        text += f"log: {self.supervisor.log_path}\n"
        split = unit_to_split(errors, self.folder)
        if split:
            text += f"the group {split[0]} of sources that share a compile does not compile: {split[1]}\n"
            self.advice = self.advice or f"{split[2]}, or set TSB_UNITY=OFF"
        if errors.warning:
            text += f"package {self.package} treats the warning {errors.warning} as an error in {errors.file}\n"
            compiler = "CC" if errors.file.endswith(".c") else "CXX"
            self.advice = (
                self.advice
                or f"add a patch that removes the pragma, or use another compiler in a new build folder: {compiler}=..."
            )
        if downloads:
            wanted = join_some(list(downloads), 10)
            text += f"{self.label} tried to download, but only fetch uses the network: {wanted}\n"
            self.advice = self.advice if errors.warning else PIN_IT
        self.complain(text + f"remedy: {self.advice}" if self.advice else text[:-1])

    def say(self, text):
        self.complain(f"{self.label}: {text}")
        self.supervisor.note(text)

    def complain(self, text):
        show(sys.stderr, text + "\n")
