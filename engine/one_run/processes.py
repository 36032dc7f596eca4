# SPDX-License-Identifier: BSD-3-Clause
"""Processes as /proc shows them, and which of them are the build tools that run us."""

import collections
import contextlib
import os
import re

BUILD_TOOLS = {"cmake", "ccmake", "ctest", "cpack", "ninja", "ninja-build", "samu"}
SLEEP = re.compile(r"^(?:State|SigBlk|voluntary_ctxt_switches):\s*(\w+)", re.MULTILINE)
Process = collections.namedtuple("Process", "name state parent group session start code")
started = {}  # {process: those of its children that run for certain}


def read(path):
    """A file of /proc; nothing when its process has ended."""
    with contextlib.suppress(OSError), open(f"/proc/{path}", errors="surrogateescape") as file:
        return file.read()
    return ""


def process(pid):
    """A process that lives, or has ended and was not waited for, else None; `code` is how that one has ended."""
    found = re.match(r"\d+ \((.*)\) (.*)", read(f"{pid}/stat"), re.DOTALL)
    fields = found and found[2].split()
    return found and Process(found[1], fields[0], *(int(fields[at]) for at in (1, 2, 3, 19, -1)))


def pids():
    return map(int, filter(str.isdigit, os.listdir("/proc")))


def children(pid):
    if os.path.exists(f"/proc/{pid}/task/{pid}/children"):
        return list(map(int, read(f"{pid}/task/{pid}/children").split()))
    return [child for child in pids() if (found := process(child)) and found.parent == pid]  # a kernel without it


def has_failed_child(pid):
    """Whether a child has failed or was killed, and is not waited for yet."""
    return any(found and found.state == "Z" and found.code for found in map(process, children(pid)))


def identity(pid):
    """What names a process for good: pids are used again, and each container has its own."""
    host = read("sys/kernel/random/boot_id").strip(), os.readlink("/proc/self/ns/pid")
    found = process(pid)
    return [pid, *((found.session, found.start) if found and found.state not in "ZX" else ()), *host]


def lives(tool):
    return len(tool) > 3 and identity(tool[0]) == tool


def ends(tool):
    """Whether it has ended, or will: up to 3.27, CMake answers SIGINT and SIGTERM by waiting for all that it has started.
    It blocks both then. It also does while it starts a program, and sleeps there until that one runs; and all the time
    if it was started so. So it answers when it sleeps with both blocked, and has no child but those that were there when
    it was seen not to block them."""
    pid = tool[0]
    before, now, after = SLEEP.findall(read(f"{pid}/status")), set(children(pid)), SLEEP.findall(read(f"{pid}/status"))
    if len(after) == 3 and int(after[1], 16) & 0x4002 != 0x4002:
        started[pid] = now
    elif now and now <= started.get(pid, set()) and before == after and after[0] == "S":  # one and the same sleep
        return True
    return not lives(tool)


def build_tools_above(folder):
    """From here to the topmost, the run. Each test of a ctest of another folder is a run of its own, and so is each
    command of a user's make."""
    tools, pid = [], os.getppid()
    while found := process(pid):
        if found.name == "ctest" and not (os.readlink(f"/proc/{pid}/cwd") + "/").startswith(folder + "/"):
            break
        if found.name in BUILD_TOOLS:
            tools.append(identity(pid))
        pid = found.parent
    return tools


def orphans_since(start, top):
    """Build tools of the process group of `top` which have begun since then, in clock ticks, and whose parent is gone: the
    one that they have now is of another session. A script's next run is none."""
    for pid in pids():
        found = process(pid)
        if found and found.name in BUILD_TOOLS and found.group == top.group and found.start >= start:
            parent = process(found.parent)
            if not parent or parent.session != top.session:
                yield identity(pid)


def kill(pid, number):
    with contextlib.suppress(OSError):  # it has ended
        os.kill(pid, number)
