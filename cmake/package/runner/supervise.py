# SPDX-License-Identifier: BSD-3-Clause
"""Runs commands in a process group of their own, with all that they print going into a log."""

import contextlib
import itertools
import os
import re
import select
import signal
import socket
import subprocess

from downloads import REFUSED
from network import call
from text import ENVIRONMENT, Failure, system_failure

TICK_SECONDS = 0.25
LONGEST_LINE = LONGEST_PIECE = 64 * 1024
LARGEST_PIPE = 1024 * 1024  # that one may ask for: /proc/sys/fs/pipe-max-size
PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PR_SET_PDEATHSIG = 1
INHERITED = re.compile(r"(HOME|TMPDIR|TERM|USER|XDG_(CACHE|CONFIG)_HOME|S?CCACHE_.*)\Z")
BUILD_TOOLS = ("cmake", "ctest", "cpack", "ninja", "ninja-build", "make", "gmake")


def build_tools_above():
    """For each ancestor that is a build tool a file that can be read once it has ended; none before Linux 5.3. CMake
    passes no signal on, and Ninja goes on without it."""
    files = set()
    process = os.getppid()
    with contextlib.suppress(OSError, AttributeError):
        while process > 1:
            with open(f"/proc/{process}/stat") as file:
                _, name, *others = re.split(r" \(|\) ", file.read())
            if name in BUILD_TOOLS:
                files.add(os.pidfd_open(process))
            process = int(others[-1].split()[1])
    return files


class Outcome:
    """How a supervised command ended."""

    def __init__(self, status, interrupted_by):
        self.interrupted_by = interrupted_by  # the signal that we got and passed on, or 0
        self.killed = status == -signal.SIGKILL
        self.exit_code = status if status >= 0 else 128 - status
        if interrupted_by:
            self.exit_code = 128 + interrupted_by


def own_environment(command):
    """The command of an `env -i NAME=VALUE... command`, and its environment: these values, and of the caller's what changes
    no result. That may have any signs, and passwords of the compiler cache, which are not for the log or a command line.
    Settings of a cache that would change the result are among the values."""
    if command[:2] != ["env", "-i"]:
        return command, None
    values = list(itertools.takewhile(lambda word: "=" in word, command[2:]))
    inherited = {name: value for name, value in os.environ.items() if INHERITED.match(name)}
    return command[2 + len(values) :], {**inherited, **dict(word.split("=", 1) for word in values)}


