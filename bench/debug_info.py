#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What debug information costs: compiles a sample of a build's sources without it and with each level, side by side.

    debug_info.py --build build/cpu-libtorch-shared/packages/pytorch/build --out debug-info.json

The sample is drawn by the time that each compile took in the build's .ninja_log, so the mean of the ratios is that of
the whole build, however unevenly its time is spread. For one source the levels follow each other, on one core; --jobs
sources at a time. Ratios of CPU seconds, of the largest process and of the object's size, each to the compile without.
Whether the code stays the same is looked at too: the section .text of both objects.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "unity"))
import compiles  # noqa: E402

LEVELS = {"none": [], "lines": ["-g1"], "full": ["-g"]}


def durations(logs):
    """{object: seconds of its longest run}: a shorter one came from a compiler cache."""
    found = {}
    for log in logs:
        with open(log) as stream:
            for line in stream:
                if not line.startswith("#"):
                    start, end, _, output, _ = line.split("\t")
                    found[output] = max(found.get(output, 0), (int(end) - int(start)) / 1000)
    return found


def draw(commands, seconds, count, seed):
    """count different commands, each as likely as its share of the time."""
    numbers = random.Random(seed)
    pool = [(c, seconds[c.object]) for c in commands if seconds.get(c.object)]
    return [c for _, c in sorted(((numbers.random() ** (1 / s), c) for c, s in pool), key=lambda p: -p[0])[:count]]


def code(path):
    """The bytes of the object's code, and its size without debug information."""
    with tempfile.TemporaryDirectory(dir=os.path.dirname(path)) as folder:
        stripped, text = os.path.join(folder, "o"), os.path.join(folder, "t")
        subprocess.run(["objcopy", "--strip-debug", path, stripped], check=True)
        subprocess.run(["objcopy", "-O", "binary", "--only-section=.text*", stripped, text], check=True)
        with open(text, "rb") as stream:
            return stream.read(), os.path.getsize(stripped)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", required=True, help="build folder with compile_commands.json and .ninja_log")
    parser.add_argument("--log", action="append", default=[], help=".ninja_log of another build of the same sources")
    parser.add_argument("--out", required=True, help="JSON")
    parser.add_argument("--count", type=int, default=24, help="sources in the sample (24)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    commands = compiles.load(os.path.join(options.build, "compile_commands.json"))
    sample = draw(
        commands, durations([*options.log, os.path.join(options.build, ".ninja_log")]), options.count, options.seed
    )

    def one(numbered):
        number, command = numbered
        base, record, first = os.path.join(work, str(number)), {"source": command.object}, None
        for level, flags in LEVELS.items():
            output = f"{base}.{level}.o"
            result = compiles.compile_one(command, command.file, output, flags)
            if not result.ok:
                raise SystemExit(f"{command.file}: {result.errors[:2000]}")
            text, stripped = code(output)
            record[level] = {
                "cpu": round(result.cpu, 3),
                "peak": round(result.peak, 1),
                "size": os.path.getsize(output),
                "stripped": stripped,
                "same_code": first is None or text == first,
            }
            first = first if first is not None else text
            os.remove(output)
        print(f"{number + 1}/{len(sample)} {command.object}", file=sys.stderr, flush=True)
        return record

    with tempfile.TemporaryDirectory() as work:
        records = compiles.run_all(options.jobs, one, enumerate(sample))
    result = {"cores": os.cpu_count(), "jobs": options.jobs, "sources": len(records), "levels": {}}
    for level in list(LEVELS)[1:]:
        ratios = {what: [r[level][what] / r["none"][what] for r in records] for what in ("cpu", "peak", "size")}
        result["levels"][level] = {
            what: {
                "mean": round(statistics.mean(r), 3),
                "median": round(statistics.median(r), 3),
                "min": round(min(r), 3),
                "max": round(max(r), 3),
            }
            for what, r in ratios.items()
        }
        result["levels"][level]["other_code"] = [r["source"] for r in records if not r[level]["same_code"]]
    result["records"] = records
    with open(options.out, "w") as stream:
        json.dump(result, stream, indent=1)
    print(json.dumps(result["levels"], indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
