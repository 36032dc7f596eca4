# SPDX-License-Identifier: BSD-3-Clause
"""The workflow presets in CMakePresets.json and CMakeUserPresets.json, for bootstrap.sh, which may have no CMake yet:

list_presets.py          a line "<name> <title>" for each
list_presets.py <name>   what this one needs (`vendor` of its configure preset, and of what that inherits): "cuda test".
                         Exits with 2 when there is none, after the nearest names.
"""

import difflib
import json
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def read(file, presets, files):
    """Adds the presets of a file, and of those that it includes: {kind: {name: preset}}."""
    if file in files or not os.path.exists(file):
        return
    files.add(file)
    try:
        with open(file, encoding="utf-8") as stream:
            content = json.load(stream)
    except ValueError as error:
        sys.exit("bootstrap.sh: %s is not JSON: %s\nbootstrap.sh: correct it" % (file, error))
    for included in content.get("include", []):
        read(os.path.join(os.path.dirname(file), included), presets, files)
    for kind, of_kind in presets.items():
        of_kind.update((preset["name"], preset) for preset in content.get(kind, []))


def needs_of(name, presets):
    preset = presets.get(name, {})
    inherits = preset.get("inherits", [])
    words = [preset.get("vendor", {}).get("torch-superbuild", {}).get("needs", "")]
    words += [needs_of(parent, presets) for parent in ([inherits] if isinstance(inherits, str) else inherits)]
    return " ".join(filter(None, words))


def main():
    presets, files = {"configurePresets": {}, "workflowPresets": {}}, set()
    for name in ("CMakePresets.json", "CMakeUserPresets.json"):
        read(os.path.join(ROOT, name), presets, files)
    workflows = presets["workflowPresets"]
    if len(sys.argv) == 1:
        for name, preset in workflows.items():
            print("%-40s %s" % (name, preset.get("displayName", "")))
    elif sys.argv[1] in workflows:
        print(needs_of(workflows[sys.argv[1]]["steps"][0]["name"], presets["configurePresets"]))
    else:
        nearest = difflib.get_close_matches(sys.argv[1], workflows, 5, 0)
        lines = [
            "bootstrap.sh: unknown workflow preset: " + sys.argv[1],
            "Nearest presets (./bootstrap.sh --list has all of them):",
        ]
        print("\n  ".join(["\n".join(lines), *nearest]), file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