class Supervisor:
    """SIGINT, SIGTERM and SIGHUP are passed on to the command's group; the command is then waited for. When this
    process dies, the command gets SIGTERM; so it does when one of the build tools that wait for it has ended."""

    def __init__(self, log, label, guard=None):
        """Opens `log` for writing: parent folders are made, a former log becomes `<log>.1`. `label`: how our own
        notes in it begin. `guard` keeps every command from the network; what it refuses is noted."""
        self.log_path = log
        self.label = label
        self.guard = guard
        self.build_tools = build_tools_above()
        self.line = b""
        self.log_size = 0
        folder = os.path.dirname(log)
        what = f"the folder {folder} cannot be made"
        try:
            if folder:
                os.makedirs(folder, exist_ok=True)
            what = f"{log} cannot be put aside"
            if os.path.exists(log):
                if not os.path.isfile(log):
                    raise Failure(
                        ENVIRONMENT, f"the log {log} is there already and is not a file", "choose another name"
                    )
                os.rename(log, log + ".1")
            what = f"the log {log} cannot be written"
            self.log = open(log, "a+b", buffering=0)
        except OSError as error:
            raise system_failure(what, error) from error
        os.environ["NINJA_STATUS"] = "[%f/%t] "
        # The numbers of the signals arrive at `signals`. A handler that does nothing is not inherited, whereas a shell
        # starts background jobs with SIGINT ignored, which is.
        self.signals, wake_up = socket.socketpair()
        for end in self.signals, wake_up:
            end.setblocking(False)
        signal.set_wakeup_fd(wake_up.detach())
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])

    def write(self, data):
        self.log_size += len(data)
        try:
            while data:
                data = data[self.log.write(data) :]
        except OSError as error:
            raise system_failure(f"{self.log_path} cannot be written", error) from error

    def note(self, text):
        """Adds a remark of our own to the log."""
        self.write_line(f"{self.label}: {text}")

    def write_line(self, text):
        # The command may be in the middle of a line.
        self.write((b"\n" if self.line else b"") + text.encode("utf-8", "surrogateescape") + b"\n")

    def pieces(self, begin):
        """The text of the log from byte `begin` on, some whole lines at a time. Not by its name: the command may have
        removed it."""
        with open(self.log.fileno(), "rb", closefd=False) as file:
            file.seek(begin)
            while data := file.read(LONGEST_PIECE):
                yield (data + file.readline(LONGEST_LINE)).decode("utf-8", "surrogateescape")

    def start(self, command):
        ours, theirs = socket.socketpair()
        parent = os.getpid()
        words, environment = own_environment(command)

        def prepare():
            os.setpgid(0, 0)
            # Before prctl(), whose wish a process loses when it enters a user namespace.
            if self.guard:
                self.guard.enter(theirs)
            call("prctl", PR_SET_PDEATHSIG, signal.SIGTERM)
            if os.getppid() != parent:
                os._exit(127)

        with ours, theirs:
            child = None
            try:
                child = subprocess.Popen(
                    words,
                    env=environment,
                    bufsize=0,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    preexec_fn=prepare,
                )
            except subprocess.SubprocessError:
                if not self.guard:
                    raise
                # It has sent the reason.
            except OSError as error:
                raise system_failure(f"{words[0]} cannot be started", error) from error
            finally:
                theirs.close()
                guarded = not self.guard or self.guard.receive(ours, self.note)
        if not guarded:
            return self.start(command)
        os.set_blocking(child.stdout.fileno(), False)
        return child

    def forward_output(self, output, on_line):
        """One piece of it only: who prints without end must not keep us from signals and progress. Returns the piece;
        nothing at the end of the output, None when there is nothing yet."""
        data = output.read(LONGEST_PIECE)
        if data:
            self.write(data)
            first, *others = data.split(b"\n")
            self.line = (self.line + first)[:LONGEST_LINE]
            for line in others:
                on_line(self.line.decode("utf-8", "surrogateescape"))
                self.line = line
        return data

    def run(self, command, on_line, on_tick):
        """Runs `command` and waits for it. Calls `on_line` with each whole line that it prints, `on_tick` about four
        times a second."""
        self.line = b""
        for number in PASSED_ON:
            signal.signal(number, lambda *_: None)
        child = self.start(command)
        output = child.stdout
        interrupted_by = 0
        watched = [self.signals, output, *self.build_tools] + ([self.guard.listener] if self.guard else [])
        # The command's end counts, not the end of its output: a compiler cache's server that it has started may keep
        # the pipe open for long.
        try:
            while child.poll() is None:
                ready, _, _ = select.select(watched, [], [], TICK_SECONDS)
                if self.signals in ready:
                    for number in self.signals.recv(64):
                        if number in PASSED_ON:
                            interrupted_by = number
                            self.signal_group(child, number)
                for tool in self.build_tools.intersection(ready):
                    watched.remove(tool)
                    signal.raise_signal(signal.SIGTERM)
                if output in ready and self.forward_output(output, on_line) == b"":
                    watched.remove(output)
                if self.guard and self.guard.listener in ready:
                    wanted = self.guard.refuse()
                    if wanted:
                        self.note(REFUSED + wanted)
                on_tick()
        except Exception:
            # The log cannot be written any more: do not leave the command running unseen.
            self.signal_group(child, signal.SIGTERM)
            child.wait()
            raise
        # What it left in the pipe; not what a job that it left in the background goes on to print.
        left = LARGEST_PIPE
        while left > 0:
            data = self.forward_output(output, on_line)
            if not data:
                break
            left -= len(data)
        if self.line:
            on_line(self.line.decode("utf-8", "surrogateescape"))
        if interrupted_by:
            # Whatever the command left in its group must not go on either.
            self.signal_group(child, signal.SIGTERM)
        for number in PASSED_ON:  # they end the search of a long log
            signal.signal(number, signal.SIG_DFL)
        return Outcome(child.returncode, interrupted_by)

    @staticmethod
    def signal_group(child, number):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, number)
