# SPDX-License-Identifier: BSD-3-Clause
"""Gets pinned wheels into the source cache, so that packing and checking need no network, and unpacks the tools.

    fetch_wheels.py --cache FOLDER --target FOLDER --tools FILE [--check PYTHON=FILE ...] [--find-links PLACE ...] [--offline]

FILE is a requirements file with hashes, for pip. Exits with 4, and the reason, when a tool is not available. What is missing
of the files for checks, of Python 3.11 with 3.11=FILE, is reported; of two with one name the first file's is meant. Run it
with a Python that has pip.
"""

import argparse
import pathlib
import re
import sys
import tempfile

from engine.sources import run_pip

PINNED = ["--require-hashes", "--no-deps", "--only-binary", ":all:"]
VERSION = "%d.%d" % sys.version_info[:2]
# The platforms of wheels that are pinned; those of other tags are refused by their hash.
PLATFORMS = ["linux_x86_64", "manylinux1_x86_64", "manylinux2010_x86_64", "manylinux2014_x86_64"]
PLATFORMS += ["manylinux_2_%d_x86_64" % minor for minor in range(5, 42)]


def pip(*words):
    """What pip says when it fails, else nothing."""
    status, text = run_pip.pip(sys.executable, "--quiet", *words)
    lines = re.findall(r"(?m)^ERROR: (.*)", text)
    return (lines[-1:] or [text.strip() or "pip failed"])[0] if status else ""


def holds(line, python):
    """Whether a line of a requirements file is for this Python, by the one marker that our files have."""
    marker = re.search(r"; *python_version *(<|>=) *\"3\.(\d+)\"", line)
    if not marker:
        return True
    older = int(python.split(".")[1]) < int(marker[2])
    return older if marker[1] == "<" else not older


def requirements_for(file, python, known=()):
    """The text of the file for another Python, without what is known: pip asks the markers of itself."""
    lines = file.read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    lines = [line for line in lines if line.strip() and not line.startswith("#") and holds(line, python)]
    lines = [line for line in lines if (python, line.partition("==")[0]) not in known]
    return "".join(
        re.match("[^; ]+", line)[0] + " " + " ".join(re.findall(r"--hash=\S+", line)) + "\n" for line in lines
    )


def download(file, python, cache, places, offline, known):
    """Gets what is missing in the cache, and adds it to `known`. Returns the reason why something is not there, else nothing."""
    target = ["--implementation", "cp", "--python-version", python]
    target += [word for platform in PLATFORMS for word in ("--platform", platform)]
    found = [word for place in [cache, *places] for word in ("--find-links", str(place))]
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        chosen = pathlib.Path(folder, "requirements.txt")
        chosen.write_text(requirements_for(file, python, known), encoding="utf-8")
        known |= {(python, line.partition("==")[0]) for line in chosen.read_text(encoding="utf-8").splitlines()}
        wheels = pathlib.Path(folder, "wheels")
        words = ["download", *PINNED, *target, *found, "--dest", str(wheels), "--requirement", str(chosen)]
        reason = pip(*words, "--no-index")
        if reason and not offline:
            reason = pip(*words, "--timeout", "10", "--retries", "1")
        if not reason:
            for wheel in wheels.iterdir():
                wheel.replace(cache / wheel.name)
    return reason


def unpack(tools, cache, folder):
    """A folder of modules. Returns the reason why it cannot be made, else nothing."""
    with tempfile.TemporaryDirectory() as temporary:
        chosen = pathlib.Path(temporary, "requirements.txt")
        chosen.write_text(requirements_for(tools, VERSION), encoding="utf-8")
        words = ["--no-index", "--find-links", str(cache), "--target", str(folder), "--requirement", str(chosen)]
        return pip("install", *PINNED, *words)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cache", required=True, type=pathlib.Path)
    parser.add_argument("--target", required=True, type=pathlib.Path)
    parser.add_argument("--tools", required=True, type=pathlib.Path)
    parser.add_argument("--check", action="append", default=[])
    parser.add_argument("--find-links", action="append", default=[])
    parser.add_argument("--offline", action="store_true")
    options = parser.parse_args()
    options.cache.mkdir(parents=True, exist_ok=True)
    get = (options.cache, options.find_links, options.offline)
    reason = download(options.tools, VERSION, *get, set()) or unpack(options.tools, options.cache, options.target)
    if reason:
        print(reason, file=sys.stderr)
        return 4
    known = set()
    for check in options.check:
        python, _, file = check.partition("=")
        reason = download(pathlib.Path(file), python, *get, known)
        if reason:
            print("%s of Python %s: %s" % (pathlib.Path(file).name, python, reason))
            print("  the checks leave out what needs it; to try again, remove %s" % options.target)
