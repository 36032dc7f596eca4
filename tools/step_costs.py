#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes what the steps of a build cost, for the share of the work that a build shows.

    step_costs.py build/cpu-libtorch-shared/packages/pytorch/build/.ninja_log > releases/9.9.0/pytorch/step_costs.txt

The log must be that of a whole build without a compiler cache. One line for each folder, with the mean of its steps, and
before it one for each of its steps that takes four times as long, and half a minute at least.
"""

import collections
import sys


def steps(path):
    """{output: seconds}; of a step with several outputs the first counts."""
    found = {}
    with open(path) as stream:
        for line in stream:
            if not line.startswith("#"):
                start, end, _, output, command = line.rstrip("\n").split("\t")
                found.setdefault((start, end, command), (output, (int(end) - int(start)) / 1000))
    return dict(found.values())


def costs(steps):
    """[(seconds, pattern)]"""
    folders = collections.defaultdict(list)
    for output, seconds in steps.items():
        folder, slash, _ = output.rpartition("/")
        folders[folder + slash].append((seconds, output))
    single, means = [], []
    for folder, members in folders.items():
        mean = sum(seconds for seconds, _ in members) / len(members)
        single += [member for member in members if member[0] >= max(4 * mean, 30)]
        rest = [seconds for seconds, output in members if (seconds, output) not in single]
        means.append((sum(rest) / len(rest), folder + "*"))
    # What lies deeper first, as the first line that fits counts.
    return sorted(single, reverse=True) + sorted(means, key=lambda line: (-line[1].count("/"), line[1]))


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__)
        return 0 if "--help" in sys.argv else 2
    print("# What the steps of this build cost: seconds, output. The first line that fits counts.")
    print("# Written by tools/step_costs.py.")
    for seconds, pattern in costs(steps(sys.argv[1])):
        print(f"{max(seconds, 0.01):.2f} {pattern}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
