#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures what compiling a target costs, file by file and in units of several files.

    unity_compile.py --database BUILD/compile_commands.json --out alone.json
    unity_compile.py --database BUILD/compile_commands.json --out grouped.json \\
                     --source PYTORCH --groups releases/9.9.0/pytorch/unity_groups.txt

Takes the compile commands of a configured build folder whose sources have all been generated, runs
every one of them (of --target, default torch_cpu) with the output thrown away, --jobs at a time,
and writes the CPU seconds (user + system), wall seconds and peak memory of each. A compiler launcher
in the commands (ccache) is left out. With --groups, the sources of a group are compiled as one unit
and the others as before: the same flags, the same sources, everything compiled once.
Without --groups the headers of each source are recorded as well (find_groups.py needs them).
"""

import argparse
import json
import os
import sys
import time

if __loader__ and __name__ == "__main__":  # by Python alone: engine has no loader
    os.execv(sys.executable, [sys.executable, os.path.dirname(__file__) + "/../../engine", *sys.argv])

import compiles
import grouping


def read_groups(path, source):
    """[(name, [absolute source])]"""
    groups = []
    with open(path) as stream:
        for line in stream:
            line = line.strip()
            if line.startswith("@ "):
                groups.append((line[2:], []))
            elif line and not line.startswith("#"):
                groups[-1][1].append(os.path.join(source, line.split(" ", 1)[1]))
    return groups


def headers_of(path, directory):
    with open(path) as stream:
        words = stream.read().replace("\\\n", " ").split()
    os.remove(path)
    found = [w for w in words if not w.endswith(":")]
    return [os.path.normpath(os.path.join(directory, w)) for w in found[1:]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", required=True)
    parser.add_argument("--out", required=True, help="the JSON file to write")
    parser.add_argument("--target", action="append", default=[])
    parser.add_argument("--source", help="PyTorch's source folder, for --groups")
    parser.add_argument("--groups", help="unity_groups.txt")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--compiler", help="folder with the c++ and cc to use instead of the recorded ones")
    parser.add_argument("--work", help="folder for units and objects (default: beside --out)")
    parser.add_argument("--first", help="JSON of an earlier run: its costly files are started first")
    options = parser.parse_args()
    work = options.work or os.path.abspath(options.out) + ".work"
    os.makedirs(work, exist_ok=True)
    targets = options.target or ["torch_cpu"]
    commands = [c for c in compiles.load(options.database, options.compiler) if c.target in targets]
    usual = {t: list(grouping.usual_flags([c for c in commands if c.target == t])) for t in targets}
    by_file = {c.file: c for c in commands}

    units = []  # (label, command, file to compile, flags, members)
    grouped = set()
    for number, (name, members) in enumerate(
        read_groups(options.groups, os.path.abspath(options.source)) if options.groups else []
    ):
        members = [m for m in members if m in by_file]
        if len(members) < 2:
            continue
        unit = os.path.join(work, f"unit{number}.cpp")
        compiles.write_unit(unit, members)
        command = by_file[members[0]]
        units.append((name, command, unit, usual[command.target], members))
        grouped.update(members)
    units += [(c.file, c, c.file, c.flags, [c.file]) for c in commands if c.file not in grouped]

    weight = {m: os.path.getsize(m) for m in by_file}
    if options.first:
        with open(options.first) as stream:
            weight.update({m: r["cpu"] for m, r in json.load(stream)["sources"].items()})
    units.sort(key=lambda u: -sum(weight[m] for m in u[4]))

    def one(numbered):
        number, (name, command, source, flags, members) = numbered
        output = os.path.join(work, f"{number}.o")
        depends = output + ".d"
        extra = [] if options.groups else ["-MD", "-MF", depends]
        result = compiles.compile_one(command, source, output, extra, flags)
        record = {
            "ok": result.ok,
            "cpu": round(result.cpu, 3),
            "wall": round(result.wall, 3),
            "peak": round(result.peak, 1),
            "target": command.target,
        }
        if result.ok:
            os.remove(output)
        else:
            record["errors"] = result.errors[:2000]
        if options.groups:
            record["members"] = members
        elif result.ok:
            record["headers"] = headers_of(depends, command.directory)
        return name, record

    start = time.monotonic()
    records = dict(compiles.run_all(options.jobs, one, enumerate(units)))
    wall = time.monotonic() - start
    good = [r for r in records.values() if r["ok"]]
    total = {
        "compiles": len(records),
        "failed": len(records) - len(good),
        "jobs": options.jobs,
        "cpu_s": round(sum(r["cpu"] for r in records.values()), 1),
        "wall_s": round(wall, 1),
        "peak_mib": max(r["peak"] for r in good),
    }
    with open(options.out, "w") as stream:
        json.dump({"total": total, "sources": records}, stream, indent=0)
    print(json.dumps(total))
    return 1 if total["failed"] else 0
