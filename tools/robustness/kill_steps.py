#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Kills runs at random moments and counts what is wrong afterwards.

    tools/robustness/kill_steps.py --torchpkg build/tests/…/torchpkg [--tries 50] [--kills 1] [--steps fetch,pack] [--seed 1]

For each step and try: everything is as before that step, the step starts, all its processes are killed (SIGKILL) at a
random moment of its usual time, as often as --kills says, each time on what the last kill left, and then the workflow
runs. Wrong is: an artifact in dist/ right after a kill that is not whole; a damaged entry in the store; a workflow that
fails, another artifact, or a file that is left over at the end.

The project is the tests' stand-in for PyTorch. Needs Linux with process namespaces (root, or user namespaces), a few GB.
Exit status 0: nothing was wrong. 1: something was; the log of the first one of each step stays.
"""

import argparse
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

from stand_in import PRESET, StandIn, kill

BUILD = f"cmake --build --preset {PRESET}"
WORKFLOW = f"cmake --workflow --preset {PRESET}"
# What is killed. The last one finds all packages in the store.
STEPS = {
    "fetch": f"cmake --preset {PRESET} && {BUILD} --target fetch",
    "build": f"{BUILD} --target build",
    "stage": BUILD,
    "pack": f"cpack --preset {PRESET}",
    "check": f"{BUILD}-check",
    "store": f"rm -rf build dist && cmake --preset {PRESET} && {BUILD} --target stage",
}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--torchpkg", required=True, type=pathlib.Path)
    parser.add_argument("--tries", type=int, default=50)
    parser.add_argument("--kills", type=int, default=1)
    parser.add_argument("--steps", default=",".join(STEPS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", help="a folder for the runs; default: a temporary one, removed if nothing was wrong")
    parser.add_argument("--output", type=pathlib.Path, help="a JSON file for the counts")
    chosen = parser.parse_args()
    chosen.torchpkg = chosen.torchpkg.resolve()
    unknown = set(chosen.steps.split(",")) - set(STEPS)
    if unknown or chosen.tries < 1 or chosen.kills < 1:
        parser.error(
            f"unknown steps: {', '.join(sorted(unknown))}" if unknown else "--tries and --kills must be 1 or more"
        )
    return chosen


def prepare(project, log):
    """Runs all steps once. Keeps what was there before each, and what the end must be."""
    project.add_tree("tree")
    seconds = {}
    for step, command in STEPS.items():
        project.keep(f"before-{step}")
        begin = time.monotonic()
        if project.run("tree", command, log) != 0:
            sys.exit(f"the step {step} fails without a kill; see {log}")
        seconds[step] = time.monotonic() - begin
    if project.run("tree", WORKFLOW, log) != 0:
        sys.exit(f"the workflow fails without a kill; see {log}")
    return seconds


def kill_once(project, step, moment, log):
    """Whether the step still ran at that moment."""
    process = project.start("tree", STEPS[step], log)
    try:
        process.wait(moment)
    except subprocess.TimeoutExpired:
        kill(process)
        return True
    return False


def faults_after_kill(project, wanted):
    now = project.artifacts()
    found = [f"{name} is not whole after the kill" for name in wanted if now.get(name, wanted[name]) != wanted[name]]
    if project.store_fault():
        found.append(f"store: {project.store_fault()}")
    return found


def faults_at_the_end(project, wanted, files, log):
    found = []
    if project.run("tree", WORKFLOW, log) != 0:
        found.append("the workflow fails after the kill")
    elif project.artifacts() != wanted:
        found.append(f"dist/ is another one: {sorted(project.artifacts())}")
    else:
        found += [f"left over: {name}" for name in sorted(project.kept_files() ^ files)]
    return found


def main():
    chosen = arguments()
    work = pathlib.Path(chosen.work or tempfile.mkdtemp(prefix="kill-steps-"))
    work.mkdir(parents=True, exist_ok=True)
    project = StandIn(work, chosen.torchpkg)
    log = work / "log.txt"
    seconds = prepare(project, log)
    wanted, files = project.artifacts(), project.kept_files()
    moments = random.Random(chosen.seed)
    counts = {}
    for step in chosen.steps.split(","):
        counts[step] = {"tries": 0, "killed": 0, "wrong": 0}
        for done in range(chosen.tries):
            if done and done % 10 == 0:
                print(f"{step}: {done} of {chosen.tries} tries, {counts[step]}", file=sys.stderr, flush=True)
            project.restore(f"before-{step}")
            log.write_bytes(b"")
            killed, faults = [], []
            for number in range(chosen.kills):
                killed.append(moments.uniform(0, seconds[step]))
                begin = time.monotonic()
                was_killed = kill_once(project, step, killed[-1], log)
                counts[step]["killed"] += was_killed
                if not was_killed and number == 0:  # faster than the first run, which filled the compiler cache
                    seconds[step] = time.monotonic() - begin
                faults += faults_after_kill(project, wanted)
            faults += faults_at_the_end(project, wanted, files, log)
            counts[step]["tries"] += 1
            counts[step]["wrong"] += bool(faults)
            for fault in faults:
                print(f"{step}, {', '.join(f'{moment:.2f}' for moment in killed)} s: {fault}", flush=True)
            if faults and not (work / f"wrong-{step}.txt").exists():
                log.rename(work / f"wrong-{step}.txt")
        print(f"{step}: {counts[step]} (takes {seconds[step]:.1f} s)", flush=True)
    if chosen.output:
        chosen.output.write_text(json.dumps(counts, indent=2) + "\n")
    wrong = any(count["wrong"] for count in counts.values())
    if not wrong and not chosen.work:
        shutil.rmtree(work)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
