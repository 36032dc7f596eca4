#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Starts the folder of a new release, releases/<version>/, and says what changed since the last one.

    import_release.py --source <tree or tarball> [--submodules FILE] [--last 9.9.0] [--releases FOLDER]
                      [--files NEW --last-files OLD]

--source      PyTorch's source tree of the release, best a git checkout of its tag, or its tarball
--submodules  what `git submodule status --recursive` printed in a checkout; without it a checkout is asked itself
--last        the release to start from (the newest in the folder)
--releases    the folder of all releases (the project's)
--files, --last-files  the official wheels of both releases, or their RECORDs: which files came and went

Written are: sources.json, with the submodules' commits; release.json, options.json, components.json and patches/, which are
the last release's as a start; upstream.json, with which the next import compares. Nothing is made up: the tarball's hash is that
of the file given, a commit is what git or the list says, and what is not known is left out and named.

Exit code 0: written. 2: it could not be done, the error says why.
"""

import argparse
import json
import os
import re
import shutil
import sys

from files import by_folder, read_files
from upstream import Problem, Tree, options, submodules

HERE = os.path.dirname(os.path.abspath(__file__))


def read_json(path, default=None):
    if default is not None and not os.path.isfile(path):
        return default
    with open(path) as stream:
        return json.load(stream)


def write_json(path, value):
    with open(path, "w") as stream:
        json.dump(value, stream, indent=2, ensure_ascii=False)
        stream.write("\n")


def say(title, lines):
    lines = list(lines)
    print("%s: %s" % (title, len(lines) or "none"))
    for line in lines:
        print("  " + line)


def last_release(folder, wanted):
    known = [name for name in os.listdir(folder) if os.path.isfile(os.path.join(folder, name, "sources.json"))]
    known.sort(key=lambda name: [int(number) for number in re.findall(r"\d+", name)])
    if (wanted or known[-1:]) and (not wanted or wanted in known):
        return wanted or known[-1]
    raise Problem(
        "%s has no release %s" % (folder, wanted or ""), "name one of them with --last: %s" % ", ".join(known)
    )


def candidate_of(pin, module):
    """A candidate for the submodule's commit, otherwise as the one from git was."""
    known = next((candidate for candidate in pin.get("candidates", []) if "git" in candidate), {"git": module["url"]})
    return dict(known, version=module["commit"][:7], commit=module["commit"])


def module_of(path, modules):
    """The submodule that a pin is of: the one at its place, or the one that has its place, of which it takes a folder."""
    return max((module for module in modules if (path + "/").startswith(module + "/")), key=len, default=None)


def update_pins(pins, version, tree, modules, known):
    """Changes the pins to the release's, and says what changed."""
    sources, pytorch = pins["sources"], pins["sources"]["pytorch"]
    gone, changed, unknown, pinned = [], [], [], set()
    for member in list(pytorch["submodules"]) if modules else []:
        pin = sources[member["name"]]
        module = module_of(member["path"], modules)
        before = [candidate["commit"] for candidate in pin["candidates"] if "commit" in candidate]
        if module is None:
            gone.append(member["path"])
            pytorch["submodules"].remove(member)
            del sources[member["name"]]
        elif not modules[module]["commit"]:
            unknown.append("%s: the pin is the last release's" % module)
        elif modules[module]["commit"] not in before:
            changed.append("%s: %s, was %s" % (module, modules[module]["commit"], before[0] if before else "not named"))
            pin["candidates"] = [candidate_of(pin, modules[module])]
        pinned.add(module)
    new = []
    for path, module in sorted(modules.items()):
        nested = module_of(os.path.dirname(path), modules)
        if path in pinned or path in known or nested:  # known, and without a pin: left out on purpose
            continue
        new.append("%s: %s of %s" % (path, module["commit"] or "commit not known", module["url"] or "unknown address"))
        if module["commit"] and module["url"]:
            name = os.path.basename(path).lower().replace("_", "-")
            pin = {"license": "NOASSERTION", "homepage": module["url"], "submodule_path": path}
            sources[name] = dict(pin, candidates=[candidate_of(pin, module)])
            pytorch["submodules"].append({"name": name, "path": path, "required": True})
    candidate = tree.candidate(version)
    pytorch["candidates"] = [candidate] if candidate else []
    pins["release"] = version
    say(
        "Submodules that came (take out of the pins what the build does not need, name the licences of the others)", new
    )
    say("Submodules that went, and their pins", gone)
    say("Submodules with another commit (archives of the old one are taken out)", changed)
    say("Submodules whose commit is not known", unknown)
    if not modules:
        print("Submodules: there is no .gitmodules and no list (--submodules), so all pins are the last release's")
    if not candidate:
        print("PyTorch's own pin: the source is neither a checkout nor a tarball, so sources.json has none")


def compare_options(before, after, chosen):
    say("Options that came", ("%s (%s)" % (name, after[name]) for name in sorted(set(after) - set(before))))
    went = sorted(set(before) - set(after))
    say("Options that went", (name + (", which options.json sets" if name in chosen else "") for name in went))
    both = sorted(set(before) & set(after))
    say(
        "Options with another default",
        ("%s: %s, was %s" % (name, after[name], before[name]) for name in both if after[name] != before[name]),
    )


def start_folder(last, folder, version):
    """What is the last release's as a start. What upstream builds the new one with is not known yet."""
    os.makedirs(folder)
    shutil.copytree(os.path.join(last, "patches"), os.path.join(folder, "patches"))
    for name in filter(lambda name: os.path.exists(os.path.join(last, name)), ("options.json", "symbols.json")):
        shutil.copy(os.path.join(last, name), folder)
    components = read_json(os.path.join(last, "components.json"))
    write_json(os.path.join(folder, "components.json"), dict(components, release=version))
    release = read_json(os.path.join(last, "release.json"))
    release.update(version=version, sources=[], backends={"cpu": {}})
    release.pop("triton", None)
    write_json(os.path.join(folder, "release.json"), release)


def work(arguments):
    tree = Tree(arguments.source)
    match = re.match(r"\d+\.\d+\.\d+", tree.read("version.txt") or "")
    if not match:
        raise Problem(
            "%s has no version.txt that begins with three numbers" % arguments.source, "name PyTorch's source tree"
        )
    version = match.group()
    last = os.path.join(arguments.releases, last_release(arguments.releases, arguments.last))
    folder = os.path.join(arguments.releases, version)
    if os.path.exists(folder):
        raise Problem("%s is there already" % folder, "remove it, or name another folder with --releases")

    modules = submodules(tree, arguments.submodules)
    pins = read_json(os.path.join(last, "sources.json"))
    before = read_json(os.path.join(last, "upstream.json"), {"options": {}, "submodules": []})
    found = options(tree.read("CMakeLists.txt"))
    chosen = read_json(os.path.join(last, "options.json"))
    new_files = read_files(arguments.files) if arguments.files else None
    old_files = read_files(arguments.last_files) if arguments.last_files else None
    start_folder(last, folder, version)
    update_pins(pins, version, tree, modules, before["submodules"])
    write_json(os.path.join(folder, "sources.json"), pins)
    write_json(os.path.join(folder, "upstream.json"), {"options": found, "submodules": sorted(modules)})
    names = {entry["option"] for array in ("options", "features") for entry in chosen[array]}
    compare_options(before["options"], found, names)
    if new_files and old_files:
        say("Files of the wheel that came", by_folder(new_files - old_files))
        say("Files of the wheel that went", by_folder(old_files - new_files))
    print("Written: %s" % folder)
    print(
        "To do: release.json (Pythons, C++ standard, triton, CUDA), options.json, components.json, patches; releases/README.md"
    )


def exit_code(do, arguments):
    """0 when it was done; 2 for a Problem, which is printed."""
    try:
        do(arguments)
    except Problem as problem:
        print("error: %s\n  %s" % problem.args, file=sys.stderr)
        return 2
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", required=True)
    parser.add_argument("--releases", default=os.path.join(HERE, "..", "..", "releases"))
    for name in ("submodules", "last", "files", "last-files"):
        parser.add_argument("--" + name)
    arguments = parser.parse_args()
    arguments.releases = os.path.abspath(arguments.releases)
    return exit_code(work, arguments)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main())
