#!/usr/bin/env -S python3 engine
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the preset files, since `cmake --workflow` takes no -D: for each release (releases/) with each of its backends
(backends/) a preset for each artifact (packaging/artifacts.json).

    presets/generate_presets.py           presets/*.json and CMakePresets.json
    presets/generate_presets.py --check   change nothing; fail when a file differs
    presets/generate_presets.py --additions <folder> --output <file>
                                          what TSB_ADDITIONS=<folder> adds, in a file for a CMakeUserPresets.json to include

A preset is called <backend>-<artifact>, and with a release's version behind it when a newer one also has the backend. It
inherits hidden presets, as presets of users can: pytorch-<version>, <backend>, <artifact> (presets/blocks.json). Their member
`vendor` says what bootstrap.sh installs for them.
"""

import argparse
import functools
import json
import pathlib
import sys

from engine.folders import PROJECT, natural
from engine.model.data import Data

KINDS = ("configure", "build", "test", "package", "workflow")
WRITTEN_BY_HAND = {"base.json", "tests.json"}


def read_facts(additions):
    """For each release, the newest first, with each of its backends that is ready: what can be made."""
    data = Data(additions)
    for version in data.names("releases"):
        release = data.release(version)
        for backend in filter(functools.partial(data.is_ready, release), data.backends(release)):
            artifacts = data.artifacts(release, backend, "").values()
            of_version = release["backends"][backend["folder"]].get(backend["version"], {})
            toolkit = "toolkit" in of_version
            yield {"release": version, "backend": backend, "artifacts": list(artifacts), "toolkit": toolkit}


def block(name, variables, inherits=(), needs=""):
    """A hidden preset."""
    preset = {"name": name, "hidden": True}
    if inherits:
        preset["inherits"] = list(inherits)
    if needs:
        preset["vendor"] = {"torch-superbuild": {"needs": needs}}
    return preset | {"cacheVariables": variables}


def visible(name, inherits, title):
    """The presets of all kinds with one name."""
    check = name + "-check"
    steps = [{"type": kind, "name": name} for kind in KINDS[:-1]] + [{"type": "build", "name": check}]
    return {
        "configure": [{"name": name, "inherits": inherits, "displayName": title}],
        "build": [
            {"name": name, "configurePreset": name},
            {"name": check, "configurePreset": name, "targets": "check"},
        ],
        "test": [{"name": name, "inherits": "base", "configurePreset": name}],
        "package": [{"name": name, "inherits": "base", "configurePreset": name}],
        "workflow": [{"name": name, "displayName": title, "steps": steps}],
    }


def collect(facts):
    """Hidden presets by name, and by file those of a release with a backend: [(name, what it inherits, title)]. The files
    are in the order of README.md's table: what is compiled, out of the official wheel, for another processor."""
    blocks = {"all": block("all", {"TSB_ARTIFACTS": "all"})}
    blocks["openblas"] = block("openblas", {"TSB_DEFAULT_BLAS": "openblas"}, needs="openblas")
    files, places = {}, {}
    for entry in facts:
        backend = entry["backend"]
        name = backend["name"]
        release = "pytorch-" + entry["release"]
        title = "PyTorch %s, %s: " % (entry["release"], backend["title"])
        blocks[release] = block(release, {"TSB_DEFAULT_PYTORCH_VERSION": entry["release"]})
        inherits, suffix = [name], ""
        if name in blocks and backend.get("prebuilt"):
            continue  # TSB_PYTORCH_VERSION chooses another release
        if name in blocks:
            inherits, suffix = [release, name], "-" + entry["release"]
        else:
            compiled = not backend.get("prebuilt") and any(row.get("tree") != "package" for row in entry["artifacts"])
            needs = backend["folder"] + (" compile" if compiled else "")
            needs += " %s-toolkit" % name if entry["toolkit"] else ""
            blocks[name] = block(name, {"TSB_BACKEND": name}, ["base", release], needs)
        presets = files[name + suffix] = []
        cross = backend.get("target", "x86_64") != "x86_64"
        places[name + suffix] = cross, backend.get("prebuilt", False), natural(name + suffix)
        for artifact in entry["artifacts"]:
            preset = artifact["preset"]
            if preset == "all":  # it has none of its own
                continue
            python = artifact.get("python")
            needs = "python" + python if python else ""
            blocks[preset] = block(preset, {"TSB_ARTIFACTS": artifact["name"]}, needs=needs)
            presets.append((name + "-" + preset + suffix, inherits + [preset], title + artifact["title"]))
        if not backend.get("prebuilt") and len(entry["artifacts"]) > 1:  # several would share what is compiled
            presets.append((name + "-all" + suffix, inherits + ["all"], title + "everything"))
        if backend["kind"] == "cpu":
            preset = "libtorch-shared"
            text = title + "libtorch, shared, with dependencies, OpenBLAS"
            presets.append((name + "-" + preset + "-openblas" + suffix, inherits + [preset, "openblas"], text))
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
    facts = list(read_facts(None))
    blocks, files = collect(facts)
    if options.additions:
        # The project's own first: they keep the plain names.
        more = [entry for entry in read_facts(options.additions.resolve()) if entry not in facts]
        all_blocks, all_files = collect(facts + more)
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
