#!/usr/bin/env -S python3 engine
# SPDX-License-Identifier: BSD-3-Clause
"""Starts the folder of a new release, releases/<version>/, and says what a person has to look at (docs/new-release.md).

    import_release.py --source <tree or tarball> [--submodules FILE] [--last 9.9.0] [--again] [--releases FOLDER]
                      [--files NEW --last-files OLD]

--source      PyTorch's source tree of the release, best a git checkout of its tag with its submodules, or its tarball
--submodules  what `git submodule status --recursive` printed in a checkout; without it a checkout is asked itself
--last        the release to start from (the newest in the folder that is compiled)
--again       the release has its folder: only what upstream changed since then is changed there
--releases    the folder of all releases (the project's); additions/ beside it are carried over, too
--files, --last-files  the official wheels of both releases, or their RECORDs: which files were added and removed

Everything of the last release is carried over. Then sources.json gets the submodules' commits, upstream.json the tree's
options, and release.json what the tree says; it is not "ready", so no preset is moved. Nothing is made up: a hash is that of
the file given, a commit is what git or the list says, and what is not known stays as it was and is named.

Exit code 0: written. 3: it could not be done, the error says why.
"""

import argparse
import copy
import glob
import os
import re

from carried import copy_addition, copy_release, misfits, read_json, write_json
from files import by_folder, read_files, requirements_not_checked
from update_pins import PinUpdate, own_candidates
from upstream import Tree, options, submodules

from engine.failure import Failure
from engine.folders import natural

HERE = os.path.dirname(os.path.abspath(__file__))


def say(title, lines):
    lines = list(lines)
    if lines:
        print("%s: %d" % (title, len(lines)))
        for line in lines:
            print("  " + line)


def last_release(folder, wanted):
    known = [name for name in os.listdir(folder) if os.path.isfile(os.path.join(folder, name, "options.json"))]
    known.sort(key=natural)
    if (wanted or known[-1:]) and (not wanted or wanted in known):
        return wanted or known[-1]
    raise Failure(
        "%s has no compiled release %s" % (folder, wanted or ""), "name one of them with --last: %s" % ", ".join(known)
    )


def compare_options(before, after, chosen):
    say("Options added", ("%s (%s)" % (name, after[name]) for name in sorted(set(after) - set(before))))
    gone = sorted(set(before) - set(after))
    say("Options removed", (name + (", which options.json sets" if name in chosen else "") for name in gone))
    both = sorted(set(before) & set(after))
    changed = [name for name in both if after[name] != before[name]]
    say("Options with another default", ("%s: %s, was %s" % (name, after[name], before[name]) for name in changed))


def update_facts(folder, version, tree, new):
    """The facts of release.json that the tree has; a new release is not ready."""
    path = os.path.join(folder, "release.json")
    before = read_json(path)
    standard = re.search(r"set\(CMAKE_CXX_STANDARD (\d+)", tree.read("CMakeLists.txt"))
    said = {"triton": (tree.read(".ci/docker/triton_version.txt") or "").strip()}
    said["cxx_standard"] = standard.group(1) if standard else ""
    facts = dict(before, version=version, **{name: value for name, value in said.items() if value})
    if new:
        facts["ready"] = False
    if facts != before:
        write_json(path, facts)


def start(arguments, tree):
    """(version, folder of the last release, folder of this one)"""
    match = re.match(r"\d+\.\d+\.\d+", tree.read("version.txt") or "")
    if not match:
        raise Failure(
            "%s has no version.txt that begins with three numbers" % arguments.source, "name PyTorch's source tree"
        )
    version = match.group()
    folder = os.path.join(arguments.releases, version)
    if arguments.again:
        return version, os.path.join(arguments.releases, last_release(arguments.releases, version)), folder
    last = os.path.join(arguments.releases, last_release(arguments.releases, arguments.last))
    if os.path.exists(folder):
        raise Failure("%s is there already" % folder, "change it with --again, or remove it")
    return version, last, folder


def work(arguments):
    tree = Tree(arguments.source)
    version, last, folder = start(arguments, tree)
    modules = submodules(tree, arguments.submodules)
    found = options(tree.read("CMakeLists.txt"))
    lists = [read_files(file) if file else None for file in (arguments.files, arguments.last_files)]
    pins = read_json(os.path.join(last, "sources.json"))
    before = {"options": {}, "packages": {}, "left_out": {}} | read_json(os.path.join(last, "upstream.json"), {})
    old = copy.deepcopy(pins["sources"])

    update = PinUpdate(pins, modules, tree, before["packages"], before["left_out"])
    update.run()
    own = pins["sources"]["pytorch"]
    own["candidates"] = own_candidates(own, version, tree.own_pin())
    pins["release"] = version
    not_copied = []
    if folder != last:
        copy_release(last, folder)
        for addition in glob.glob(os.path.join(arguments.releases, "../additions/*/releases", os.path.basename(last))):
            target = os.path.join(os.path.dirname(addition), version)
            if not os.path.exists(target):
                not_copied += copy_addition(addition, target, old, pins["sources"])
    write_json(os.path.join(folder, "sources.json"), pins)
    upstream = {"options": found, "packages": before["packages"], "left_out": before["left_out"]}
    if modules:
        upstream["left_out"] = {path: why for path, why in before["left_out"].items() if path in modules}
    write_json(os.path.join(folder, "upstream.json"), upstream)
    update_facts(folder, version, tree, folder != last)

    say("Submodules added (name the licence in the pins, or move it to left_out in upstream.json)", update.added)
    say("Submodules removed, and their pins", update.gone)
    say("Pins with another commit", update.changed)
    say("Pins to look at", update.unknown)
    if not modules:
        print("Submodules: there is no .gitmodules and no list (--submodules), so all pins are the last release's")
    if not own["candidates"]:
        print("PyTorch's own pin: the source is neither a checkout nor a tarball, so sources.json has none")
    say("Pins without the additions of the last release, whose archives are of another version", not_copied)
    chosen = read_json(os.path.join(folder, "options.json"))
    names = {entry["option"] for array in ("options", "features") for entry in chosen[array]}
    compare_options(before["options"], found, names)
    if arguments.files:
        say("Required by the wheel, and not pinned for its check", requirements_not_checked(arguments.files, folder))
    if all(lists):
        say("Files of the wheel added", by_folder(lists[0] - lists[1]))
        say("Files of the wheel removed", by_folder(lists[1] - lists[0]))
    say("Carried over, and does not fit the tree", misfits(folder, tree, pins["sources"]))
    print("Written: %s" % folder)
    print("Next: step 2 of docs/new-release.md")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", required=True)
    parser.add_argument("--releases", default=os.path.join(HERE, "..", "..", "releases"))
    parser.add_argument("--again", action="store_true")
    for name in ("submodules", "last", "files", "last-files"):
        parser.add_argument("--" + name)
    arguments = parser.parse_args()
    arguments.releases = os.path.abspath(arguments.releases)
    return work(arguments)
