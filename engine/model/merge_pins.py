# SPDX-License-Identifier: BSD-3-Clause
"""Puts the pins of a release, and what additions add to them, into one folder, which everything else reads.

    merge_pins.py <folder to write> <folder of the release> [<folder of an addition>...]

Written are sources.json, components.json and patches/, which has links, so that the patch that is named in a message, or
edited, is the user's own. A file that is the same already is left alone. An addition's candidates, patches, submodules and
components come after the release's. It may bring sources of its own; what it says about a source that the release does not
have is left out, and named.
"""

import json
import pathlib

from engine.failure import Failure
from engine.model import data
from engine.partial_file import write_changed
from engine.sources.pins import check, check_components, read
from engine.text import say

LISTS = ("candidates", "patches", "submodules")


def as_list(value):
    return value if isinstance(value, list) else [value]


def add_sources(sources, more, file):
    """Adds to the sources of a release what an addition's file says. Error: it changes what the release says."""
    for name, pin in more.items():
        if name not in sources:
            if "license" in pin:
                sources[name] = pin
            else:
                say(f"{file}: source {name} has no effect: the release has no such source")
            continue
        changed = sorted(set(pin) - set(LISTS))
        if changed:
            raise Failure(
                f"{file}: source {name}: an addition may not set '{changed[0]}'"
                f"\n  remove it: an addition may add {', '.join(LISTS)} (releases/README.md)"
            )
        for member in filter(pin.get, LISTS):  # in one order, since the file's hash is an input of fetch
            sources[name][member] = sources[name].get(member, []) + pin[member]


def check_patches(sources, patches, names):
    """Error: a patch that is not there. Warning: one that no pin names."""
    unused = set(patches)
    for name, pin in sources.items():
        for patch in pin.get("patches", []):
            if patch["file"] not in patches:
                beside = " or ".join(str(file) for file, own in names.items() if name in own)
                raise Failure(
                    f"source {name}: there is no patches/{patch['file']} beside {beside}"
                    "\n  put it there, or correct 'file' in the pin"
                )
            unused.discard(patch["file"])
    for name in sorted(unused):
        say(f"{patches[name]} has no effect: no pin names it")


def merge(release, additions):
    """(pins, components or None, {name of a patch: its path}). Error: a file that cannot be used."""
    pins, names = None, {}
    components, patches, of_components = None, {}, []
    for folder in [release, *additions]:
        file = folder / "sources.json"
        own = {"schema": 1, "sources": {}}  # an addition may have other files alone
        if not pins or file.exists():
            own = read(file)
        names[file] = list(own["sources"])
        if pins:
            add_sources(pins["sources"], own["sources"], file)
        pins = pins or own
        nested = folder / "components.json"
        if nested.exists():
            of_components.append(nested)
            found = data.read(nested, {})
            components = components or dict(found, components={})
            for name, entry in found.get("components", {}).items():
                known = components["components"]
                known[name] = as_list(known[name]) + as_list(entry) if name in known else entry
        for patch in (folder / "patches").glob("*"):
            if patch.name in patches:
                raise Failure(f"{patch} has the name of {patches[patch.name]}\n  give it another one")
            patches[patch.name] = patch
    check(pins, names)
    check_patches(pins["sources"], patches, names)
    if components:
        check_components(components["components"], pins["sources"], ", ".join(map(str, of_components)))
    return pins, components, patches


def main(folder, release, *additions):
    folder = pathlib.Path(folder)
    pins, components, patches = merge(pathlib.Path(release), list(map(pathlib.Path, additions)))
    for link in sorted(folder / "patches" / name for name in patches):
        if link.exists() and not link.is_symlink():
            where = f"{link} is not a link to {patches[link.name]} any more"
            raise Failure(f"{where}\n  move what you changed there into that file, and remove {link.parent}")
    contents = {}
    for name, value in (("sources.json", pins), ("components.json", components)):
        if value is not None:
            contents[name] = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    stale = [path for path in folder.glob("patches/*") if path.is_symlink()]  # and no file of a user's
    for path in [*stale, *(folder / name for name in {"components.json"} - set(contents))]:
        path.unlink(missing_ok=True)
    for name, content in contents.items():
        write_changed(folder / name, content)
    (folder / "patches").mkdir(exist_ok=True)
    for name, path in patches.items():
        (folder / "patches" / name).symlink_to(path.absolute())
