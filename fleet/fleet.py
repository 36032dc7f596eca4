#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the workflows of many presets, one after the other; what has been made already, of the same checkout and settings, is
not made again.

    ./bootstrap.sh fleet [--table] [--logs <file>] [--again] [--keep] <preset or pattern>...

build/fleet/<preset>.log is the log of each, <preset>.json how it ended. It goes on after one that fails; an interrupt ends the
one that runs and the fleet, and the same command goes on there. The folder that a preset was built in is removed when
it is done: the store has the compiles, dist/ what was made. Exit status: 0 when all are done, 1 when one has failed, 2 wrong
use, 130 after an interrupt.
"""

import argparse
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import time

from selection import ROOT, Failure, outlook, select

FOLDER = ROOT / "build/fleet"
ENVIRONMENT = "CC", "CXX", "CFLAGS", "CXXFLAGS", "SOURCE_DATE_EPOCH"
# What CMake and Ninja write behind a message.
FRAME = "See also", "-- Configuring incomplete", "ninja: build stopped", "FAILED: ", "cd ", "Errors while running CTest"
LOGS = "the logs of the fleet"


class Interrupt(Exception):
    """A signal has ended the fleet: its number."""


def interrupt(number, _frame):
    raise Interrupt(number)


def git(*words):
    return subprocess.run(["git", "-C", ROOT, *words], capture_output=True).stdout


def checkout_hash():
    """What the checkout is: its commit, what was changed since, and the files that git does not know."""
    digest = hashlib.sha256(git("rev-parse", "HEAD") + git("diff", "HEAD"))
    for name in sorted(git("ls-files", "--others", "--exclude-standard", "-z").split(b"\0")):
        file = ROOT / os.fsdecode(name)
        digest.update(name + (file.read_bytes() if file.is_file() else b""))
    return digest.hexdigest()


def key_of(preset, checkout):
    """A key of all that decides what a preset makes."""
    named = {name: value for name, value in os.environ.items() if name.startswith("TSB_") or name in ENVIRONMENT}
    return hashlib.sha256(json.dumps([checkout, preset.variables, named], sort_keys=True).encode()).hexdigest()


class Run:
    """How a preset's workflow went: build/fleet/<preset>.json."""

    def __init__(self, preset):
        self.preset = preset
        self.file, self.log = FOLDER / f"{preset.name}.json", FOLDER / f"{preset.name}.log"
        try:
            self.facts = json.loads(self.file.read_text())
        except (OSError, ValueError):
            self.facts = {"state": "waiting"}

    def write(self, **facts):
        self.facts = facts
        new = self.file.with_suffix(".new")
        new.write_text(json.dumps(facts, indent=1) + "\n")
        new.replace(self.file)

    def is_done(self, key):
        """Done with the same inputs, and all that it made is there."""
        files = self.facts.get("files", {})
        same = self.facts["state"] == "done" and self.facts["key"] == key
        return same and all(os.path.isfile(file) and os.path.getsize(file) == size for file, size in files.items())

    def row(self):
        facts = self.facts
        seconds = f"{facts['seconds']:.0f} s" if "seconds" in facts else ""
        files = {os.path.basename(file): size for file, size in facts.get("files", {}).items()}
        sizes = ", ".join(f"{name} {size / 1e6:.0f} MB" for name, size in files.items() if not name.endswith(".json"))
        checks = f"{facts['checks']} passed" if facts.get("checks") else ""
        return self.preset.name, facts["state"], seconds, checks, sizes or facts.get("why", "")


def made(preset):
    """{file: bytes} of what a preset's build has packed, as the stamps of its steps name it."""
    stamps = (ROOT / "build" / preset.name / "steps").glob("*/pack.json")
    files = sorted(file for stamp in stamps for file in json.loads(stamp.read_text())["outputs"])
    return {file: os.path.getsize(file) for file in files}


def reason(lines):
    """The line of a log that says why it failed: behind CMake's last error, else the last one."""
    told = [line for line in lines if line and not line.startswith(FRAME)]
    errors = [number for number, line in enumerate(told[:-1]) if line.startswith("CMake Error")]
    return told[errors[-1] + 1] if errors else (told or ["it said nothing"])[-1]


def work(run, key, keep):
    """Runs a preset's workflow."""
    begin = time.monotonic()
    run.write(state="running", key=key)
    with open(run.log, "wb") as log:
        process = subprocess.Popen(
            ["cmake", "--workflow", "--preset", run.preset.name], cwd=ROOT, stdout=log, stderr=log
        )
        try:
            code = process.wait()
        except Interrupt as signalled:
            if signalled.args[0] != signal.SIGINT:  # which a terminal sends to it as well
                process.terminate()
            process.wait()
            run.write(state="interrupted", key=key, seconds=time.monotonic() - begin)
            raise
    lines = list(map(str.strip, run.log.read_text(errors="replace").splitlines()))
    seconds = time.monotonic() - begin
    if code:
        run.write(state="failed", key=key, seconds=seconds, why=f"{reason(lines)[:100]} ({run.log})")
        return False
    checks = sum(line.startswith("-- ok ") for line in lines)
    run.write(state="done", key=key, seconds=seconds, checks=checks, files=made(run.preset))
    if not keep:
        shutil.rmtree(ROOT / "build" / run.preset.name, ignore_errors=True)
    return True


def table(runs):
    rows = [("preset", "state", "time", "checks", "made"), *(run.row() for run in runs)]
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
    parser.add_argument("patterns", nargs="+", metavar="preset", help="a preset, or a pattern of names: 'cpu-*'")
    parser.add_argument("--table", action="store_true", help="only say how each went")
    parser.add_argument("--logs", metavar="FILE", help=f"pack {LOGS} into this .tar.gz at the end")
    parser.add_argument("--again", action="store_true", help="also what is done already")
    parser.add_argument("--needs", action="store_true", help=argparse.SUPPRESS)  # for bootstrap.sh
    parser.add_argument("--keep", action="store_true", help="keep the folders that presets were built in")
    return parser.parse_args()


def main():
    options = parse()
    try:
        presets = select(options.patterns)
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 2
    if options.needs:
        print("build", *dict.fromkeys(need for preset in presets for need in preset.needs))
        return 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    runs = [Run(preset) for preset in presets]
    interrupted = False
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # also where a shell has it ignore the first
        signal.signal(number, interrupt)
    if not options.table:
        print("\n".join([f"fleet: {len(presets)} presets", *("  " + line for line in outlook(presets))]), flush=True)
        checkout = checkout_hash()
        try:
            for number, run in enumerate(runs, 1):
                key = key_of(run.preset, checkout)
                done = run.is_done(key) and not options.again
                print(
                    f"fleet: {number} of {len(runs)}: {run.preset.name}{', done already' if done else ''}", flush=True
                )
                if not done and not work(run, key, options.keep):
                    print(f"fleet: {run.preset.name} has failed: {run.facts['why']}", flush=True)
        except Interrupt:
            interrupted = True
            print("fleet: interrupted; the same command goes on here", flush=True)
    print(table(runs))
    if options.logs:
        pack_logs(options.logs, runs)
    return 130 if interrupted else int(any(run.facts["state"] == "failed" for run in runs))


if __name__ == "__main__":
    sys.exit(main())
