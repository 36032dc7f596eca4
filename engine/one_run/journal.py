# SPDX-License-Identifier: BSD-3-Clause
"""What a run has done and taken, for the next plan and for the report (engine/report): lines of JSON in
<build folder>/runs/<when it began>/journal.jsonl. Each of its commands (configure is none) adds

    {"command": ..., "begin": ...}                            its program; the words after it may have passwords
    {"at": ..., "rss": ..., "one": ..., "free": ...}          every ten seconds: MB of all its processes, of the largest,
                                                              and what the disk of the build folder has left
    {"step": "pytorch build", "begin": ..., "end": ..., "cpu": ...}
    {"end": ..., "code": ..., "cpu": ..., "largest": ...}     the largest process of the command, exactly

Times are seconds since 1970. CPU seconds of a step end with the processes that ran in it. ccache writes what it has found
into ccache.log beside it, and the plan of the run becomes plan.json and run.json there. A run does not end because this cannot be written.
"""

import contextlib
import json
import os
import pathlib
import resource
import time

from engine.one_run.processes import children, read
from engine.partial_file import copied

INTERVAL = 10
TICKS, PAGE = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")


def folder_of(run):
    """`run`: as lock.take() gives it."""
    return os.path.join(run["name"].rpartition(":")[0], "runs", str(int(run["begun"])))


def below(pid):
    """(CPU seconds of its own and of those that it has waited for, bytes of memory) of each process below this one."""
    for child in children(pid):
        fields = read(f"{child}/stat").rpartition(")")[2].split()
        if fields:
            yield sum(map(int, fields[11:15])) / TICKS, int(fields[21]) * PAGE
            yield from below(child)


class Journal:
    def __init__(self, run, command):
        self.build, self.folder = run["name"].rpartition(":")[0], folder_of(run)
        self.next, self.step, self.begun, self.cpu, self.waiting = 0, "", 0, 0.0, []
        self.add(command=command[0], begin=round(time.time(), 2))

    def add(self, **entry):
        """A command without a step, such as explain, leaves nothing."""
        self.waiting.append(json.dumps(entry) + "\n")
        if self.step:
            with contextlib.suppress(OSError), open(self.folder + "/journal.jsonl", "a", encoding="utf-8") as file:
                file.writelines(self.waiting)
                self.waiting.clear()

    def make_folder(self):
        """With the plan, which was of this run, and what it is made from, which the next configure replaces."""
        with contextlib.suppress(OSError):
            os.makedirs(self.folder, exist_ok=True)
        with contextlib.suppress(OSError), copied(self.build + "/plan/run.json", self.folder + "/run.json"):
            pass
        with contextlib.suppress(OSError):
            os.replace(self.build + "/plan/plan.json", self.folder + "/plan.json")

    def environment(self):
        """For the command."""
        log = {} if os.environ.get("CCACHE_STATSLOG") else {"CCACHE_STATSLOG": self.folder + "/ccache.log"}
        return {**log, **os.environ}

    def used(self):
        """CPU seconds so far, bytes of each process."""
        found, ended = list(below(os.getpid())), resource.getrusage(resource.RUSAGE_CHILDREN)
        return ended.ru_utime + ended.ru_stime + sum(cpu for cpu, _ in found), [memory for _, memory in found]

    def sample(self):
        if time.monotonic() < self.next:
            return
        self.next = time.monotonic() + INTERVAL
        memory = [size / 2**20 for size in self.used()[1]] or [0]
        with contextlib.suppress(OSError):
            disk = os.statvfs(self.build)
            free = disk.f_bavail * disk.f_frsize // 10**6
            self.add(at=round(time.time(), 2), rss=round(sum(memory)), one=round(max(memory)), free=free)

    def begin(self, step):
        """The step before has ended."""
        now, cpu = round(time.time(), 2), self.used()[0]
        if self.step:
            self.add(step=self.step, begin=self.begun, end=now, cpu=round(cpu - self.cpu, 2))
        else:
            self.make_folder()
        self.step, self.begun, self.cpu = step, now, cpu

    def finish(self, code):
        if not self.step:
            return
        self.begin(self.step)
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.add(end=round(time.time(), 2), code=code, cpu=round(self.cpu, 2), largest=ended.ru_maxrss >> 10)


def last_run(folder):
    """The folder of the run that works here, or did last; None where none has. One that somebody keeps under a name is none."""
    runs = [file.parent for file in pathlib.Path(folder).glob("runs/*/journal.jsonl")]
    return max((run for run in runs if run.name.isdecimal()), key=lambda run: int(run.name), default=None)


def read_journal(folder):
    """The entries of a run; a line that a full disk has cut is left out."""
    found = []
    with contextlib.suppress(OSError), open(os.path.join(folder, "journal.jsonl"), encoding="utf-8") as file:
        for line in file:
            with contextlib.suppress(ValueError):
                found.append(json.loads(line))
    return found
