#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures packing: `torchpkg pack` against the tools that others use, on the same tree, in turn.

    bench/pack.py zip   --torchpkg PROGRAM --tree build/.../stage/libtorch-shared-with-deps/libtorch
    bench/pack.py wheel --torchpkg PROGRAM --tree build/.../stage/wheel-py311/site-packages --python PYTHON
    bench/pack.py conda --torchpkg PROGRAM --tree build/.../stage/conda-libtorch/prefix --python PYTHON --level 19

zip    against `zip -r -6`
wheel  against `wheel pack` and against Python's zipfile, both of which compress at level 6; PYTHON has the module wheel
conda  against conda-package-handling (`cph create`) at the same level of Zstandard; PYTHON has that module

After one run of each that is not counted (with --runs 1 there is none), they run in turn; wall and CPU seconds (user +
system) and peak memory come from the operating system's account of each process, the sizes from the files. The ratio is
taken run by run, so a machine that gets slower in the middle does not tilt it. Writes
bench/results/packing-<kind>.json.
"""

import argparse
import glob
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ZIPFILE = """
import os, sys, zipfile
tree, output = sys.argv[1:]
with zipfile.ZipFile(output, 'w', zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
    for folder, _, files in sorted(os.walk(tree)):
        for name in sorted(files):
            path = os.path.join(folder, name)
            archive.write(path, os.path.relpath(path, tree))
"""

CPH = """
import sys
from conda_package_handling import api
tree, name, folder, level = sys.argv[1:]
api.create(tree, None, name, folder, compression_tuple=('.tar.zst', 'zstd', 'zstd:compression-level=' + level))
"""


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
        sys.exit(f"{command[0]} failed: {' '.join(command)}")
    return {"wall": time.monotonic() - start, "cpu": usage.ru_utime + usage.ru_stime, "peak": usage.ru_maxrss / 1024}


def spread(values):
    return {"min": round(min(values), 3), "median": round(statistics.median(values), 3), "max": round(max(values), 3)}


def zip_commands(options, tree, work):
    if not shutil.which("zip"):
        sys.exit("zip is not installed")
    return {
        "torchpkg": [options.torchpkg, "pack", "zip", "--root", tree, "--output", f"{work}/torchpkg/x.zip"],
        "zip": ["zip", "-q", "-r", "-y", "-6", f"{work}/zip/x.zip", "."],
    }


def wheel_commands(options, tree, work):
    # `wheel pack` wants what `torchpkg pack wheel` writes itself; a second name of each file is enough.
    copy = f"{work}/tree"
    subprocess.run(["cp", "-al", tree, copy], check=True)
    (info,) = glob.glob(f"{copy}/*.dist-info")
    for name, text in (
        ("WHEEL", f"Wheel-Version: 1.0\nGenerator: bench\nRoot-Is-Purelib: false\nTag: {options.tag}\n"),
        ("RECORD", ""),
    ):
        if os.path.exists(f"{info}/{name}"):
            os.remove(f"{info}/{name}")
        with open(f"{info}/{name}", "w") as stream:
            stream.write(text)
    python, abi = options.tag.split("-")[:2]
    return {
        "torchpkg": [
            options.torchpkg,
            "pack",
            "wheel",
            "--root",
            tree,
            "--output",
            f"{work}/torchpkg",
            "--python",
            python,
            "--abi",
            abi,
        ],
        "wheel pack": [options.python, "-m", "wheel", "pack", copy, "--dest-dir", f"{work}/wheel pack"],
        "zipfile": [options.python, "-c", ZIPFILE, tree, f"{work}/zipfile/x.whl"],
    }


def conda_commands(options, tree, work):
    with open(f"{tree}/info/index.json") as stream:
        index = json.load(stream)
    name = f"{index['name']}-{index['version']}-{index['build']}.conda"
    return {
        "torchpkg": [
            options.torchpkg,
            "pack",
            "conda",
            "--root",
            tree,
            "--output",
            f"{work}/torchpkg",
            "--level",
            str(options.level),
        ],
        "cph": [options.python, "-c", CPH, tree, name, f"{work}/cph", str(options.level)],
    }


def size_below(folder):
    """Bytes of the files below a folder; 0 when there are none."""
    return sum(
        os.path.getsize(os.path.join(d, f))
        for d, _, fs in os.walk(folder)
        for f in fs
        if not os.path.islink(os.path.join(d, f))
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=("zip", "wheel", "conda"))
    parser.add_argument("--torchpkg", required=True)
    parser.add_argument("--tree", required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--tag", default="cp311-cp311-linux_x86_64", help="of the wheel (%(default)s)")
    parser.add_argument("--level", type=int, default=19, help="of Zstandard (%(default)s)")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--out")
    options = parser.parse_args()
    here = os.path.dirname(os.path.abspath(__file__))
    out = options.out or os.path.join(here, "results", f"packing-{options.kind}.json")
    tree = os.path.abspath(options.tree)
    options.torchpkg = os.path.abspath(options.torchpkg)

    with tempfile.TemporaryDirectory(dir=os.path.dirname(tree)) as work:
        make = {"zip": zip_commands, "wheel": wheel_commands, "conda": conda_commands}[options.kind]
        commands = make(options, tree, work)
        results = {name: [] for name in commands}
        sizes = {}
        for run in range(options.runs if options.runs == 1 else options.runs + 1):
            for name, command in commands.items():
                shutil.rmtree(f"{work}/{name}", ignore_errors=True)
                os.mkdir(f"{work}/{name}")
                figures = measure(command, tree)
                sizes[name] = size_below(f"{work}/{name}")
                if run or options.runs == 1:
                    results[name].append(figures)

    report = {
        "machine": {
            "cores": len(os.sched_getaffinity(0)),
            "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        },
        "runs": options.runs,
        "tree_bytes": size_below(tree),
        "bytes": sizes,
    }
    if options.kind == "conda":
        report["level"] = options.level
    for name, runs in results.items():
        report[name] = {key: spread([r[key] for r in runs]) for key in ("wall", "cpu", "peak")}
    report["ratio"] = {}
    for name in list(results)[1:]:
        pairs = list(zip(results["torchpkg"], results[name]))
        report["ratio"][name] = {key: spread([a[key] / b[key] for a, b in pairs]) for key in ("wall", "cpu")}
        report["ratio"][name]["size"] = round(sizes["torchpkg"] / sizes[name], 4)
    os.makedirs(os.path.dirname(out), exist_ok=True)
    with open(out, "w") as stream:
        json.dump(report, stream, indent=2)
        stream.write("\n")
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
