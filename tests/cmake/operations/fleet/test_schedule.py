# SPDX-License-Identifier: BSD-3-Clause
"""Which presets run at once, and with how many jobs."""

import unittest

import schedule

from engine import selection


class Run:
    def __init__(self, preset):
        self.preset = preset


class Rows(unittest.TestCase):
    def rows(self, size, *patterns, at_once=None, failing=()):
        """What runs together, as "preset: jobs", until the first of them ends."""
        runs = [Run(preset) for preset in selection.select(patterns)]
        plan, rows = schedule.Schedule(runs, size, at_once), []
        while plan.waiting or plan.running:
            while (found := plan.next())[0]:
                run, run.jobs = found
                run.lacks = plan.lacks(run)
                plan.waiting.remove(run)
                plan.running.append(run)
            rows.append([f"{run.preset.name}: {run.jobs}" for run in plan.running])
            ended = plan.running.pop(0)
            if ended.preset.name not in failing:
                plan.made |= ended.preset.makes
        return rows

    def test_a_small_machine(self):
        """One compile at a time, with all jobs; what only packs goes together."""
        names = [f"{name}-libtorch-shared" for name in ("cpu", "cu124", "official-cpu", "official-cuda")]
        expected = [f"{names[0]}: 2"], [f"{names[1]}: 2"], [f"{names[2]}: 1", f"{names[3]}: 1"]
        self.assertEqual(self.rows((2, 20000), *names)[:3], list(expected))

    def test_those_of_one_compile_wait(self):
        """And share the machine once it is there."""
        rows = self.rows((8, 40000), "cpu-libtorch-*")
        self.assertEqual(rows[0], ["cpu-libtorch-shared: 4", "cpu-libtorch-shared-openblas: 4"])
        more = ["cpu-libtorch-shared-without-deps: 1", "cpu-libtorch-static: 1", "cpu-libtorch-static-without-deps: 2"]
        self.assertEqual(rows[1], ["cpu-libtorch-shared-openblas: 4", *more])

    def test_after_a_failure_the_next_one_makes_it(self):
        names = "cpu-libtorch-shared", "cpu-libtorch-shared-without-deps", "cpu-wheel-py312"
        self.assertEqual([len(row) for row in self.rows((16, 90000), *names)], [1, 2, 1])
        rows = self.rows((16, 90000), *names, failing=names)
        self.assertEqual([len(row) for row in rows], [1, 1, 1])

    def test_memory(self):
        """The doctor's numbers: 4000 MB for a compile of the CPU's, 7200 with CUDA."""
        names = "cpu-libtorch-shared", "cu124-libtorch-shared"
        self.assertEqual(len(self.rows((16, 11200), *names)[0]), 2)
        self.assertEqual(len(self.rows((16, 11100), *names)[0]), 1)
        self.assertEqual(len(self.rows((1, 0), *names)[0]), 1)

    def test_as_many_as_one_says(self):
        names = "cpu-libtorch-shared", "cpu-libtorch-shared-openblas", "official-cpu-libtorch-shared"
        self.assertEqual(len(self.rows((2, 100), *names, at_once=2)[0]), 2)
        self.assertEqual(len(self.rows((64, 900000), *names, at_once=1)[0]), 1)
        self.assertEqual(self.rows((2, 100), *names, at_once=9)[0][-1], "official-cpu-libtorch-shared: 1")

    def test_the_machine(self):
        jobs, free = schedule.machine()
        self.assertGreaterEqual(jobs, 1)
        self.assertGreater(free, 0)
