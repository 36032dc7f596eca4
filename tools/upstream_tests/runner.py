# SPDX-License-Identifier: BSD-3-Clause
"""Finds the tests of each file, divides them into shards, runs those, and says how far it is."""

import os
import signal
import subprocess
import sys
import time

from output import last_lines, say, text_of_time
from shards import Shard, end_group, how_it_ended

TESTS_OF_A_SHARD = 400
# As PyTorch's pytest.ini has it, whose addopts are not taken: it switches plugins off that we want.
PYTEST = (
    "-m",
    "pytest",
    "-p",
    "no:cacheprovider",
    "-o",
    "addopts=",
    "-p",
    "no:warnings",
    "-p",
    "shard_plugin",
    "--assert=plain",
    "--tb=native",
    "--capture=sys",
    "-rEfX",
    "--rootdir",
    ".",
)


class Runner:
    def __init__(self, options, place, python, lock):
        self.options, self.python, self.lock = options, python, lock
        self.results = os.path.join(place, "results")
        self.folder = os.path.join(place, "tree", "test")
        self.shards, self.collected, self.uncollected, self.interrupted = [], set(), {}, False
        self.start = self.done_before = None
        plugin = os.path.join(place, "plugin")
        # Tests are generated in loops over sets; the workers of xdist must all find them in the same order.
        self.environment = dict(os.environ, PYTHONHASHSEED="0")
        if options.jobs > 1:
            # Each has threads for all cores, which would keep the cores busy waiting for each other.
            self.environment.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        self.environment["PYTHONPATH"] = os.pathsep.join(filter(None, (plugin, os.environ.get("PYTHONPATH"))))

    def start_pytest(self, arguments, log):
        with open(log, "wb") as stream:
            # In a group of its own, to be ended as a whole. It holds the lock as well: should this process be killed,
            # nothing else is begun in this folder before it has ended.
            return subprocess.Popen(
                [self.python, *PYTEST, *arguments],
                cwd=self.folder,
                env=self.environment,
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
                pass_fds=[self.lock.fileno()],
            )

    def collect(self, file):
        folder = os.path.join(self.results, file.replace("/", "."))
        path = os.path.join(folder, "tests.txt")
        if not os.path.exists(path):
            say("%s: collecting" % file)
            os.makedirs(folder, exist_ok=True)
            log = os.path.join(folder, "collect.txt")
            process = self.start_pytest([file, "--collect-only", "-q", "--tsb-list", path + ".part"], log)
            try:
                code = process.wait(self.options.timeout)
            except subprocess.TimeoutExpired:
                code = -signal.SIGKILL
            finally:
                end_group(process)
            # 5: there are none.
            if code not in (0, 5):
                sys.stderr.write(last_lines(log))
                say("%s: cannot be collected: %s" % (file, log))
                how = "it could not be collected, pytest ended with %s: %s"
                self.uncollected[file] = how % (how_it_ended(code), log)
                return
            os.rename(path + ".part", path)
        with open(path) as stream:
            tests = stream.read().splitlines()
        if not tests:
            log = os.path.join(folder, "collect.txt")
            self.uncollected[file] = "it has no tests, or is skipped as a whole: %s" % log
        count = min(self.options.shards or -(-len(tests) // TESTS_OF_A_SHARD), len(tests))
        for number in range(count):
            # Every count-th: the long ones are next to each other.
            self.shards.append(Shard(self, file, number + 1, count, tests[number::count]))

    def counts(self):
        """Tests, those done, those of them that failed or crashed."""
        done = [entry["outcome"] for shard in self.shards for entry in shard.results()[0].values()]
        return sum(len(shard.tests) for shard in self.shards), len(done), done.count("failed") + done.count("crashed")

    def progress(self, what):
        every, done, failed = self.counts()
        took = time.monotonic() - self.start
        rest = ""
        if done > self.done_before and done < every:
            rest = ", some %s left" % text_of_time(took / (done - self.done_before) * (every - done))
        say("%s: %d of %d tests, %d failed, %s%s" % (what, done, every, failed, text_of_time(took), rest))

    def run(self):
        for file in self.options.file:
            self.collect(file)
            self.collected.add(file)
        self.start, self.done_before = time.monotonic(), self.counts()[1]
        if self.done_before:
            say("%d of %d tests were done before" % (self.done_before, self.counts()[0]))
        for shard in self.shards:
            if shard.left():
                shard.run()
                self.progress(shard.name)
