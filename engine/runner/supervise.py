# SPDX-License-Identifier: BSD-3-Clause
"""Runs commands; all that they print goes into a log."""

import contextlib
import fnmatch
import itertools
import os
import select
import signal
import subprocess

from engine.folders import PROJECT
from engine.runner.text import system_failure

TICK_SECONDS = 0.25
LONGEST_PIECE = 64 * 1024
LARGEST_PIPE = 1024 * 1024  # that one may ask for: /proc/sys/fs/pipe-max-size
LARGEST_TAIL = 8 * 1024 * 1024
INHERITED = PROJECT / "cmake/isolation/inherited_variables.txt"


def own_environment(command):
    """The command of an `env -i NAME=VALUE... command`, and its environment: these values, and of the caller's those that
    inherited_variables.txt names. They may have passwords, which are not for the log or a command line."""
    if command[:2] != ["env", "-i"]:
        return command, None
    values = list(itertools.takewhile(lambda word: "=" in word, command[2:]))
    with open(INHERITED) as file:
        names = [line.strip() for line in file if not line.startswith("#")]
    inherited = {name: text for name, text in os.environ.items() if any(fnmatch.fnmatchcase(name, n) for n in names)}
    return command[2 + len(values) :], {**inherited, **dict(word.split("=", 1) for word in values)}


class Supervisor:
    """Who ends a run ends all of its processes (engine/one_run), so no signal is passed on."""

    def __init__(self, log, label):
        """Opens `log` for writing: parent folders are made, a former log becomes `<log>.1`. `label`: how our own
        notes in it begin."""
        self.log_path = log
        self.label = label
        self.line = b""
        try:
            os.makedirs(os.path.dirname(os.path.abspath(log)), exist_ok=True)
            with contextlib.suppress(FileNotFoundError):
                os.rename(log, log + ".1")
            self.log = open(log, "a+b", buffering=0)
        except OSError as error:
            raise system_failure(f"the log {log} cannot be written", error) from error
        os.environ["NINJA_STATUS"] = "[%f/%t] "
        signal.pthread_sigmask(signal.SIG_SETMASK, [])

    def write(self, data):
        try:
            while data:
                data = data[self.log.write(data) :]
        except OSError as error:
            raise system_failure(f"{self.log_path} cannot be written", error) from error

    def note(self, text):
        """Adds a remark of our own to the log. The command may be in the middle of a line."""
        self.write((b"\n" if self.line else b"") + f"{self.label}: {text}\n".encode("utf-8", "surrogateescape"))

    def size(self):
        return os.fstat(self.log.fileno()).st_size

    def tail(self, begin):
        """The text of the log from byte `begin` on, the last 8 MiB of it. Not by its name: the command may have removed
        it."""
        begin = max(begin, self.size() - LARGEST_TAIL)
        return os.pread(self.log.fileno(), LARGEST_TAIL, begin).decode("utf-8", "surrogateescape")

    def start(self, command):
        words, environment = own_environment(command)
        try:
            return subprocess.Popen(
                words,
                env=environment,
                bufsize=0,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
        except OSError as error:
            raise system_failure(f"{words[0]} cannot be started", error) from error

    def forward(self, output, on_line):
        """One piece of the output only: who prints without end must not keep us from signals and progress. Returns the
        piece; nothing at the end of the output, None when there is nothing yet."""
        data = output.read(LONGEST_PIECE)
        if data:
            self.write(data)
            *lines, rest = (self.line + data).split(b"\n")
            self.line = rest[:LONGEST_PIECE]
            for line in lines:
                on_line(line.decode("utf-8", "surrogateescape"))
        return data

    def run(self, command, on_line, on_tick):
        """Runs `command` and waits for it; returns its exit code as a shell would say it. Calls `on_line` with each whole
        line that it prints, `on_tick` about four times a second."""
        self.line = b""
        child = self.start(command)
        output = child.stdout
        os.set_blocking(output.fileno(), False)
        watched = [output]
        # The command's end counts, not the end of its output: a compiler cache's server that it has started may keep
        # the pipe open for long.
        try:
            while child.poll() is None:
                ready, _, _ = select.select(watched, [], [], TICK_SECONDS if output in watched else 0)
                if output in ready and self.forward(output, on_line) == b"":
                    watched.remove(output)
                if output not in watched:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        child.wait(TICK_SECONDS)
                on_tick()
            # What it left in the pipe; not what a job that it left in the background goes on to print.
            left = LARGEST_PIPE
            while left > 0 and (data := self.forward(output, on_line)):
                left -= len(data)
        except Exception:
            # The log cannot be written any more: do not leave the command running unseen.
            child.terminate()
            child.wait()
            raise
        if self.line:
            on_line(self.line.decode("utf-8", "surrogateescape"))
        return child.returncode if child.returncode >= 0 else 128 - child.returncode
