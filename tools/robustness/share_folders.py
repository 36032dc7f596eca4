#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs two workflows at once that share a source cache, a store and a dist/, and counts what is wrong afterwards.

    tools/robustness/share_folders.py --torchpkg build/tests/…/torchpkg [--tries 50] [--kill]

Each has a process namespace, a checkout and a build folder of its own, as two containers have. Both begin with empty
folders. With --kill the first one is killed at a random moment, while the other goes on. Wrong is: a run that fails,
an artifact that is not the usual one, a damaged entry in the store, or a file that is left over at the end.

The project is the tests' stand-in for PyTorch. Needs Linux with process namespaces (root, or user namespaces), a few GB.
Exit status 0: nothing was wrong. 1: something was; the logs of the first one stay.
"""

import argparse
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

from stand_in import PRESET, StandIn, kill

WORKFLOW = f"cmake --workflow --preset {PRESET}"
TREES = ("one", "other")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--torchpkg", required=True, type=pathlib.Path)
    parser.add_argument("--tries", type=int, default=50)
    parser.add_argument("--kill", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", help="a folder for the runs; default: a temporary one, removed if nothing was wrong")
    chosen = parser.parse_args()
    chosen.torchpkg = chosen.torchpkg.resolve()
    return chosen


def main():
    chosen = arguments()
    work = pathlib.Path(chosen.work or tempfile.mkdtemp(prefix="share-folders-"))
    work.mkdir(parents=True, exist_ok=True)
    logs = {tree: work / f"{tree}.txt" for tree in TREES}
    project = StandIn(work, chosen.torchpkg)
    for tree in TREES:
        project.add_tree(tree)
    project.keep("before")
    begin = time.monotonic()
    for tree in TREES:  # also fills the compiler cache
        if project.run(tree, WORKFLOW, logs[tree]) != 0:
            sys.exit(f"the workflow fails alone; see {logs[tree]}")
    seconds = time.monotonic() - begin
    wanted, files = project.artifacts(), project.kept_files()
    moments = random.Random(chosen.seed)
    wrong = 0
    for number in range(chosen.tries):
        project.restore("before")
        for log in logs.values():
            log.write_bytes(b"")
        running = {tree: project.start(tree, WORKFLOW, logs[tree]) for tree in TREES}
        faults = []
        if chosen.kill:
            try:
                running["one"].wait(moments.uniform(0, seconds))
            except subprocess.TimeoutExpired:
                kill(running["one"])
        faults += [f"{tree} fails" for tree, process in running.items() if process.wait() and not chosen.kill]
        if chosen.kill:
            faults += [f"{tree} fails" for tree in reversed(TREES) if project.run(tree, WORKFLOW, logs[tree])]
        if project.artifacts() != wanted:
            faults.append(f"dist/ is another one: {sorted(project.artifacts())}")
        if project.store_fault():
            faults.append(f"store: {project.store_fault()}")
        faults += [f"left over or missing: {name}" for name in sorted(project.kept_files() ^ files)]
        for fault in faults:
            print(f"try {number}: {fault}", flush=True)
        if faults and not wrong:
            for tree, log in logs.items():
                log.rename(work / f"wrong-{tree}.txt")
        wrong += bool(faults)
    print(f"{chosen.tries} tries, {wrong} wrong, {seconds / 2:.1f} s for a run alone")
    if not wrong and not chosen.work:
        shutil.rmtree(work)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
