# SPDX-License-Identifier: BSD-3-Clause
"""Processes as /proc shows them, and which of them are the build tools that run us."""

import contextlib
import os
import re
import signal

BUILD_TOOLS = {"cmake", "ccmake", "ctest", "cpack", "ninja", "ninja-build"}
SLEEP = re.compile(r"^(?:State|SigBlk|voluntary_ctxt_switches):\s*(\w+)", re.MULTILINE)
started = {}  # {process: those of its children that run for certain}


def read(path):
    """A file of /proc; nothing when its process has ended."""
    with contextlib.suppress(OSError), open(f"/proc/{path}", errors="surrogateescape") as file:
        return file.read()
    return ""


def process(pid):
    """(name, parent, session, start) of a process that lives, else None."""
    found = re.match(r"\d+ \((.*)\) ([^ZX].*)", read(f"{pid}/stat"), re.DOTALL)
    return found and (found[1], *(int(found[2].split()[field]) for field in (1, 3, 19)))


def children(pid):
    return list(map(int, read(f"{pid}/task/{pid}/children").split()))


def identity(pid):
    """What names a process for good: pids are used again, and each container has its own."""
    host = read("sys/kernel/random/boot_id").strip(), os.readlink("/proc/self/ns/pid")
    return [pid, *(process(pid) or ())[2:], *host]


def lives(tool):
    return bool(process(tool[0])) and identity(tool[0]) == tool


def ends(tool):
    """Whether it has ended, or will: up to 3.27, CMake answers SIGINT and SIGTERM by waiting for all that it has started.
    It blocks both then. It also does while it starts a program, and sleeps there until that one runs. So it answers when
    it sleeps with both blocked, and has no child but those that were there when it did not block them."""
    pid = tool[0]
    before, now, after = SLEEP.findall(read(f"{pid}/status")), set(children(pid)), SLEEP.findall(read(f"{pid}/status"))
    if len(after) < 3 or int(after[1], 16) & 0x4002 != 0x4002:
        started[pid] = now
    elif now and now <= started.get(pid, set()) and before == after and after[0] == "S":  # one and the same sleep
        return not signal.pthread_sigmask(signal.SIG_BLOCK, ()) & {signal.SIGINT, signal.SIGTERM}  # or it was born so
    return not lives(tool)


def build_tools_above(folder):
    """From here to the topmost, the run. Each test of a ctest of another folder is a run of its own, and so is each
    command of a user's make."""
    tools, child, pid = [], os.getpid(), os.getppid()
    while found := process(pid):
        if found[0] == "ctest" and not (os.readlink(f"/proc/{pid}/cwd") + "/").startswith(folder + "/"):
            break
        if found[0] in BUILD_TOOLS:
            tools.append(identity(pid))
            started[pid] = {child}
        child, pid = pid, found[1]
    return tools


def kill(pid, number):
    with contextlib.suppress(OSError):  # it has ended
        os.kill(pid, number)
