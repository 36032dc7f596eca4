#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes how the time of a build is spread over its steps, for the time left that a build shows.

    step_costs.py build/cpu-libtorch-shared/packages/pytorch/build/.ninja_log > superbuild/pytorch/step_costs.txt

The log must be that of a whole build without a compiler cache. A step counts when it ended, with the time it took.
"""
import sys


def steps(path):
    """[seconds of each step], in the order in which they ended; a step with several outputs is one."""
    found = {}
    with open(path) as stream:
        for line in stream:
            if not line.startswith('#'):
                start, end, _, _, command = line.rstrip('\n').split('\t')
                found[start, end, command] = (int(end), (int(end) - int(start)) / 1000)
    return [seconds for _, seconds in sorted(found.values())]


def curve(costs, points=20):
    """[(share of the steps, share of the time)]"""
    whole, gone, result = sum(costs), 0.0, []
    for number, cost in enumerate(costs, 1):
        gone += cost
        if number * points // len(costs) > len(result):
            result.append((number / len(costs), gone / whole))
    return result[:-1]


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith('-'):
        print(__doc__)
        return 0 if '--help' in sys.argv else 2
    costs = steps(sys.argv[1])
    print('# How the time of this build is spread over its steps: share of the steps, share of the time. Only for the time that is left.')
    print(f'# Written by bench/step_costs.py.\nsteps {len(costs)}')
    for done, gone in curve(costs):
        print(f'{done:.3f} {gone:.4f}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
