#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the preset files, since `cmake --workflow` takes no -D: for each release (releases/) with each of its backends
(backends/) a preset for each artifact (packaging/artifacts.json).

    presets/generate_presets.py           presets/*.json and CMakePresets.json
    presets/generate_presets.py --check   change nothing; fail when a file differs
    presets/generate_presets.py --additions <folder> --output <file>
                                          what TSB_ADDITIONS=<folder> adds, in a file for a CMakeUserPresets.json to include

A preset is called <backend>-<artifact>. It is of the newest release of which that cell was compiled (packaging/cells.json);
of the newest one, where that needs no compile. A backend that was never compiled has presets of the newest release that was
with another one, or of its newest of all. Presets of an addition's release have its version behind the name where another one has the backend. A
preset inherits hidden ones, as presets of users can: pytorch-<version>, <backend>, <artifact> (presets/blocks.json). Their
member `vendor` says what bootstrap.sh installs.
"""

import argparse
import json
import os
import pathlib
import sys

if __loader__ and __name__ == "__main__":  # by Python alone: engine has no loader
    os.execv(sys.executable, [sys.executable, os.path.dirname(__file__) + "/../engine", *sys.argv])

from engine.folders import PROJECT, natural
from engine.model.cells import COMPILED
from engine.model.data import Data

KINDS = ("configure", "build", "test", "package", "workflow")
WRITTEN_BY_HAND = {"base.json", "tests.json"}


def read_facts(additions):
    """For each release, the newest first, with each of its backends: what can be made."""
    data = Data(additions)
    for version in data.names("releases"):
        release = data.release(version)
        for backend in data.backends(release):
            artifacts = data.artifacts(release, backend, "").values()
            of_version = release["backends"][backend["folder"]].get(backend["version"], {})
            facts = {"toolkit": "toolkit" in of_version, "rank": data.rank(release, backend)}
            yield {"release": version, "backend": backend, "artifacts": list(artifacts)} | facts


def by_default(facts):
    """Those that were built, or need not be; of a backend without one the newest of those with the lowest rank."""
    newest = {}
    for entry in sorted(facts, key=lambda entry: entry["rank"]):
        newest.setdefault(entry["backend"]["name"], entry)
    return [one for one in facts if not one["rank"] or newest[one["backend"]["name"]] is one]


def block(name, variables, inherits=(), needs=""):
    """A hidden preset."""
    preset = {"name": name, "hidden": True}
    if inherits:
        preset["inherits"] = list(inherits)
    if needs:
        preset["vendor"] = {"torch-superbuild": {"needs": needs}}
    return preset | {"cacheVariables": variables}


# What an IDE shows of the steps of a workflow, in their order. The last one cannot be hidden: CMake refuses a workflow with
# a hidden step.
STEPS = {"build": "1. compile, stage", "test": "2. check the stage", "package": "3. pack", "check": "4. try, deliver"}
WORDS = {
    "built": "It was compiled and checked",
    "near": "A tree close to it was compiled and checked",
    "official": "It was made and checked",
    "pinned": "Nobody has made it yet",
}
DEVELOP = "Your checkout of PyTorch, TSB_LOCAL_pytorch, is built where it is, and nothing is packed (docs/develop.md)"


def visible(name, inherits, title, word):
    """The presets of all kinds with one name."""
    check = name + "-check"
    steps = [{"type": kind, "name": name} for kind in KINDS[:-1]] + [{"type": "build", "name": check}]
    if word == "develop":
        about = {"displayName": title, "description": DEVELOP}
        variables = {"TSB_PACKAGES": "pytorch-develop"}
        return {
            "configure": [{"name": name, "inherits": inherits, **about, "cacheVariables": variables}],
            "build": [{"name": name, "configurePreset": name, **about}],
            "workflow": [{"name": name, **about, "steps": steps[:2]}],
        }
    about = {"displayName": title, "description": WORDS[word] + " (docs/cells.md)"}
    of = {step: {"configurePreset": name, **about, "displayName": f"{text}: {title}"} for step, text in STEPS.items()}
    return {
        "configure": [{"name": name, "inherits": inherits, **about}],
        "build": [{"name": name, **of["build"]}, {"name": check, **of["check"], "targets": "check"}],
        "test": [{"name": name, "inherits": "base", **of["test"]}],
        "package": [{"name": name, "inherits": "base", **of["package"]}],
        "workflow": [{"name": name, **about, "steps": steps}],
    }


def presets_of(entry):
    """Those of a release with a backend: [(name without the backend's, the blocks it inherits, title, word of the cell)]."""
    backend, found = entry["backend"], []
    for artifact in entry["artifacts"]:
        preset = artifact["preset"]
        if preset != "all":  # it has none of its own
            found.append((preset, [preset], artifact["title"], artifact["cell"]["word"]))
    words = [word for _, _, _, word in found]
    if not backend.get("prebuilt") and len(entry["artifacts"]) > 1:  # several would share what is compiled
        found.append(("all", ["all"], "everything", min(words, key=("pinned", *reversed(COMPILED)).index)))
    if backend["kind"] == "cpu":
        preset, title = "libtorch-shared", "libtorch, shared, with dependencies, OpenBLAS"
        found.append((preset + "-openblas", [preset, "openblas"], title, words[0]))
        found.append(("develop", [], "a checkout, built where it is, to develop in", "develop"))
    return found


def title_of(entry, title, word):
    of = "Your PyTorch, %s" if word == "develop" else "PyTorch %s, %%s, %s" % (entry["release"], word)
    return "%s: %s" % (of % entry["backend"]["title"], title)


def collect(facts, more=()):
    """Hidden presets by name, and by file those of a release with a backend: [(name, what it inherits, title, word)]. The files
    are in the order of README.md's table: what is compiled, out of the official wheel, for another processor. `more`, of
    additions, have presets for each release, with its version in the name where another one has the backend."""
    blocks = {"all": block("all", {"TSB_ARTIFACTS": "all"})}
    blocks["openblas"] = block("openblas", {"TSB_DEFAULT_BLAS": "openblas"}, needs="openblas")
    files, places, of_blocks, of_names = {}, {}, {}, {}
    cells = [(name, word, entry) for entry in facts for name, _, _, word in presets_of(entry)]
    # Where less is made of the newest, everything is of an older one.
    for name, _, entry in sorted(
        cells, key=lambda cell: ((*COMPILED, cell[1]).index(cell[1]), cell[0] == "all" and -len(cell[2]["artifacts"]))
    ):
        of_names.setdefault(entry["backend"]["name"] + "-" + name, entry["release"])
    for entry in [*facts, *more]:
        backend, version = entry["backend"], entry["release"]
        name, release = backend["name"], "pytorch-" + version
        blocks[release] = block(release, {"TSB_DEFAULT_PYTORCH_VERSION": version})
        if name in blocks and backend.get("prebuilt"):
            continue  # TSB_PYTORCH_VERSION chooses another release
        if name not in blocks:
            compiled = not backend.get("prebuilt") and any(row.get("tree") != "package" for row in entry["artifacts"])
            needs = backend["folder"] + (" compile" if compiled else "")
            needs += " %s-toolkit" % name if entry["toolkit"] else ""
            blocks[name] = block(name, {"TSB_BACKEND": name}, ["base", release], needs)
            of_blocks[name] = version
        inherits, suffix = ([name], "") if of_blocks[name] == version else ([release, name], "-" + version)
        file = name + suffix
        for artifact in entry["artifacts"]:
            if artifact["preset"] != "all":
                needs = "python" + artifact["python"] if artifact.get("python") else ""
                variables = {"TSB_ARTIFACTS": artifact["name"]}
                blocks[artifact["preset"]] = block(artifact["preset"], variables, needs=needs)
        presets = []
        for preset, of_preset, title, word in presets_of(entry):
            preset = name + "-" + preset
            if entry in more:
                preset += suffix
            elif of_names[preset] != version:
                continue  # TSB_PYTORCH_VERSION chooses this one
            presets.append((preset, inherits + of_preset, title_of(entry, title, word), word))
        if presets:
            cross = backend.get("target", "x86_64") != "x86_64"
            places[file] = cross, backend.get("prebuilt", False), natural(file)
            files[file] = presets
    return blocks, {name: files[name] for name in sorted(files, key=places.get)}


def render(value, indent):
    """JSON in lines of 120 columns, filled."""
    text = json.dumps(value)
    if not isinstance(value, (dict, list)) or indent + len(text) < 119:
        return text
    brackets = "{}" if isinstance(value, dict) else "[]"
    lines = [brackets[0]]
    for key in value:
        label = json.dumps(key) + ": " if isinstance(value, dict) else ""
        item = label + render(value[key] if label else key, indent + 1 + len(label))
        if len(lines[-1]) > 1 and indent + len(lines[-1]) + len(item) > 116:
            lines[-1] += ","
            lines.append(" " + item)
        else:
            lines[-1] += (", " if len(lines[-1]) > 1 else "") + item
    return ("\n" + " " * indent).join(lines) + brackets[1]


def file_text(members):
    parts = []
    for name, value in members.items():
        if isinstance(value, list) and isinstance(value[0], dict):
            items = ",\n".join("    " + render(item, 4) for item in value)
            parts.append('  "%s": [\n%s\n  ]' % (name, items))
        else:
            parts.append('  "%s": %s' % (name, render(value, 4 + len(name))))
    return "{\n" + ",\n".join(parts) + "\n}\n"


def preset_file(include, blocks, presets):
    members = {"version": 6, "include": [include]}
    entries = {kind: [] for kind in KINDS}
    entries["configure"] += blocks
    for preset in presets:
        for kind, some in visible(*preset).items():
            entries[kind] += some
    return file_text(members | {kind + "Presets": some for kind, some in entries.items() if some})


def project_files(blocks, files):
    texts = {"presets/blocks.json": preset_file("base.json", blocks.values(), [])}
    for name, presets in files.items():
        texts["presets/%s.json" % name] = preset_file("blocks.json", [], presets)
    include = ["presets/%s.json" % name for name in list(files) + ["tests"]]
    minimum = {"major": 3, "minor": 25, "patch": 0}
    texts["CMakePresets.json"] = file_text({"version": 6, "cmakeMinimumRequired": minimum, "include": include})
    return texts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument(
        "--root", type=pathlib.Path, default=PROJECT, help="of the preset files, another than the project"
    )
    parser.add_argument("--additions", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path)
    options = parser.parse_args()
    all_facts = list(read_facts(None))
    facts = by_default(all_facts)
    blocks, files = collect(facts)
    if options.additions:
        more = [entry for entry in read_facts(options.additions.resolve()) if entry not in all_facts]
        all_blocks, all_files = collect(facts, more)
        new_blocks = [value for name, value in all_blocks.items() if name not in blocks]
        presets = [preset for name, some in all_files.items() if name not in files for preset in some]
        options.output.write_text(preset_file(str(options.root.resolve() / "CMakePresets.json"), new_blocks, presets))
        return 0
    texts = project_files(blocks, files)
    differing = [
        name
        for name, text in texts.items()
        if not (options.root / name).exists() or (options.root / name).read_text() != text
    ]
    # A backend that no release has any more must not live on as a file.
    present = {"presets/" + path.name for path in (options.root / "presets").glob("*.json")}
    strays = present - set(texts) - {"presets/" + name for name in WRITTEN_BY_HAND}
    if options.check and (differing or strays):
        print("These files differ from what releases/, backends/ and packaging/artifacts.json give:", file=sys.stderr)
        print(", ".join(sorted(differing) + sorted(strays)), file=sys.stderr)
        print("Write them again: presets/generate_presets.py", file=sys.stderr)
        return 1
    if not options.check:
        for name in differing:
            (options.root / name).write_text(texts[name])
        for name in strays:
            (options.root / name).unlink()
