# SPDX-License-Identifier: BSD-3-Clause
"""One phase of a package being run, with its second tries."""

import sys
import time

from build_log import failed_steps, log_tail, only_memory
from downloads import downloads_in
from estimate import BuildEstimate
from log_errors import find_log_errors, telling_part
from ninja import NinjaLog, ninja_command
from progress import Progress, ProgressLine
from supervise import Supervisor
from text import human_size, human_time, join_some, show

PIN_IT = "pin what it wants, or switch it off: docs/adding-a-package.md#it-wants-to-download"


def memory_info(key):
    """A value of /proc/meminfo in bytes; 0 when it cannot be read."""
    try:
        with open("/proc/meminfo") as file:
            return next((int(line.split()[1]) * 1024 for line in file if line.startswith(key + ":")), 0)
    except OSError:
        return 0


class Phase:
    def __init__(self, options, costs, guard):
        self.package = options.package
        self.label = f"{options.package} {options.phase}"
        self.command = options.command
        self.retry_alone = options.retry_alone
        self.tail = options.tail
        self.costs = costs
        self.supervisor = Supervisor(options.log, self.label, guard)
        self.line = ProgressLine(options.interval)
        self.attempt_at = 0  # where in the log the last attempt began
        self.log = ""  # the part of it that tells why that failed
        self.memory_before = 0
        self.retried = set()
        self.advice = ""

    def run(self):
        """Returns the command's exit code; 130, 143 when interrupted."""
        started = time.monotonic()
        self.supervisor.write_line("$ " + " ".join(self.command))
        try:
            outcome = self.attempt(self.command)
            again = True
            while again and outcome.exit_code and not outcome.interrupted_by:
                outcome, again = self.retry(outcome)
        finally:
            self.line.clear()
        if outcome.interrupted_by:
            self.complain(f"{self.label} interrupted; run it again to continue")
        elif outcome.exit_code:
            self.report_failure(outcome)
        else:
            wanted = list(downloads_in(self.supervisor.pieces(self.attempt_at)))
            if wanted:
                self.complain(
                    f"{self.label} tried to download and continued without: {join_some(wanted, 10)}\nremedy: {PIN_IT}"
                )
            self.line.print(f"{self.label} done in {human_time(time.monotonic() - started)}")
        return outcome.exit_code

    def attempt(self, command):
        self.attempt_at = self.supervisor.log_size
        self.line.update(self.label)
        estimate = durations = None
        ninja = ninja_command(command)
        steps = ninja.planned_steps() if ninja else []
        if steps:
            estimate = BuildEstimate(steps, self.costs, ninja.jobs)
            durations = NinjaLog(ninja.folder)
        progress = Progress(self.label, estimate)

        def tick():
            if self.line.due():
                for output, seconds in durations.added() if durations else ():
                    estimate.took(output, seconds)
                self.line.update(progress.text())

        outcome = self.supervisor.run(command, progress.see, tick)
        if outcome.exit_code and not outcome.interrupted_by:
            self.log = telling_part(self.supervisor.pieces(self.attempt_at))
        return outcome

    def retry(self, outcome):
        """Tries again what was killed for memory: (outcome, whether another try may make sense)."""
        steps, memory_named = failed_steps(self.log)
        if not only_memory(steps, memory_named) and (steps or not outcome.killed):
            return outcome, False
        outputs = [output for step in steps for output in step.outputs]
        ninja = ninja_command(self.command)
        killed = f"the compiler was killed for lack of memory: {join_some(outputs, 5) or self.label}"
        seen = not self.retried.isdisjoint(outputs)
        if seen or not self.retry_alone or not outputs or not ninja:
            self.say(killed)
            if seen:
                self.report_memory()
            else:
                self.advice = "use fewer jobs, or a machine with more memory, and run it again"
            return outcome, False
        self.say(f"{killed}; trying it again alone")
        self.retried.update(outputs)
        self.memory_before = memory_info("MemAvailable")
        outcome = self.attempt(ninja.alone(outputs))
        if outcome.exit_code:
            if not outcome.interrupted_by and only_memory(*failed_steps(self.log)):
                self.report_memory()
            return outcome, False
        return self.attempt(self.command), True

    def report_memory(self):
        self.say(
            f"it was killed again although it ran alone: {human_size(self.memory_before)} of "
            f"{human_size(memory_info('MemTotal'))} memory were free, and that was not enough"
        )
        self.advice = "stop other programs, add swap space, or use a machine with more memory"

    def report_failure(self, outcome):
        errors = find_log_errors(self.log)
        downloads = downloads_in(self.supervisor.pieces(self.attempt_at))
        text = f"{self.label} failed (exit {outcome.exit_code})\n"
        if errors.command:
            text += errors.command + "\n"
        tail = errors.first or log_tail(self.log, self.tail)
        # A download at the very end is why, and its own words say less than ours below.
        if errors.first or not any(line in tail for line in downloads.values()):
            text += tail
        if errors.further:
            text += "1 more error is" if errors.further == 1 else f"{errors.further} more errors are"
            text += " in the log\n"
        text += f"log: {self.supervisor.log_path}\n"
        if errors.warning:
            text += f"package {self.package} treats the warning {errors.warning} as an error in {errors.file}\n"
            compiler = "CC" if errors.file.endswith(".c") else "CXX"
            self.advice = f"add a patch that removes the pragma, or use another compiler: {compiler}=..."
        if downloads:
            text += (
                f"{self.label} tried to download, but only fetch uses the network: {join_some(list(downloads), 10)}\n"
            )
            if not errors.warning:
                self.advice = PIN_IT
        if self.advice:
            text += f"remedy: {self.advice}\n"
        self.complain(text[:-1])

    def say(self, text):
        self.complain(f"{self.label}: {text}")
        self.supervisor.note(text)

    def complain(self, text):
        self.line.clear()
        show(sys.stderr, text + "\n")
