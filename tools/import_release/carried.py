# SPDX-License-Identifier: BSD-3-Clause
"""What a new release gets from the last one, and what of that does not fit its tree."""

import json
import os
import shutil

from engine.sources.patches import is_wanted, run_patch

HERE = os.path.dirname(os.path.abspath(__file__))


def read_json(path, default=None):
    """The content of a JSON file; `default`, if one is given, without the file."""
    if default is not None and not os.path.isfile(path):
        return default
    with open(path, encoding="utf-8") as stream:
        return json.load(stream)


def write_json(path, value):
    with open(path, "w", encoding="utf-8") as stream:
        json.dump(value, stream, indent=2, ensure_ascii=False)
        stream.write("\n")


def as_list(entries):
    """A component has one entry, or a list of them for the versions of its source."""
    return entries if isinstance(entries, list) else [entries]


def copy_release(last, folder):
    """Everything of the last release is a start. Its name in components.json becomes the new one's, the text stays."""
    shutil.copytree(last, folder)
    path = os.path.join(folder, "components.json")
    if not os.path.isfile(path):
        return
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    old, new = ('"release": "%s"' % os.path.basename(name) for name in (last, folder))
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text.replace(old, new, 1))


def copy_addition(last, folder, old, new):
    """What an addition has for sources whose pins are the same in `old` and `new`, and for sources of its own.

    Returns the names of the sources that it is not copied for.
    """
    pins = read_json(os.path.join(last, "sources.json"), {"sources": {}})
    kept = {name: pin for name, pin in pins["sources"].items() if "license" in pin or old.get(name) == new.get(name)}
    if not kept:
        return sorted(pins["sources"])
    version = os.path.basename(folder)
    os.makedirs(os.path.join(folder, "patches"))
    write_json(os.path.join(folder, "sources.json"), dict(pins, release=version, sources=kept))
    for patch in [patch["file"] for pin in kept.values() for patch in pin.get("patches", [])]:
        shutil.copy(os.path.join(last, "patches", patch), os.path.join(folder, "patches"))
    components = read_json(os.path.join(last, "components.json"), {"components": {}})
    own = {name: entry for name, entry in components["components"].items() if as_list(entry)[0]["in"] in kept}
    if own:
        write_json(os.path.join(folder, "components.json"), dict(components, release=version, components=own))
    return sorted(set(pins["sources"]) - set(kept))


def misfits(folder, tree, pins):
    """A line for each part of what was copied that does not fit the tree."""
    places = {member["name"]: member["path"] for member in pins["pytorch"]["submodules"]} | {"pytorch": ""}
    yield from patches_that_fail(folder, tree, pins, places)
    for name, entries in read_json(os.path.join(folder, "components.json"), {}).get("components", {}).items():
        for entry in as_list(entries):
            place = places.get(entry["in"])
            if place is not None and tree.holds(place or "CMakeLists.txt"):
                for file in entry["files"]:
                    if not tree.holds(os.path.join(place, file)):
                        yield "components.json: %s: %s has no %s" % (name, entry["in"], file)
    for package in ("pytorch", "pytorch-py"):
        path = os.path.join(folder, package, "unity_groups.txt")
        if os.path.isfile(path):
            with open(path, encoding="utf-8") as stream:
                sources = [line.split()[1] for line in stream if line[:1] not in ("#", "%", "@", "\n")]
            absent = tuple(place + "/" for place in places.values() if place and not tree.holds(place))
            gone = [source for source in sources if not source.startswith(absent) and not tree.holds(source)]
            if gone:
                line = "%s/unity_groups.txt: %d of %d sources are gone, such as %s"
                yield line % (package, len(gone), len(sources), gone[0])


def patches_that_fail(folder, tree, pins, places):
    for name, place in places.items() if tree.archive is None else ():
        root = os.path.join(tree.path, place)
        for patch in pins[name].get("patches", []):
            file = os.path.abspath(os.path.join(folder, "patches", patch["file"]))
            if not tree.holds(place or "CMakeLists.txt") or not is_wanted(patch, root):
                continue
            if run_patch(root, file, "--forward", "--dry-run").returncode:
                there = run_patch(root, file, "--reverse", "--dry-run").returncode == 0
                yield "patches/%s: %s" % (patch["file"], "is in already: remove it" if there else "does not apply")
