# SPDX-License-Identifier: BSD-3-Clause
"""One run per build folder, which ends as one.

    python3 lock.py <folder>

Prints the run's name, and exits with 0, when the folder is this run's; else exits with 1 after two lines: what is wrong,
and what to do. The run is the topmost build tool above, so the steps of one workflow pass. A process in the background
holds the lock, flock() on the open file <folder>/.lock, until that tool has ended. Then it ends what is left: the build
tools that led here, and all processes that have the run's name in their environment, which everything that we start
inherits. A server that outlives the run on purpose has left its session and is not ended. Nobody inherits the lock. The
kernel gives it back however its holder ends, and other containers and hosts see it."""

import fcntl
import json
import os
import re
import signal
import sys
import time

BUILD_TOOLS = {"cmake", "ccmake", "ctest", "cpack", "ninja", "ninja-build"}
NAME = "TORCH_SUPERBUILD_RUN"  # <folder>:<what nobody else has>
BEFORE_KILL = 5  # seconds
BLOCKED_SECONDS = 3  # starting a program takes over a second on a machine that is busy
blocked_since = {}  # {process: time}


def process(pid):
    """(name, parent, session, start) of a process that lives, else None."""
    try:
        with open(f"/proc/{pid}/stat", errors="replace") as file:
            name, fields = re.match(r"\d+ \((.*)\) (.*)", file.read(), re.DOTALL).groups()
    except OSError:
        return None
    fields = fields.split()
    return None if fields[0] in "ZX" else (name, int(fields[1]), int(fields[3]), int(fields[19]))


def identity(pid):
    """What names a process for good: pids are used again, and each container has its own."""
    with open("/proc/sys/kernel/random/boot_id") as boot:
        return [pid, *(process(pid) or ())[2:], boot.read().strip(), os.readlink("/proc/self/ns/pid")]


def build_tools_above(folder):
    """From here to the topmost, the run. Each test of a ctest of another folder is a run of its own, and so is each
    command of a user's make."""
    tools, pid = [], os.getppid()
    while found := process(pid):
        if found[0] == "ctest" and not (os.readlink(f"/proc/{pid}/cwd") + "/").startswith(folder + "/"):
            break
        if found[0] in BUILD_TOOLS:
            tools.append(identity(pid))
        pid = found[1]
    return tools


def lives(tool):
    return identity(tool[0]) == tool


def ends(tool):
    """Whether it has ended, or will: CMake up to 3.27 waits for what it runs in its answer to SIGINT and SIGTERM, during
    which both are blocked. They are for a moment when it starts something as well."""
    try:
        with open(f"/proc/{tool[0]}/status") as file:
            blocked = int(re.search(r"SigBlk:\s*(\w+)", file.read())[1], 16) & 0x4002 == 0x4002
    except OSError:
        blocked = False
    now = time.monotonic()
    since = blocked_since[tool[0]] = blocked_since.get(tool[0], now) if blocked else now
    return now - since > BLOCKED_SECONDS or not lives(tool)


def kill(pid, number):
    try:
        os.kill(pid, number)
    except OSError:
        pass  # it has ended


def try_lock(file, kind):
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def refusal(folder, holder):
    run = holder.get("run", ["?"])
    where, remedy = "", f"end it (kill {run[0]})"
    if run[0] == "?" or not lives(run):
        where, remedy = f" on {holder.get('host')} or in a container", "end it there"
    since = time.strftime("%F %T", time.localtime(holder.get("begun")))
    return (
        f"another run is working in {folder}: process {run[0]}{where}, since {since}: {holder.get('command')}\n"
        f"wait until it has ended, or {remedy}, then run this again"
    )


def members(run):
    """The processes of the run, but those in sessions of their own."""
    name = f"{NAME}={run['name']}".encode()
    for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if name in file.read().split(b"\0") and os.getsid(pid) == run["run"][1]:
                    yield pid
        except OSError:
            pass


def hold(run, tools):
    """Until the run has ended, with nothing of the process that started it but the lock."""
    os.setsid()
    os.chdir("/")
    while not ends(run["run"]):
        time.sleep(0.05)
    end, seen, told = time.monotonic() + BEFORE_KILL, set(), set()
    while left := {*members(run), *(tool[0] for tool in tools if lives(tool))}:
        late = time.monotonic() > end
        for pid in left if late else (left & seen) - told:  # those that do not end by themselves
            kill(pid, signal.SIGKILL if late else signal.SIGTERM)
            told.add(pid)
        seen |= left
        time.sleep(0.2)


def take(folder):
    """(run, build tools above, error): makes the folder this run's. The lock is shared from then on: as long as this
    process lives, the end of the holder alone opens nothing."""
    real = os.path.realpath(folder)
    file, tools = os.open(os.path.join(real, ".lock"), os.O_RDWR | os.O_CREAT, 0o666), build_tools_above(real)
    top = tools[-1] if tools else identity(os.getpid())
    for _ in range(240):  # what has just ended, or is being ended, has it for a moment
        if try_lock(file, fcntl.LOCK_EX):
            with open(f"/proc/{top[0]}/cmdline", "rb") as words:
                command = words.read().decode(errors="replace").replace("\0", " ").strip()
            command = re.sub(r"(://)[^/\s]*@", r"\1", command)  # a password
            run = {"run": top, "begun": time.time(), "host": os.uname().nodename, "command": command}
            run["name"] = f"{folder}:{top[0]}.{top[2]}"
            os.ftruncate(file, 0)
            os.pwrite(file, json.dumps(run).encode(), 0)
            if try_lock(file, fcntl.LOCK_SH):
                # CMake kills the processes below it when it gets a signal, so the holder is nobody's child.
                if child := os.fork():
                    os.waitpid(child, 0)
                elif os.fork():
                    os._exit(0)
                else:
                    null = os.open(os.devnull, os.O_RDWR)
                    for standard in range(3):
                        os.dup2(null, standard)
                    os.closerange(3, file)
                    os.closerange(file + 1, 65536)
                    hold(run, tools)
                    os._exit(0)
                return run, tools, ""
        try:
            run = json.loads(os.pread(file, 65536, 0))
        except ValueError:  # it is being written
            run = {}
        if run.get("run") == top and try_lock(file, fcntl.LOCK_SH):
            return run, tools, ""
        if run and lives(run["run"]):
            break
        time.sleep(0.05)
    return None, tools, refusal(real, run)


if __name__ == "__main__":
    if os.path.exists("/proc/self/stat"):
        taken, _, error = take(sys.argv[1])
        print(error or taken["name"])
        sys.exit(bool(error))
