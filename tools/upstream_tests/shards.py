# SPDX-License-Identifier: BSD-3-Clause
"""A shard is a part of a file's tests: runs it, in as many pytests as it takes, and finds out what crashes or hangs.

Each has a journal, which shard_plugin.py also writes. What is done according to it is not done again.
"""

import json
import os
import signal
import subprocess
import time

from output import write_lines

PROGRESS_SECONDS = 30


def read_journal(path):
    """What became of each test, the tests that began and did not end, the seconds of all processes together."""
    done, running, seconds = {}, {}, 0.0
    if os.path.exists(path):
        with open(path) as stream:
            for line in stream:
                try:
                    entry = json.loads(line)
                except ValueError:
                    continue  # what was being written when the process was killed
                if "process" in entry:
                    running, seconds = {}, seconds + entry["seconds"]
                elif "outcome" in entry:
                    running.pop(entry["id"], None)
                    done[entry["id"]] = entry
                else:
                    running[entry["id"]] = None
    return done, list(running), seconds


def append(path, *entries):
    # A line that was being written when the process was killed has no end; the next one is not to be lost with it.
    text = "\n" + "".join(json.dumps(entry) + "\n" for entry in entries)
    with open(path, "a") as stream:
        stream.write(text)


class Shard:
    def __init__(self, runner, file, number, count, tests):
        self.runner, self.file, self.tests = runner, file, tests
        self.name = "%s, shard %d of %d" % (file, number, count)
        self.folder = os.path.join(runner.results, file.replace("/", "."), "%d-shards" % count, "%d" % number)
        self.journal = os.path.join(self.folder, "journal.jsonl")
        os.makedirs(self.folder, exist_ok=True)

    def results(self):
        """{id: what became of it}, seconds"""
        done, _, seconds = read_journal(self.journal)
        return {test: done[test] for test in self.tests if test in done}, seconds

    def left(self):
        done = self.results()[0]
        return [test for test in self.tests if test not in done]

    def run(self):
        left = self.left()
        while left:
            self.run_process(left)
            before, left = left, self.left()
            if len(left) == len(before):
                append(self.journal, *(crash(test, "pytest ended without having run it") for test in left))
                return

    def run_process(self, tests):
        """One pytest, for as many of these tests as it gets done. What it was running when it died has crashed."""
        number = 1
        while os.path.exists(os.path.join(self.folder, "log-%d.txt" % number)):
            number += 1
        only = os.path.join(self.folder, "tests.txt")
        write_lines(only, tests)
        append(self.journal, {"process": number, "seconds": 0})
        junit = os.path.join(self.folder, "junit-%d.xml" % number)
        arguments = [self.file, "--tsb-only", only, "--tsb-journal", self.journal, "--junit-xml", junit]
        if self.runner.options.jobs > 1:
            arguments += ["-n", str(self.runner.options.jobs)]
        start = time.monotonic()
        process = self.runner.start_pytest(arguments, os.path.join(self.folder, "log-%d.txt" % number))
        timeout, since, late, ended = self.runner.options.timeout, {}, False, False
        try:
            said = start
            while process.poll() is None:
                time.sleep(0.2)
                now = time.monotonic()
                if now - said >= min(PROGRESS_SECONDS, timeout / 4):
                    said = now
                    running = read_journal(self.journal)[1]
                    since = {test: since.get(test, now) for test in running}
                    self.runner.progress(self.name)
                if now - start > timeout:
                    late = True
                    break
            ended = not late
        finally:
            end_group(process)
            seconds = time.monotonic() - start
            running = read_journal(self.journal)[1]
            entries = []
            if late:
                # A shard that is merely long has hardly spent half of its time in one test; that one is put back.
                hung = [test for test in running if start + seconds - since.get(test, start + seconds) > timeout / 2]
                if not hung and len(self.left()) == len(tests):
                    hung = running
                how = "it was running when the %d s of its shard were over" % timeout
                entries = [crash(test, how) for test in hung]
            elif ended:
                how = "pytest ended with %s while it ran" % how_it_ended(process.returncode)
                entries = [crash(test, how) for test in running]
            append(self.journal, *entries, {"process": number, "seconds": round(seconds, 1)})


def crash(test, message):
    return {"id": test, "outcome": "crashed", "seconds": 0.0, "message": message}


def how_it_ended(code):
    if code >= 0:
        return "exit code %d" % code
    try:
        return signal.Signals(-code).name
    except ValueError:
        return "signal %d" % -code


def end_group(process):
    """Ends what is left of a process and of all it started."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            break
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            pass
    process.wait()
