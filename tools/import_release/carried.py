# SPDX-License-Identifier: BSD-3-Clause
"""What a new release inherits from the last one, and what of that does not fit its tree."""

import contextlib
import os
import shutil

from engine.model.merge_pins import as_list
from engine.sources.patches import is_wanted, run_patch


def place_beside(folder):
    """Where a release's folder is written, and the old one kept while the new one takes its place."""
    folder = os.path.abspath(folder)
    return os.path.join(os.path.dirname(os.path.dirname(folder)), ".import-" + os.path.basename(folder))


def recover(folder):
    """Brings back the folder of an import that was killed while it replaced it."""
    old = os.path.join(place_beside(folder), "old")
    if os.path.isdir(old) and not os.path.exists(folder):
        os.rename(old, folder)


@contextlib.contextmanager
def new_folder(folder):
    """A copy of the folder, which takes its place at the end of the block. When the block ends with an error, or is
    killed, the folder is what it was."""
    place = place_beside(folder)
    new, old = os.path.join(place, "new"), os.path.join(place, "old")
    shutil.rmtree(place, ignore_errors=True)
    if os.path.isdir(folder):
        shutil.copytree(folder, new)
    else:
        os.makedirs(new)
    try:
        yield new
        if os.path.isdir(folder):
            os.rename(folder, old)
        os.rename(new, folder)
    finally:
        recover(folder)
        shutil.rmtree(place, ignore_errors=True)


def move_components(components, moved, changed):
    """Components whose folder `moved` inside its source, {source: {old folder: new one}}, and those of a version whose
    pin `changed`, {source: (old version, new one)}. Yields a line for each."""
    for name, entries in components.items():
        for entry in as_list(entries):
            for old, new in moved.get(entry["in"], {}).items():
                for member in {"files", "license_files"} & set(entry):
                    there = [new + path[len(old) :] if path.startswith(old + "/") else path for path in entry[member]]
                    if there != entry[member]:
                        entry[member] = there
                        yield "%s: %s of %s lies in %s now" % (name, member, entry["in"], new)
            before, after = changed.get(entry["in"], ("", ""))
            if before in entry.get("versions", ()):
                entry["versions"] = [after]
                yield "%s: was for %s %s, and is now for %s: look at its licence" % (name, entry["in"], before, after)


def misfits(folders, tree, pins, components, places):
    """A line for each part of what is inherited that does not fit the tree. The newest of `folders`, the
    release's, is first."""
    if not tree.holds("aten"):
        yield "whether it does was not looked at: the tree has no sources"
        return
    yield from patches_that_fail(folders, tree, pins, places)
    for name, entries in components.items():
        for entry in as_list(entries):
            place = places.get(entry["in"])
            if place is not None and tree.holds(place or "CMakeLists.txt"):
                for file in entry["files"]:
                    if not tree.holds(os.path.join(place, file)):
                        yield "components.json: %s: %s has no %s" % (name, entry["in"], file)
    for name, place in places.items():
        for file in pins[name].get("holds", ()) if tree.holds(place or "CMakeLists.txt") else ():
            if not tree.holds(os.path.join(place, file)):
                yield "%s: the tree has a hole: there is no %s" % (name, os.path.join(place, file))
    for package in ("pytorch", "pytorch-py"):
        path = nearest(folders, os.path.join(package, "unity_groups.txt"))
        if path:
            with open(path, encoding="utf-8") as stream:
                sources = [line.split()[1] for line in stream if line[:1] not in ("#", "%", "@", "\n")]
            absent = tuple(place + "/" for place in places.values() if place and not tree.holds(place))
            gone = [source for source in sources if not source.startswith(absent) and not tree.holds(source)]
            if gone:
                line = "%s/unity_groups.txt: %d of %d sources are gone, such as %s"
                yield line % (package, len(gone), len(sources), gone[0])


def nearest(folders, name):
    return next((path for path in (os.path.join(folder, name) for folder in folders) if os.path.isfile(path)), "")


def patches_that_fail(folders, tree, pins, places):
    for name, place in places.items() if tree.archive is None else ():
        root = os.path.join(tree.path, place)
        for patch in pins[name].get("patches", []):
            file = nearest(map(os.path.abspath, folders), os.path.join("patches", patch["file"]))
            if not tree.holds(place or "CMakeLists.txt") or not is_wanted(patch, root):
                continue
            if run_patch(root, file, "--forward", "--dry-run").returncode:
                there = run_patch(root, file, "--reverse", "--dry-run").returncode == 0
                yield "patches/%s: %s" % (patch["file"], "is in already: remove it" if there else "does not apply")
