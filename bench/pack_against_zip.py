#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures packing: `torchpkg pack zip` against `zip -r -6` on the same tree, in turn.

    bench/pack_against_zip.py --build build/cpu-libtorch-shared
    bench/pack_against_zip.py --torchpkg PROGRAM --tree stage/libtorch --runs 5

After one run of each that is not counted, the two run in turn; wall and CPU seconds (user + system) and peak memory
come from the operating system's account of each process, the sizes from the files. The ratio is taken pair by
pair, so a machine that gets slower in the middle does not tilt it. Writes bench/results/packing.json.
"""
import argparse
import glob
import json
import os
import shutil
import statistics
import sys
import tempfile
import time


def measure(command, folder):
    """Runs a command; returns its wall seconds, CPU seconds and peak memory in MiB."""
    start = time.monotonic()
    pid = os.fork()
    if pid == 0:
        os.chdir(folder)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.execvp(command[0], command)
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f'{command[0]} failed: {" ".join(command)}')
    return {'wall': time.monotonic() - start, 'cpu': usage.ru_utime + usage.ru_stime, 'peak': usage.ru_maxrss / 1024}


def spread(values):
    return {'min': round(min(values), 3), 'median': round(statistics.median(values), 3), 'max': round(max(values), 3)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', help='build folder of a preset, whose staged tree and torchpkg are used')
    parser.add_argument('--torchpkg')
    parser.add_argument('--tree')
    parser.add_argument('--runs', type=int, default=5)
    parser.add_argument('--out', default=os.path.join(os.path.dirname(os.path.abspath(__file__)), 'results', 'packing.json'))
    options = parser.parse_args()
    if options.build:
        options.torchpkg = options.torchpkg or os.path.join(options.build, 'packaging/torchpkg/torchpkg')
        trees = glob.glob(os.path.join(options.build, 'stage/*/libtorch'))
        options.tree = options.tree or (trees[0] if trees else None)
    if not options.torchpkg or not options.tree:
        parser.error('name a --build whose artifact is staged, or --torchpkg and --tree')
    if not shutil.which('zip'):
        sys.exit('zip is not installed')
    tree = os.path.abspath(options.tree)
    torchpkg = os.path.abspath(options.torchpkg)

    with tempfile.TemporaryDirectory(dir=os.path.dirname(tree)) as work:
        ours, theirs = os.path.join(work, 'ours.zip'), os.path.join(work, 'theirs.zip')
        commands = {
            'torchpkg': [torchpkg, 'pack', 'zip', '--root', tree, '--output', ours, '--quiet'],
            'zip': ['zip', '-q', '-r', '-y', '-6', theirs, os.path.basename(tree)],
        }
        results = {'torchpkg': [], 'zip': []}
        for run in range(options.runs + 1):
            for name, command in commands.items():
                target = ours if name == 'torchpkg' else theirs
                if os.path.exists(target):
                    os.remove(target)
                figures = measure(command, os.path.dirname(tree))
                if run:
                    results[name].append(figures)
        sizes = {'torchpkg': os.path.getsize(ours), 'zip': os.path.getsize(theirs)}

    unpacked = sum(os.path.getsize(os.path.join(d, f)) for d, _, fs in os.walk(tree) for f in fs
                   if not os.path.islink(os.path.join(d, f)))
    report = {'machine': {'cores': len(os.sched_getaffinity(0)),
                          'memory_gib': round(os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30, 1)},
              'runs': options.runs, 'tree_bytes': unpacked, 'zip_bytes': sizes}
    for name, runs in results.items():
        report[name] = {key: spread([r[key] for r in runs]) for key in ('wall', 'cpu', 'peak')}
    report['ratio'] = {key: spread([a[key] / b[key] for a, b in zip(results['torchpkg'], results['zip'])])
                       for key in ('wall', 'cpu')}
    report['ratio']['size'] = round(sizes['torchpkg'] / sizes['zip'], 4)
    os.makedirs(os.path.dirname(options.out), exist_ok=True)
    with open(options.out, 'w') as stream:
        json.dump(report, stream, indent=2)
        stream.write('\n')
    print(json.dumps(report, indent=2))


if __name__ == '__main__':
    main()
