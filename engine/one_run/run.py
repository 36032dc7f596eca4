# SPDX-License-Identifier: BSD-3-Clause
"""Runs Ninja, or a script of this project in CMake, as a part of a run, and shows what it says:

    python3 engine --keep one_run.run [--folder <build folder>] <command>...

<build folder>/run starts this; <build folder>/ninja, CMake's make program there, starts that. Inside of a run both are
the command itself. So one process, at the top, holds the folder (lock.py), prints what all of them say, shows the
progress of all (screen.py), keeps the run's journal (journal.py), and ends the run as one: when it gets a signal, a build
tool above it has ended, or one below it has lost the process that waited for it, the command ends, and then the build
tools. The exit code is the command's; 130, 143 when interrupted.
"""

import ctypes
import os
import select
import signal
import sys
import time

from engine.failure import Failure
from engine.one_run import lock, processes
from engine.one_run.journal import Journal
from engine.one_run.screen import Screen

OWN_SIGNALS = True  # passed on
TICK_SECONDS = 0.2
LAST_WORDS_SECONDS = 5  # from an interrupt on: a phase says how it was ended
LARGEST_REST = 1 << 20
PR_SET_CHILD_SUBREAPER = 36
TOOLS = *processes.BUILD_TOOLS, "python", "torchpkg"


class Command:
    interrupted_by = 0

    def __init__(self, command, run, tools):
        self.of, self.tools, self.rest = run, tools, b""
        name = {lock.NAME: run["name"]} if run else {}
        self.screen = Screen(run, command)
        self.journal = Journal(run, command) if run else None
        if self.journal:
            self.screen.progress.on_step = self.journal.begin
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self.pass_on)
        self.session = os.getsid(0)
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
        self.output, end = os.pipe()
        actions = [(os.POSIX_SPAWN_DUP2, end, 1), (os.POSIX_SPAWN_DUP2, end, 2)]
        environment = {**(self.journal.environment() if run else os.environ), **name}
        self.process = os.posix_spawnp(command[0], command, environment, file_actions=actions)
        os.close(end)

    def pass_on(self, number, _frame=None):
        self.interrupted_by, self.end = number, time.monotonic() + LAST_WORDS_SECONDS
        self.screen.interrupted = True
        processes.kill(self.process, number)
        # Ninja does not tell the one that has the console.
        for pid in lock.members(self.of) if self.of else ():
            processes.kill(pid, signal.SIGTERM)

    def read(self):
        """Whether there may be more to read."""
        data = os.read(self.output, 65536)
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            self.screen.see(line.decode("utf-8", "surrogateescape"))
        if not data or len(self.rest) > LARGEST_REST:
            self.screen.see(self.rest.decode("utf-8", "surrogateescape"), end="")
            self.rest = b""
        return data

    def ended(self):
        """The command's exit code, once it has ended; None before."""
        pid = status = 1
        while pid not in (0, self.process):
            pid, status = os.waitpid(-1, os.WNOHANG)
        return os.waitstatus_to_exitcode(status) if pid else None

    def has_orphans(self):
        """Whether what waited for a tool has been killed: Ninja would go on to wait for what that one has started, whose
        output is that of the command. What a command leaves that has ended well is ours too, for a moment or longer: a
        helper of Python's multiprocessing, a process in the background."""
        found = [processes.process(pid) for pid in processes.children(os.getpid()) if pid != self.process]
        left = [one for one in found if one and one.session == self.session and one.name.startswith(TOOLS)]
        return any(one.state != "Z" for one in left) and processes.has_failed_child(self.process)

    def run(self):
        code, watched = None, [self.output]
        while code is None:
            if not watched:  # the command has closed its output, or is about to end
                time.sleep(0.01)
            elif select.select(watched, [], [], TICK_SECONDS)[0]:
                if not self.read():
                    watched = []
            else:
                self.screen.tick()
            if self.journal:
                self.journal.sample()
            # A server that the command has started may have its output open: its end alone counts.
            code = self.ended()
            if not self.interrupted_by and (any(map(processes.ends, self.tools)) or self.has_orphans()):
                self.pass_on(signal.SIGTERM)
            elif self.interrupted_by and time.monotonic() > self.end:
                processes.kill(self.process, signal.SIGKILL)
        while select.select(watched, [], [], 0)[0] and self.read():
            pass
        self.screen.finish(code)
        if self.journal:
            self.journal.finish(code)
        if not self.interrupted_by:
            return code if code >= 0 else 128 - code
        # CMake ignores SIGINT in the background of a shell, and would go on to the next step.
        for number in (self.interrupted_by, signal.SIGTERM):
            for tool in filter(processes.lives, self.tools):
                processes.kill(tool[0], number)
            time.sleep(0.1)
        return 128 + self.interrupted_by


def main():
    words, run, tools, error = sys.argv[1:], None, [], ""
    if words[0] == "--folder":
        if os.path.exists("/proc/self/stat"):
            run, tools, error = lock.take(words[1])
        words = words[2:]
    if error:
        raise Failure(error, status=1)
    return Command(words, run, tools).run()
