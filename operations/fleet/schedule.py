# SPDX-License-Identifier: BSD-3-Clause
"""Which presets run, and when: several at once if the machine can hold them, and those of one compile after the one that makes
it."""

import contextlib
import ctypes
import os
import shutil
import signal
import subprocess
import time

import service

from engine.selection import ROOT

RESERVE_MB = 1024  # what is left to the rest of the machine, as tsb_job_pools() leaves it
# If two compiles had fewer jobs than this, each would take twice as long.
JOBS_OF_A_COMPILE = 4
POLL = 0.1
LIBC, PR_SET_PDEATHSIG = ctypes.CDLL(None), 1


def end_with_the_fleet():
    """In a child: it gets SIGTERM when the fleet is killed. What it leaves in its folder, the lock's holder ends."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def machine():
    """(jobs, MB) of this machine; one job where there is no CMake to count them."""
    script = ["cmake", "-P", os.path.join(os.path.dirname(os.path.abspath(__file__)), "machine.cmake")]
    try:
        jobs, *free = subprocess.run(script, capture_output=True, text=True, check=True).stdout.split()
    except (OSError, ValueError, subprocess.CalledProcessError):
        return 1, 0
    return int(jobs), int(free[0]) - RESERVE_MB if free else 0


class Schedule:
    def __init__(self, runs, size, at_once=None):
        """`size`: the jobs and MB of the machine. `at_once`: this many presets, whatever the machine can hold."""
        self.runs, self.waiting, self.running, self.made = runs, list(runs), [], set()
        self.elsewhere = []  # those that another fleet is running
        (self.jobs, self.memory), self.at_once = size, at_once
        self.stopped = False

    def lacks(self, run):
        """What it has to make, since no other preset has."""
        return run.preset.makes - self.made

    def ready(self):
        """The presets that need nothing that others are making, or will make before them."""
        busy = set().union(*(run.lacks for run in self.running), *map(self.lacks, self.elsewhere))
        for run in self.waiting:
            lacks = self.lacks(run)
            if not lacks & busy:
                yield run
            busy |= lacks

    def least_jobs(self, run):
        return JOBS_OF_A_COMPILE if self.lacks(run) and not run.preset.prebuilt else 1

    def next(self):
        """The next that can start, and how many jobs it gets; (None, 0) while there is no room."""
        ready = list(self.ready())
        jobs = self.jobs - sum(run.jobs for run in self.running)
        memory = self.memory - sum(run.preset.memory_mb for run in self.running)
        if self.at_once:
            places = min(self.at_once - len(self.running), len(ready))
            return (ready[0], max(1, jobs // places)) if places > 0 else (None, 0)
        fitting, jobs_left = [], jobs
        for run in ready:
            least = self.least_jobs(run)
            if (least <= jobs_left and run.preset.memory_mb <= memory) or not (self.running or fitting):
                fitting.append(run)
                jobs_left, memory = jobs_left - least, memory - run.preset.memory_mb
        if not fitting:
            return None, 0
        least = min(self.least_jobs(fitting[0]), jobs)  # one that runs alone may get fewer
        return fitting[0], max(1, least, jobs // len(fitting))

    def stop(self, number, _frame=None):
        """Stops all that are running: a terminal's signal does not reach them, since each has its own process group."""
        self.stopped = True
        for run in self.running:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(run.process.pid, number)

    def start(self, run, jobs, key, command):
        self.waiting.remove(run)
        if not run.take():
            print(f"fleet: {self.place(run)} waits for another fleet, which is running it", flush=True)
            self.elsewhere.append(run)
            return
        share = "" if jobs == self.jobs else f", with {jobs} of {self.jobs} jobs"
        print(f"fleet: {self.place(run)}{share}", flush=True)
        run.write(state="running", key=key)
        run.jobs, run.began, run.lacks = jobs, time.monotonic(), self.lacks(run)
        # A farm's scheduler knows better.
        given = {} if jobs == self.jobs or os.environ.get("TSB_FARM") else {"TSB_JOBS": str(jobs)}
        with open(run.log, "wb") as log:
            run.process = subprocess.Popen(
                command,
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=os.environ | given,
                start_new_session=True,
                preexec_fn=end_with_the_fleet,
            )
        self.running.append(run)
        if self.stopped:  # while it was not yet among those that it ends
            self.stop(signal.SIGTERM)

    def place(self, run):
        return f"{self.runs.index(run) + 1} of {len(self.runs)}: {run.preset.name}"

    def look_at(self, run, key, again):
        """Whether it still has to run."""
        if again or not run.is_done(key):
            return True
        print(f"fleet: {self.place(run)} is already done", flush=True)
        self.made |= run.preset.makes
        return False

    def finish(self, run, key, keep):
        self.running.remove(run)
        good = run.process.returncode == 0
        run.end("done" if good else "interrupted" if self.stopped else "failed", key, time.monotonic() - run.began)
        run.lock.close()
        service.show(run.preset.name, run.log, run.facts.get("why"))
        name, state, seconds, _, what = run.row()
        if state == "failed":
            print(f"fleet: {name} has failed: {what}", flush=True)
        elif state == "done":
            print(f"fleet: {name} is done after {seconds}: {what}", flush=True)
            self.made |= run.preset.makes
            if not keep and run.folder.resolve() in run.built.parents:  # no folder of the user's
                shutil.rmtree(run.built, ignore_errors=True)

    def go(self, command, checkout, again=False, keep=False):
        """Runs them all; `command` returns the command for one."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # also where a shell has it ignore the first
            signal.signal(number, self.stop)
        keys = {run: run.key(checkout) for run in self.runs}
        self.waiting = [run for run in self.runs if self.look_at(run, keys[run], again)]
        while self.running or ((self.waiting or self.elsewhere) and not self.stopped):
            run, jobs = (None, 0) if self.stopped else self.next()
            if run:
                self.start(run, jobs, keys[run], command(run))
                continue
            time.sleep(POLL)  # a wait for the next to end would not see a signal that comes just before
            for run in [run for run in self.running if run.process.poll() is not None]:
                self.finish(run, keys[run], keep)
            for run in [run for run in self.elsewhere if run.take()]:
                run.lock.close()
                run.read()
                self.elsewhere.remove(run)
                self.waiting += [run] if self.look_at(run, keys[run], False) else []
