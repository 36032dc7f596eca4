# SPDX-License-Identifier: BSD-3-Clause
"""Runs the workflows of many presets, several at once if the machine can hold them. Presets that are done with the same checkout
and settings do not run again.

    ./bootstrap.sh fleet [--logs <file>] [--again] [--keep] [--at-once <n>] [--image <name>] <preset or pattern>...
    ./bootstrap.sh fleet --table [--logs <file>] [<preset or pattern>...]

build/fleet/<preset>.log is the log of each, <preset>.json its result. The fleet continues after a preset that fails. An
interrupt stops all that are running, and the same command continues from there. The build folder of a preset is removed when
it is done: the store has the compiles, dist/ the artifacts. Exit status: 0 when all are done, 1 when one has failed, 2 for
wrong use, 130 after an interrupt.
"""

import argparse
import os
import shlex
import sys
import tarfile

import service
from preset_run import Run, checkout_hash
from schedule import Schedule, machine

from engine.containers import image_id
from engine.failure import Failure
from engine.selection import ROOT, outlook, select
from engine.text import counted

LOGS = "the logs of the fleet"


# What one run leaves out without a word must not be published by the next.
os.environ["TSB_STRICT"] = os.environ.get("TSB_STRICT") or "ON"


def table(rows):
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return "\n".join("  ".join([*(row[i].ljust(widths[i]) for i in range(4)), row[4]]).rstrip() for row in rows)


def pack_logs(file, runs):
    with tarfile.open(file, "w:gz") as archive:
        for run in runs:
            for one in run.log, run.file:
                if one.exists():
                    archive.add(one, f"fleet/{one.name}")
    print(f"fleet: {LOGS} are in {file}")


def parse():
    parser = argparse.ArgumentParser(prog="./bootstrap.sh fleet", description=__doc__.split("\n\n")[0])
    parser.add_argument("patterns", nargs="*", metavar="preset", help="a preset, or a pattern of names: 'cpu-*'")
    parser.add_argument("--table", action="store_true", help="print the latest results, run nothing")
    parser.add_argument("--logs", metavar="FILE", help=f"pack {LOGS} into this .tar.gz at the end")
    parser.add_argument("--again", action="store_true", help="also run presets that are done")
    parser.add_argument("--needs", action="store_true", help=argparse.SUPPRESS)  # for bootstrap.sh
    parser.add_argument("--keep", action="store_true", help="keep the build folders")
    parser.add_argument(
        "--at-once", type=int, metavar="N", help="this many presets at once; default: what the machine can hold"
    )
    parser.add_argument("--image", metavar="NAME", help="run each preset in a container of this image")
    options = parser.parse_args()
    if options.at_once is not None and options.at_once < 1:
        parser.error("--at-once must be at least 1")
    if not options.patterns and not options.table:
        parser.error("name a preset, or a pattern of names such as 'cpu-*'")
    return options


def command(options, run):
    """What the fleet starts for a preset."""
    if not options.image:
        return ["cmake", "--workflow", "--preset", run.preset.name]
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "container.py")
    return [sys.executable, "-B", ROOT / "engine", script, run.image, run.preset.name, str(run.folder)]


def main():
    options = parse()
    if os.environ.get("TSB_PACKAGES") and not options.table:
        packages = os.environ["TSB_PACKAGES"]
        raise Failure(
            f"fleet: TSB_PACKAGES is {packages}, and packages alone make no file",
            f"unset it, or build them by themselves: TSB_PACKAGES={shlex.quote(packages)} ./bootstrap.sh <preset>",
            status=2,
        )
    presets = select(options.patterns or ["*"])
    if options.needs:
        needs = [need for preset in presets for need in preset.needs]
        install = ["build", *(["containers"] if options.image else dict.fromkeys(needs))]
        print(*(["nothing"] if options.table else install))
        return 0
    if options.logs and not os.path.isdir(os.path.dirname(os.path.abspath(options.logs))):
        raise Failure(f"fleet: --logs {options.logs}: there is no such folder", status=2)
    image = image_id(options.image) if options.image and not options.table else ""
    runs = [Run(preset, image) for preset in presets]
    if not options.patterns:
        runs = [run for run in runs if run.file.exists()]
    stopped = False
    if not options.table:
        head = "fleet: " + counted(len(presets), "preset")
        print("\n".join([head, *("  " + line for line in outlook(presets))]), flush=True)
        schedule = Schedule(runs, machine(), options.at_once)
        schedule.go(lambda run: command(options, run), checkout_hash(), options.again, options.keep)
        stopped = schedule.stopped
        if stopped:
            print("fleet: interrupted; run the same command to continue", flush=True)
    rows = [("preset", "state", "time", "checks", "made"), *(run.row() for run in runs)]
    print(table(rows))
    if not options.table:
        service.report(rows, [file for run in runs for file in run.facts.get("files", {})])
    if options.logs:
        pack_logs(options.logs, runs)
    return 130 if stopped else int(any(run.facts["state"] == "failed" for run in runs))
