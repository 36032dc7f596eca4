# SPDX-License-Identifier: BSD-3-Clause
"""One run per build folder, which ends as one.

    python3 engine one_run.lock <folder>

Prints the run's name, and exits with 0, when the folder is this run's; else exits with 1 after two lines: what is wrong,
and what to do. The run is the topmost build tool above, so the steps of one workflow pass. A process in the background
holds the lock, flock() on the open file <folder>/.lock, until that tool has ended. Then it ends what is left: the build
tools that led here, the step that the topmost was at, and all processes that have the run's name in their environment,
which everything that we start inherits. A server that outlives the run on purpose has left its session and is not ended.
Nobody inherits the lock. The kernel gives it back however its holder ends, and other containers and hosts see it."""

import collections
import fcntl
import json
import os
import re
import signal
import time

from engine.one_run.processes import (
    build_tools_above,
    children,
    ends,
    identity,
    kill,
    lives,
    orphans_since,
    pids,
    process,
    read,
)
from engine.text import without_password

NAME = "TORCH_SUPERBUILD_RUN"  # <folder>:<what nobody else has>
BEFORE_KILL = 5  # seconds
OWN_SIGNALS = True  # the holder is ended as others are


def lock(file, kind):
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def refusal(folder, holder):
    run, since = holder["run"], time.strftime("%F %T", time.localtime(holder.get("begun")))
    there = f" on {holder.get('host')} or in a container", "end it there"
    where, remedy = ("", f"end it (kill {run[0]})") if lives(run) else there
    return (
        f"another run is working in {folder}: process {run[0]}{where}, since {since}: {holder.get('command')}\n"
        f"wait until it has ended, or {remedy}, then run this again"
    )


def members(run):
    """The processes of the run, but those in sessions of their own."""
    name = f"{NAME}={run['name']}"
    for pid in pids():
        found = process(pid)
        if found and found.session == run["run"][1] and name in read(f"{pid}/environ").split("\0"):
            yield pid


def hold(run, tools):
    """Until the run has ended, with nothing of the process that started it but the lock."""
    os.setsid()
    os.chdir("/")
    step, last, ticks = (), 0, os.sysconf("SC_CLK_TCK")
    top = process(run["run"][0])
    while not ends(run["run"]):
        last, step = int(time.clock_gettime(time.CLOCK_BOOTTIME) * ticks), list(map(identity, children(run["run"][0])))
        time.sleep(0.05)
    tools += orphans_since(last, top) if top else []  # the next step
    tools += step if len(step) == 1 else []  # a Ninja has others
    end, seen = time.monotonic() + BEFORE_KILL, collections.Counter()
    while left := {*members(run), *(tool[0] for tool in filter(lives, tools))}:
        late = time.monotonic() > end
        seen.update(left)
        for pid in left:
            if late or seen[pid] == 2:  # it does not end by itself
                kill(pid, signal.SIGKILL if late else signal.SIGTERM)
        time.sleep(0.2)


def take(folder):
    """(run, build tools above, error): makes the folder this run's. The lock is shared from then on: as long as this
    process lives, the end of the holder alone opens nothing."""
    real = os.path.realpath(folder)
    file, tools = os.open(os.path.join(real, ".lock"), os.O_RDWR | os.O_CREAT, 0o666), build_tools_above(real)
    top = tools[-1] if tools else identity(os.getpid())
    for _ in range(240):  # what has just ended, or is being ended, has it for a moment
        if lock(file, fcntl.LOCK_EX):
            run = {"run": top, "begun": time.time(), "host": os.uname().nodename, "name": f"{folder}:{top[0]}.{top[2]}"}
            words = read(f"{top[0]}/cmdline").encode(errors="replace").decode().replace("\0", " ").strip()
            run["command"] = re.sub(r"[\w+.-]+://\S*", lambda url: without_password(url[0]), words)
            os.ftruncate(file, 0)
            os.pwrite(file, json.dumps(run).encode(), 0)
            if lock(file, fcntl.LOCK_SH):
                # CMake kills the processes below it when it gets a signal, so the holder is nobody's child.
                if child := os.fork():
                    os.waitpid(child, 0)
                elif not os.fork():
                    os.closerange(0, file)
                    os.closerange(file + 1, 65536)
                    hold(run, tools)
                if not child:
                    os._exit(0)
                return run, tools, ""
        try:
            run = json.loads(os.pread(file, 65536, 0))
        except ValueError:  # it is being written
            run = {"run": ["?"]}
        if run["run"] == top and lock(file, fcntl.LOCK_SH):
            return run, tools, ""
        if lives(run["run"]):
            break
        time.sleep(0.05)
    return None, tools, refusal(real, run)


def main(folder):
    if os.path.exists("/proc/self/stat"):
        taken, _, error = take(folder)
        print(error or taken["name"])
        return bool(error)
