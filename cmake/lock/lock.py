# SPDX-License-Identifier: BSD-3-Clause
"""Keeps two runs from working in one build folder at once.

    python3 lock.py <folder>

Exits with 0 when the folder is this run's, else with 1 after two lines: what is wrong, and what to do. The run is the
topmost build tool above, so the steps of one workflow pass. A process in the background holds the lock, flock() on the
open file <folder>/.lock, until that tool has ended, and then ends what a killed one left running in the folder. The
kernel gives the lock back however its holder ends, and other containers and hosts see it."""

import fcntl
import json
import os
import re
import select
import signal
import socket
import sys
import time

BUILD_TOOLS = {"cmake", "ccmake", "ctest", "cpack", "ninja", "ninja-build", "make", "gmake"}


def process(pid):
    """(name, parent, session, start) of a process that lives, else None."""
    try:
        with open(f"/proc/{pid}/stat", errors="replace") as file:
            name, fields = re.match(r"\d+ \((.*)\) (.*)", file.read(), re.DOTALL).groups()
    except OSError:
        return None
    fields = fields.split()
    return None if fields[0] in "ZX" else (name, int(fields[1]), int(fields[3]), int(fields[19]))


def works_in(pid, folder):
    try:
        return (os.readlink(f"/proc/{pid}/cwd") + "/").startswith(folder + "/")
    except OSError:
        return False


def root_of_run(folder):
    """Each test of a ctest of another folder is a run of its own, and so is each command of a user's make."""
    pid = root = os.getppid()
    while found := process(pid):
        if found[0] == "ctest" and not works_in(pid, folder):
            break
        if found[0] in BUILD_TOOLS - {"make", "gmake"}:
            root = pid
        pid = found[1]
    return root


def identity(pid):
    """What names a process for good: pids are used again, and each container has its own."""
    with open("/proc/sys/kernel/random/boot_id") as boot:
        return [pid, *(process(pid) or ())[2:], boot.read().strip(), os.readlink("/proc/self/ns/pid")]


def try_lock(file, kind):
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def take(file, run):
    """Whether the folder is this run's: (True, whether nobody held it) or (False, who holds it)."""
    for _ in range(120):  # what has just ended, or is being ended, has it for a moment
        if try_lock(file, fcntl.LOCK_EX):
            return True, True
        try:
            holder = json.loads(os.pread(file, 65536, 0))
        except ValueError:  # it is being written
            holder = {}
        if holder.get("run") == run:
            return True, False
        if holder and holder["run"] == identity(holder["run"][0]):
            break
        time.sleep(0.05)
    return False, holder


def refusal(folder, holder):
    pid = holder.get("run", ["?"])[0]
    where, remedy = "", f"end it (kill {pid})"
    if pid == "?" or holder["run"] != identity(pid):
        where, remedy = f" on {holder.get('host')} or in a container", "end it there"
    since, command = holder.get("since"), holder.get("command")
    return (
        f"another run is working in {folder}: process {pid}{where}, since {since}: {command}\n"
        f"wait until it has ended, or {remedy}, then run this again"
    )


def leftovers(folder, session, times):
    """Build tools of that session and time that work in the folder, if they are orphans or run by one: what a living
    shell has started is somebody's own run. CMake waits for what it runs, also after SIGTERM."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        found = process(pid)
        if found and found[0] in BUILD_TOOLS and found[2] == session and found[3] in times and works_in(pid, folder):
            parent = process(found[1])
            while parent and parent[0] in BUILD_TOOLS and parent[2] == session:
                found, parent = parent, process(parent[1])
            if found[1] == 1 or not parent or parent[2] != session:
                yield int(pid)


def hold(folder, run):
    """Until the run has ended, with the lock and without what this process has of the one that started it."""
    os.setsid()
    os.chdir("/")
    pid, session, start = run[:3]
    try:
        select.select([os.pidfd_open(pid)], [], [])
    except (AttributeError, OSError):  # Linux before 5.3
        while identity(pid) == run:
            time.sleep(0.1)
    times = range(start, int(time.clock_gettime(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK")))
    for number in [signal.SIGTERM] * 100 + [signal.SIGKILL] * 10:
        left = list(leftovers(folder, session, times))
        for pid in left:
            os.kill(pid, number)
        if not left:
            break
        time.sleep(0.1)


def main(folder):
    folder = os.path.realpath(folder)
    file = os.open(os.path.join(folder, ".lock"), os.O_RDWR | os.O_CREAT, 0o666)
    run = identity(root_of_run(folder))
    ours, state = take(file, run)
    if not ours:
        print(refusal(folder, state))
        return 1
    if not state:
        return 0
    with open(f"/proc/{run[0]}/cmdline", "rb") as words:
        command = words.read().decode(errors="replace").replace("\0", " ").strip()
    command = re.sub(r"(://)[^/\s]*@", r"\1", command)  # a password
    holder = {"run": run, "since": time.strftime("%F %T"), "host": socket.gethostname(), "command": command}
    os.ftruncate(file, 0)
    os.pwrite(file, json.dumps(holder).encode(), 0)
    # Shared from here on: the runner of a phase holds it, too, so that the end of the holder alone opens nothing.
    if not try_lock(file, fcntl.LOCK_SH):
        return main(folder)
    if os.fork() == 0:
        null = os.open(os.devnull, os.O_RDWR)
        for standard in range(3):
            os.dup2(null, standard)
        os.closerange(3, file)
        os.closerange(file + 1, 65536)
        hold(folder, run)
    os._exit(0)


if os.path.exists("/proc/self/stat"):
    sys.exit(main(sys.argv[1]))
