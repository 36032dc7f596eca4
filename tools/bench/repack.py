#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Times how a wheel becomes a wheel with the code for one GPU, beside `wheel unpack` and `wheel pack` of the same wheel, and
prints the table of tools/bench/results/slices.txt.

    tools/bench/repack.py --torchpkg <program> --tools <folder> [--arch 9.0] [--runs 3] [--work <folder>] <wheel>

The tools, in a folder of `pip install --target`: packaging/libraries/requirements.txt, and `wheel`.

The two take turns, and each begins every other run. Ours are the steps of a preset: unpack, slice, write version, WHEEL and
RECORD, pack. The last slice of the runs is unpacked by `wheel`, which compares each file with RECORD. Exit status: 1 when
one of the commands fails.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

PACKAGING = pathlib.Path(__file__).resolve().parents[2] / "packaging"
ENGINE = PACKAGING.parent / "engine"
SET_VERSION = 'include("%s/wheel/z_tsb_set_wheel_version.cmake")\nz_tsb_set_wheel_version("%s" "%s")\n'


def cpu_seconds():
    """The CPU time of all commands that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Timer:
    """Runs commands, and keeps the (wall, CPU) seconds of each step."""

    def __init__(self, tools):
        self.steps = {}
        self.environment = dict(os.environ, PYTHONPATH=str(tools))

    def run(self, step, *command):
        begin, cpu = time.monotonic(), cpu_seconds()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=self.environment)
        self.steps.setdefault(step, []).append((time.monotonic() - begin, cpu_seconds() - cpu))


def cut(timer, options, work):
    """The wheel for one GPU, made by our tools."""
    site, result, script = work / "site-packages", work / "wheel.json", work / "set_version.cmake"
    site.mkdir()
    _, version, python, *_ = options.wheel.name.split("-")
    version = f"{version}+sm{options.arch.replace('.', '')}"
    script.write_text(SET_VERSION % (PACKAGING, site, version))
    timer.run("unpack", sys.executable, ENGINE, PACKAGING / "unpack.py", options.wheel, site)
    timer.run("slice", options.torchpkg, "slice", "--arch", options.arch, site / "torch")
    timer.run("version", "cmake", "-P", script)
    words = ["--root", site, "--python", python, "--machine", "x86_64", "--result", result]
    timer.run("WHEEL and RECORD", sys.executable, ENGINE, PACKAGING / "wheel/finish_wheel.py", *words)
    made = json.loads(result.read_text())
    info, wheel = made["dist_info"], work / made["file"]
    last = [word for name in (info, info + "/WHEEL", info + "/RECORD") for word in ("--last", name)]
    timer.run("pack", options.torchpkg, "pack", "--root", site, "--output", wheel, "--flat", *last)
    return wheel


def repack(timer, options, work):
    """The same wheel again, made by `wheel`."""
    wheel = [sys.executable, "-m", "wheel"]
    timer.run("wheel unpack", *wheel, "unpack", "--dest", work, options.wheel)
    (folder,) = work.iterdir()
    timer.run("wheel pack", *wheel, "pack", "--dest-dir", work, folder)
    return next(work.glob("*.whl"))


def row(name, times):
    """Median, and the range in brackets, of wall and CPU seconds."""
    cells = []
    for seconds in zip(*times):
        cells.append(f"{statistics.median(seconds):.1f} ({min(seconds):.1f}–{max(seconds):.1f})")
    print(f"| {name} | {' | '.join(cells)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--torchpkg", required=True, type=pathlib.Path)
    parser.add_argument("--tools", required=True, type=pathlib.Path)
    parser.add_argument("--arch", default="9.0")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--work", type=pathlib.Path, help="its disk is the one that is measured")
    parser.add_argument("wheel", type=pathlib.Path)
    options = parser.parse_args()
    timers = {cut: Timer(options.tools.resolve()), repack: Timer(options.tools.resolve())}
    sizes = {}
    for run in range(options.runs):
        for make in (cut, repack) if run % 2 == 0 else (repack, cut):
            with tempfile.TemporaryDirectory(dir=options.work) as folder:
                made = make(timers[make], options, pathlib.Path(folder))
                sizes[make] = made.stat().st_size / 1e6
                if make is cut and run == options.runs - 1:
                    check = Timer(options.tools.resolve())
                    check.run("check", sys.executable, "-m", "wheel", "unpack", "--dest", pathlib.Path(folder), made)
                os.sync()
    print("| | wall, s | CPU, s |\n|---|---|---|")
    for make, title in ((cut, f"sliced for {options.arch}"), (repack, "the same wheel, by `wheel`")):
        steps = timers[make].steps
        for name, times in steps.items():
            row(name, times)
        together = [tuple(map(sum, zip(*one))) for one in zip(*steps.values())]
        row(f"**{title}: {sizes[make]:.0f} MB**", together)
    return 0


if __name__ == "__main__":
    sys.exit(main())
