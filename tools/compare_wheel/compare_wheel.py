#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares a wheel of PyTorch with the official one of the release, or, where none was made here, what the release's data
says with that wheel. Prints tables; fails if a difference is not in releases/<version>/differences.json.

    python3 engine --modules build/<preset>/python-tools tools/compare_wheel/compare_wheel.py <release> --wheel dist/torch-….whl
    python3 engine --modules build/<preset>/python-tools tools/compare_wheel/compare_wheel.py <release>

The official wheel is that of pip's index for the same Python, of which only parts are read; --machine aarch64 takes the one for
another processor, --official a file. --all prints each item that is not explained.
"""

import argparse
import collections
import os
import pathlib
import re
import sys

if __loader__ and __name__ == "__main__":  # by Python alone: engine has no loader
    os.execv(sys.executable, [sys.executable, os.path.dirname(__file__) + "/../../engine", *sys.argv])

from packaging.utils import parse_wheel_filename
from release_facts import of_release
from wheel_facts import Wheel, of_wheel

from engine.failure import Failure
from engine.model.data import Data
from engine.model.read import check
from engine.sources.index_links import pages_of

SIDES = {"here": "only here", "there": "only there", "differs": "differs"}
ENTRY = {
    "name": "STRING",
    "why": "STRING",
    "wheel?": "STRING",
    **dict.fromkeys([f"{side}?" for side in SIDES], "ARRAY"),
}


def official_wheel(release, python, machine):
    """That of the index with the highest build number."""
    found, pattern = {}, re.compile(rf"torch-{re.escape(release)}(-[0-9]+)?-{python}-{python}-[^-]+_{machine}[.]whl")
    try:
        links = [link for page in pages_of(sys.executable, "torch") for link in page.items()]
    except (OSError, ValueError) as error:
        raise Failure(f"pip's index cannot be read: {error}", "name a file with --official") from None
    for name, address in filter(lambda link: pattern.fullmatch(link[0]), links):
        found.setdefault(parse_wheel_filename(name)[2], (name, address))
    if not found:
        raise Failure(f"pip's index has no torch {release} for {python} and {machine}", "name a file with --official")
    return Wheel(*found[max(found)])


def differences(here, there):
    """(kind, side, item, ours, the official one's)."""
    for kind in dict.fromkeys([*here, *there]):
        ours, theirs = here.get(kind, {}), there.get(kind, {})
        for item in sorted(ours.keys() | theirs.keys()):
            if item not in theirs:
                yield kind, "here", item, ours[item], ""
            elif item not in ours:
                yield kind, "there", item, "", theirs[item]
            elif ours[item] != theirs[item]:
                yield kind, "differs", item, ours[item], theirs[item]


def expected(data, release, version):
    """{(name, why): {side: expression}} of the entries that hold for a wheel of this version, in their order."""
    file = data.find(f"releases/{release}/differences.json") or f"releases/{release}/differences.json"
    entries, found = data.merged(release, "differences.json").get("differences", []), {}
    for index, entry in enumerate(entries):
        check(entry, f"{file}: 'differences' {index}", ENTRY)
        sides = {side: compiled(entry[side], file) for side in SIDES if side in entry}
        if compiled([entry.get("wheel", ".*")], file).fullmatch(version):
            found[entry["name"], entry["why"]] = sides
    return found


def compiled(patterns, file):
    try:
        return re.compile("|".join(patterns))
    except re.error as error:
        raise Failure(f"{file}: {patterns} has no valid expression: {error}", "correct it") from None


def compare(here, there, entries):
    """(rows of counts by kind, {entry: items}, {(kind, side, folder or file): items} of what no entry explains)."""
    counts = {
        kind: collections.Counter(here=len(here.get(kind, {})), there=len(there.get(kind, {}))) for kind in here | there
    }
    explained, unknown = collections.defaultdict(list), collections.defaultdict(list)
    patterns = [(entry, side, pattern) for entry, sides in entries.items() for side, pattern in sides.items()]
    for kind, side, item, ours, theirs in differences(here, there):
        counts[kind][SIDES[side]] += 1
        entry = next((entry for entry, of, pattern in patterns if of == side and pattern.fullmatch(item)), None)
        if entry:
            explained[entry].append(item)
        else:
            counts[kind]["unknown"] += 1
            short = side == "differs" and all(isinstance(text, str) and len(text) < 80 for text in (ours, theirs))
            place = item.partition(" has ")[0] if " has " in item else item.rpartition("/")[0]
            unknown[kind, side, place].append(item + f": {ours}, official {theirs}" * short)
    return counts, explained, unknown


def report(counts, explained, unknown, whole):
    columns = ("here", "there", "only here", "only there", "differs", "unknown")
    yield "| what | here | there | only here | only there | differ | not explained |"
    yield "|---|---|---|---|---|---|---|"
    yield from (
        f"| {kind} | " + " | ".join(str(count[column]) for column in columns) + " |" for kind, count in counts.items()
    )
    yield from ("", "| differences | of | such as | why |", "|---|---|---|---|")
    yield from (f"| {len(items)} | {name} | `{items[0]}` | {why} |" for (name, why), items in explained.items())
    for (kind, side, _), items in unknown.items():
        yield f"\nnot explained: {kind}, {SIDES[side]}: {len(items)}"
        yield from (f"  {item}" for item in (items if whole else items[:5]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("release")
    parser.add_argument("--wheel", type=pathlib.Path)
    parser.add_argument("--official", type=pathlib.Path)
    parser.add_argument("--machine", default="x86_64")
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    data = Data(os.environ.get("TSB_ADDITIONS"))
    release = data.release(options.release)
    if not release:
        raise Failure(f"there is no release {options.release}", f"name one of: {', '.join(data.names('releases'))}")
    ours = Wheel(options.wheel.name, options.wheel) if options.wheel else None
    python = ours.tag.interpreter if ours else "cp" + release["pythons"][0].replace(".", "")
    if options.official:
        official = Wheel(options.official.name, options.official)
    else:
        official = official_wheel(options.release, python, options.machine)
    print(f"{ours.name if ours else 'releases/' + options.release} against {official.name}\n", flush=True)
    if ours:
        libraries = ours.elf_files() & official.members.keys()
        here, there = of_wheel(ours, libraries), of_wheel(official, libraries)
    else:
        here, there = of_release(data, options.release, official)
    counts, explained, unknown = compare(here, there, expected(data, options.release, ours.version if ours else ""))
    print("\n".join(report(counts, explained, unknown, options.all)))
    return 1 if unknown else 0
