#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes releases/<version>/ one that is compiled here, and says what a person has to decide (docs/new-release.md).

    import_release.py --source <tree or tarball> [--submodules FILE] [--release 9.9.1] [--last 9.9.0]
                      [--releases FOLDER] [--files NEW --last-files OLD]

--source      PyTorch's source tree of the release, best a git checkout of its tag with its submodules, or its tarball,
              or a folder with version.txt, CMakeLists.txt and .gitmodules of the tag alone
--release     the release, if version.txt does not say which it is; without a tree only the commits in --submodules are
              known
--submodules  what `git submodule status --recursive` printed in a checkout; without it a checkout is asked itself. It
              may have some alone, an address where the tag is, lines "gone <path>", and "<commit> ." for PyTorch itself
--last        the release to inherit from (the nearest one before it that is compiled)
--releases    the folder of all releases (the project's); additions/ beside it count, too
--files, --last-files  the official wheels of both releases, or their RECORDs: which files were added and removed

What the folder has stays, such as the data of the official wheel, and what a person wrote. The release is `from` the
last one: sources.json, upstream.json, options.json, components.json and release.json get what differs from what they
inherit, and no more. Its cells are `pinned`, so no preset is moved. Nothing is made up: a hash is that of the file given, a
commit is what git or the list says, and what is not known stays as it was and is named. Nothing is written before all
is known.

Exit code 0: written. 3: it could not be done, the error says why.
"""

import argparse
import copy
import os
import pathlib
import re
import sys

if __loader__ and __name__ == "__main__":  # by Python alone: engine has no loader
    os.execv(sys.executable, [sys.executable, os.path.dirname(__file__) + "/../../engine", *sys.argv])

from carried import misfits, move_components, new_folder, recover
from files import by_folder, read_files, requirements_not_checked
from update_pins import PinUpdate, own_candidates
from upstream import NoTree, Tree, submodules

from engine.failure import Failure
from engine.folders import natural
from engine.model.data import Data
from engine.model.difference import write_difference
from engine.model.inherit import OWN, merge
from engine.model.merge_pins import as_list
from engine.model.variant import options_of

HERE = os.path.dirname(os.path.abspath(__file__))
FILES = ("release.json", "sources.json", "upstream.json", "options.json", "components.json")
OFFICIAL = re.compile("(torch|nvidia|cuda-toolkit)-")  # pins of the official wheel and what it requires


def say(title, lines):
    lines = list(lines)
    if lines:
        print("%s: %d" % (title, len(lines)))
        for line in lines:
            print("  " + line)


def last_release(data, version, wanted):
    names = [name for name in data.names("releases") if data.find("releases/%s/release.json" % name)]
    known = [name for name in reversed(names) if data.merged(name, "options.json")]
    before = [name for name in known if natural(name) < natural(version)]
    if wanted in known or before and not wanted:
        return wanted or before[-1]
    raise Failure(
        "there is no compiled release %s" % (wanted or "before " + version),
        "name one of them with --last: %s" % ", ".join(known),
    )


def update_options(chosen, before, after):
    """Takes out the options that the tree does not have any more, and prints what changed."""
    say("Options added", ("%s (%s)" % (name, after[name]) for name in sorted(set(after) - set(before))))
    gone = set(before) - set(after)
    names = {entry["option"] for array in ("options", "features") for entry in chosen[array]}
    say("Options removed", (name + (", which options.json sets" if name in names else "") for name in sorted(gone)))
    chosen["options"] = [entry for entry in chosen["options"] if entry["option"] not in gone]
    both = sorted(set(before) & set(after))
    changed = [name for name in both if after[name] != before[name]]
    say("Options with another default", ("%s: %s, was %s" % (name, after[name], before[name]) for name in changed))


def update_facts(facts, own, version, last, tree, is_new):
    """The facts of release.json that the tree has. What it has of its `own` stays; yields a
    line for what the tree contradicts, or does not say."""
    standard = re.search(r"set\(CMAKE_CXX_STANDARD (\d+)", tree.read("CMakeLists.txt") or "")
    said = {"triton": (tree.read(".ci/docker/triton_version.txt") or "").strip()}
    said["cxx_standard"] = standard.group(1) if standard else ""
    for name, value in said.items():
        if value and own.get(name, value) != value:
            yield "release.json: %s is %s, and the tree has %s" % (name, own[name], value)
        elif value:
            facts[name] = value
    facts["version"] = version
    if last:
        facts["from"] = last
    if "abi" in facts.get("libtorch_zip", "") and not tree.holds("cmake/CheckAbi.cmake") and "libtorch_zip" not in own:
        if tree.holds("cmake"):
            del facts["libtorch_zip"]  # a zip has the ABI in its name for as long as there are two
        else:
            yield "release.json: libtorch_zip names an ABI; remove it if the tree has no cmake/CheckAbi.cmake"
    facts.setdefault("backends", {})
    if is_new:
        facts["backends"].setdefault("cpu", {})


def undecided(older, facts, pins, update):
    """What nothing here says. `older`: the releases that it inherits from, the nearest first."""
    data, seen = Data(), set(facts["backends"])
    for release in older:
        for kind, versions in sorted(release["backends"].items()):
            names = [one["name"] for one in data.backends({"backends": {kind: versions}})] if kind not in seen else []
            if not kind.startswith("official-") and not all(data.refused(facts, name) for name in names):
                line = "release.json: %s, which %s has: add what upstream builds, or a reason to 'refused'"
                yield line % (" ".join([kind, *versions]), release["version"])
        seen |= set(release["backends"])
    for entry in data.refused(facts, "cpu") if "cpu" in facts["backends"] else ():
        if re.fullmatch(entry["artifacts"], "libtorch-shared") and "commit" in entry["why"]:  # which an import finds
            yield "release.json: remove cpu from 'refused', or say why else than '%s'" % entry["why"]
    if "triton" not in facts or not any(kind.startswith("official-") for kind in facts["backends"]):
        line = "release.json: run tools/import_official/import_official.py %s: the wheel says which Pythons and triton"
        yield line % facts["version"]
    known = {python for release in older for python in release.get("pythons", ())}
    fresh = [python for python in facts.get("pythons", ()) if python not in known] if known else []
    if fresh:
        yield "release.json: no older one has Python %s: do the pins of build-requirements know it?" % ", ".join(fresh)
    for name, pin in sorted(pins.items()):
        if pin["license"] == "NOASSERTION":
            yield "sources.json: %s: name its licence, and the feature or backend that needs it" % name
    yield from update.unknown


def work(arguments, data):
    tree = Tree(arguments.source) if arguments.source else NoTree()
    match = re.match(r"\d+\.\d+\.\d+", arguments.release or tree.read("version.txt") or "")
    if not match:
        of_tree = "version.txt of %s does not begin with three numbers" % arguments.source
        raise Failure(
            "%s is not three numbers" % arguments.release if arguments.release else of_tree,
            "name PyTorch's source tree with --source, or a release as --release 9.9.0",
        )
    version = match.group()
    folder = pathlib.Path(arguments.releases, version)
    recover(folder)
    is_there = bool(data.find("releases/%s/release.json" % version))
    has_options = is_there and bool(data.merged(version, "options.json"))
    lineage = data.lineage(version) if is_there else []
    is_first = has_options and len(lineage) == 1  # it inherits nothing
    last = "" if is_first else lineage[1].name if has_options else last_release(data, version, arguments.last)
    if arguments.last not in (None, last):
        raise Failure(
            "--last is %s, and %s inherits from %s already" % (arguments.last, version, last or "nothing"),
            "leave --last out, or change 'from' in %s" % (folder / "release.json"),
        )
    modules, gone = submodules(tree, arguments.submodules)
    itself = {"commit": modules.pop(".")["commit"]} if "." in modules else {}
    found = options_of(tree.read("CMakeLists.txt") or "")
    lists = [read_files(file) if file else None for file in (arguments.files, arguments.last_files)]
    old, now = {}, {}  # what it inherits, and what it says with that
    for name in FILES:
        value = data.merged(last, name) if last else {}
        old[name] = {member: one for member, one in value.items() if member not in OWN.get(name, ())}
        now[name] = copy.deepcopy(merge(old[name], data.fold([folder], name), folder / name))
    facts, pins, upstream = now["release.json"], now["sources.json"], now["upstream.json"]
    before = {"options": {}, "packages": {}, "left_out": {}} | upstream

    # What the last release has of its own official wheel says nothing of this one's.
    own = data.fold([folder], "sources.json").get("sources", {})
    for name in [name for name in pins["sources"] if OFFICIAL.match(name) and name not in own]:
        if last and not (has_options and name in data.merged(version, "sources.json")["sources"]):
            del pins["sources"][name]
    update = PinUpdate(pins, modules, gone, tree, before["packages"], before["left_out"])
    was = old["sources.json"].get("sources", {}).get("pytorch", {}).get("submodules", ())
    for path in sorted(gone - {*update.places, *before["left_out"], *old["upstream.json"].get("left_out", ())}):
        if path not in [member["path"] for member in was]:
            raise Failure(
                "'gone %s': there was no such submodule" % path, "correct its path in %s" % arguments.submodules
            )
    update.run()
    main = pins["sources"]["pytorch"]
    main["candidates"] = own_candidates(main, version, itself | tree.own_pin())
    if not main["candidates"]:
        raise Failure(
            "the commit of PyTorch %s itself is not known" % version,
            "write the line '<commit> .' into the list of --submodules, or name a checkout of its tag or its tarball",
        )
    now["sources.json"] = {"schema": 1, "release": version} | {"sources": pins["sources"]}
    components = now["components.json"]
    moved = list(move_components(components.get("components", {}), update.moved, update.versions))
    if is_first and components:
        components["release"] = version
    say("Submodules added (name the licence in the pins, or move it to left_out in upstream.json)", update.added)
    say("Submodules removed, and their pins", update.gone)
    say("Pins with another commit", update.changed)
    say("Components that are elsewhere, or of another version", moved)
    if not modules and not gone:
        print("Submodules: there is no .gitmodules and no list (--submodules), so all pins are the last release's")
    if found:
        update_options(now["options.json"], before["options"], found)
    else:
        print("Options: there is no CMakeLists.txt, so they are the last release's")
    upstream.update(before, options=found or before["options"])
    if tree.read(".gitmodules") is not None or gone:
        keep = set(before["left_out"]) - gone if gone else set(modules)
        upstream["left_out"] = {path: why for path, why in before["left_out"].items() if path in keep}
    own_facts = data.fold([folder], "release.json")
    update.unknown += update_facts(facts, own_facts, version, last, tree, not has_options)
    nested = components.get("components", {})
    for name in [name for name, entry in nested.items() if as_list(entry)[0]["in"] not in pins["sources"]]:
        del nested[name]

    with new_folder(folder) as place:
        for name in FILES:
            write_difference(pathlib.Path(place, name), old[name], now[name])

    if arguments.files:
        say(
            "Required by the wheel, and not pinned for its check",
            requirements_not_checked(arguments.files, folder, pins),
        )
    if all(lists):
        say("Files of the wheel added", by_folder(lists[0] - lists[1]))
        say("Files of the wheel removed", by_folder(lists[1] - lists[0]))
    if arguments.source:
        places = {member["name"]: member["path"] for member in main["submodules"]} | {"pytorch": ""}
        folders = [folder, *lineage[1:]] if is_first else [folder, *data.lineage(last)]
        say(
            "Inherited, and does not fit the tree",
            misfits(folders, tree, pins["sources"], nested, places),
        )
    older = [{"version": one.name} | data.fold([one], "release.json") for one in (data.lineage(last) if last else ())]
    say("Left to decide", undecided(older, facts, pins["sources"], update))
    print("Written: %s%s" % (folder, ", from %s" % last if last else ""))
    print("Next: step 3 of docs/new-release.md")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--releases", default=os.path.join(HERE, "..", "..", "releases"))
    for name in ("source", "submodules", "release", "last", "files", "last-files"):
        parser.add_argument("--" + name)
    arguments = parser.parse_args()
    if not arguments.source and not arguments.release:
        parser.error("name PyTorch's source tree with --source, or a release as --release 9.9.0")
    arguments.releases = os.path.abspath(arguments.releases)
    root = pathlib.Path(arguments.releases).parent
    data = Data()
    data.folders = [root, *sorted(root.glob("additions/*"))]
    return work(arguments, data)
