# SPDX-License-Identifier: BSD-3-Clause
"""Patches of the user's own: TSB_PATCHES/<source>/*.patch, behind those of the pins, in the order of their names."""

import difflib
import pathlib
import re

from engine.failure import Failure
from engine.sources.pins import FILE

SETTING = "TSB_PATCHES"  # a patch of the pins has it as `source`


def of_pins(sources):
    """(source, patch) of each."""
    return [
        (name, one) for name, pin in sources.items() for one in pin.get("patches", ()) if one.get("source") == SETTING
    ]


def reason_of(patch):
    """Its subject, if git has written it."""
    subject = re.search(r"(?m)^Subject: *(?:\[[^]]*\] *)?(.*\S)", patch.read_text("utf-8", "replace"))
    return subject[1] if subject else "the builder's own change"


def add(folder, sources):
    """Adds the patches in a folder to the pins, in place of those that a copy of a build's pins has. {name: path}.
    Error: a folder that is not a source, a file that is not a patch."""
    found = {}
    for name, patch in of_pins(sources):
        sources[name]["patches"].remove(patch)
    for place in sorted(pathlib.Path(folder).glob("[!.]*")):
        if not place.is_dir():
            if place.suffix == ".patch":
                raise Failure(
                    f"{SETTING}: {place} belongs to no source\n  move it into a folder with the source's name"
                )
            continue
        if place.name not in sources:
            near = [f"did you mean {one}? " for one in difflib.get_close_matches(place.name, sources, 1)]
            there = "".join(near) or f"there are: {', '.join(sorted(sources))}; "
            raise Failure(f"{SETTING}: {place} names no source of this release\n  {there}rename or remove it")
        for patch in sorted(place.glob("[!.]*")):
            if patch.suffix != ".patch" and not patch.name.startswith("README") and not patch.name.endswith("~"):
                raise Failure(f"{patch} has no effect: the name of a patch ends with .patch\n  rename or remove it")
            if patch.suffix == ".patch":
                if not re.fullmatch(FILE, patch.name):
                    raise Failure(f"{patch}: the name of a patch has letters, digits and -._+~ only\n  rename it")
                file = f"{place.name}/{patch.name}"
                entry = {"file": file, "source": SETTING, "upstream": None, "reason": reason_of(patch)}
                sources[place.name].setdefault("patches", []).append(entry)
                found[file] = patch
    return found
