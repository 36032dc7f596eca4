#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes a libtorch out of the official wheel of each release, and prints the table of tools/bench/results/official.txt.

    tools/bench/official.py [--backend official-cuda] [<release>...] # by default official-cpu, and all that have it

The store is a new one, so that each release is unpacked, staged, packed, checked and tried. The download is apart, and so is
torchpkg, which the first configuration compiles. Exit status: 1 when one of them failed; its row says so.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import zipfile

PROJECT = pathlib.Path(__file__).resolve().parents[2]
ARTIFACT = "libtorch-shared-with-deps"


def releases(backend):
    """Those with the backend, the oldest first."""
    found = []
    for file in (PROJECT / "releases").glob("*/release.json"):
        facts = json.loads(file.read_text())
        if backend in facts["backends"]:
            found.append(facts["version"])
    return sorted(found, key=lambda version: [int(number) for number in version.split(".")])


def seconds_of(environment, *command):
    """How long a command takes, or None when it fails."""
    begin = time.monotonic()
    done = subprocess.run(command, cwd=PROJECT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        print(done.stdout.decode(errors="replace"), file=sys.stderr)
        return None
    return time.monotonic() - begin


def row(preset, version, environment):
    """The cells of a release: version, download, seconds, packed, unpacked."""
    if seconds_of(environment, "cmake", "--preset", preset) is None:
        return [version, "failed: configure"]
    fetch = seconds_of(environment, "cmake", "--build", "--preset", preset, "--target", "fetch", "torchpkg")
    if fetch is None:
        return [version, "failed: fetch"]
    build = PROJECT / "build" / preset
    entries = json.loads((build / "fetch/result.json").read_text())["sources"].values()
    download = sum(entry["size"] for entry in entries) / 1e6
    seconds = seconds_of(environment, "cmake", "--workflow", "--preset", preset)
    if seconds is None:
        return [version, f"{download:.0f} MB", "failed"]
    settings = json.loads((build / "settings.json").read_text())
    file = pathlib.Path(settings["dist"], json.loads((build / f"artifacts/{ARTIFACT}.json").read_text())["file"])
    with zipfile.ZipFile(file) as packed:
        unpacked = sum(info.file_size for info in packed.infolist()) / 1e6
    return [
        version,
        f"{download:.0f} MB",
        f"{seconds:.0f} s",
        f"{file.stat().st_size / 1e6:.0f} MB",
        f"{unpacked:.0f} MB",
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("releases", nargs="*", metavar="release")
    parser.add_argument("--backend", default="official-cpu")
    options = parser.parse_args()
    preset = options.backend + "-libtorch-shared"
    print("| release | download | time | zip | unpacked |\n|---|---|---|---|---|", flush=True)
    good = True
    for version in options.releases or releases(options.backend):
        (PROJECT / "build").mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=PROJECT / "build") as store:
            cells = row(preset, version, dict(os.environ, TSB_PYTORCH_VERSION=version, TSB_STORE=store))
        good = good and len(cells) == 5
        print("| " + " | ".join(cells) + " |", flush=True)
    return not good


if __name__ == "__main__":
    sys.exit(main())
