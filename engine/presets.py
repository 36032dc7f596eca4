# SPDX-License-Identifier: BSD-3-Clause
"""The workflow presets in CMakePresets.json and CMakeUserPresets.json, for bootstrap.sh, which may have no CMake yet:

python3 engine presets [TSB_PYTORCH_VERSION=<release>] [<pattern or part of a name>...]
                       those whose names fit, in groups; the environment may name the release as well
"""

import difflib
import fnmatch
import json
import os
import re
import shutil
import sys
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIST = "./bootstrap.sh list shows all presets"


def wrong(what, remedy):
    print("bootstrap.sh: %s\nbootstrap.sh: %s" % (what, remedy), file=sys.stderr)
    sys.exit(2)


def read(file, presets, files):
    """Adds the presets of a file, and of those that it includes: {kind: {name: preset}}."""
    if file in files or not os.path.exists(file):
        return
    files.add(file)
    try:
        with open(file, encoding="utf-8") as stream:
            content = json.load(stream)
    except ValueError as error:
        wrong("%s is not JSON: %s" % (file, error), "correct it")
    for included in content.get("include", []):
        included = re.sub(r"\$penv{(\w+)}", lambda match: os.environ.get(match[1], ""), included)
        read(os.path.join(os.path.dirname(file), included), presets, files)
    for kind, of_kind in presets.items():
        of_kind.update((preset["name"], {"file": file, **preset}) for preset in content.get(kind, []))


def ancestry(name, presets):
    """A preset and those that it inherits, what counts more first."""
    preset = presets.get(name, {})
    inherits = preset.get("inherits", [])
    yield preset
    for parent in [inherits] if isinstance(inherits, str) else inherits:
        yield from ancestry(parent, presets)


def expand(text, name, presets):
    """A text in the preset of this name, as CMake reads it: a preset's environment may name other variables of it."""
    found = list(ancestry(name, presets))
    parent, own = os.path.split(ROOT)
    known = {"sourceDir": ROOT, "sourceParentDir": parent, "sourceDirName": own, "presetName": name}
    known |= {"fileDir": os.path.dirname(found[0].get("file", "")), "hostSystemName": "Linux", "dollar": "$"}
    known |= {"generator": next((one["generator"] for one in found if "generator" in one), ""), "pathListSep": ":"}
    environment = {key: value for one in reversed(found) for key, value in one.get("environment", {}).items()}

    def fill(text, own):
        def value(match):
            kind, key = match.groups()
            if kind == "env" and own.get(key) is not None:
                return fill(own[key], {**own, key: None})
            return (os.environ if kind else known).get(key, "")

        return re.sub(r"\$(p?env)?{(\w+)}", value, text)

    return fill(text, environment)


def build_folder(name, presets):
    """The binaryDir of a configure preset."""
    text = next((one["binaryDir"] for one in ancestry(name, presets) if "binaryDir" in one), "")
    return os.path.join(ROOT, expand(text, name, presets))


def variables_of(name, presets, kinds=("environment", "cacheVariables")):
    """What a configure preset sets, with what it inherits: its environment, which its cache variables go before, where they
    are not empty. It goes before the environment of the run (tsb_read_settings)."""
    found = {}
    for kind in kinds:
        of_kind = {}
        for one in reversed(list(ancestry(name, presets))):
            of_kind |= one.get(kind, {})
        values = {key: value["value"] if isinstance(value, dict) else value for key, value in of_kind.items()}
        found |= {key: expand(str(value), name, presets) for key, value in values.items() if value not in ("", None)}
    return found


def needs_of(name, presets):
    needs = (
        preset.get("vendor", {}).get("torch-superbuild", {}).get("needs", "") for preset in ancestry(name, presets)
    )
    return " ".join(filter(None, needs))


def all_presets():
    presets = {"configurePresets": {}, "workflowPresets": {}}
    files = set()
    for name in ("CMakePresets.json", "CMakeUserPresets.json"):
        read(os.path.join(ROOT, name), presets, files)
    return presets


def nearest(word, names):
    """What may be meant, in whatever case it is written, and where all are."""
    known = {name.lower(): name for name in names}
    found = [known[name] for name in difflib.get_close_matches(word.lower(), known, 1 if word.lower() in known else 3)]
    return ("did you mean %s? " % " or ".join(found) if found else "") + LIST


def of_release(version, additions, workflows):
    """Those that make something of a release, with its titles; of the user's own nobody knows here."""
    from engine.model.data import Data
    from presets.generate_presets import presets_of, read_facts, title_of

    known = Data(additions).names("releases")
    if version not in known:
        wrong("there is no PyTorch %s in releases/" % version, "TSB_PYTORCH_VERSION may be: %s" % ", ".join(known))
    titles = {}  # by release
    for entry in read_facts(additions):
        of_its = titles.setdefault(entry["release"], {})
        for name, _, title, word in presets_of(entry):
            of_its[f"{entry['backend']['name']}-{name}"] = title_of(entry, title, word)
    asked, shipped = titles.get(version, {}), set().union(*titles.values())
    return {
        name: {"displayName": asked.get(name, preset.get("displayName", ""))}
        for name, preset in workflows.items()
        if name in asked or name not in shipped
    }


def main():
    workflows = all_presets()["workflowPresets"]
    asked = dict(word.removeprefix("-D").split("=", 1) for word in sys.argv[1:] if "=" in word)
    for name in set(asked) - {"TSB_PYTORCH_VERSION", "TSB_ADDITIONS"}:
        wrong("list takes no %s" % name, "TSB_PYTORCH_VERSION and TSB_ADDITIONS decide which presets there are")
    given = {**os.environ, **asked}
    if given.get("TSB_PYTORCH_VERSION"):
        workflows = of_release(given["TSB_PYTORCH_VERSION"], given.get("TSB_ADDITIONS"), workflows)
    groups = {}
    for pattern in [word for word in sys.argv[1:] if "=" not in word] or ["*"]:
        fits = (pattern if re.search("[*?[]", pattern) else "*%s*" % pattern).lower()
        some = [name for name in workflows if fnmatch.fnmatchcase(name.lower(), fits)]
        if not some:
            wrong("no preset is called %s" % pattern, nearest(pattern, workflows))
        for name in some:
            group, _, title = workflows[name].get("displayName", "").rpartition(": ")
            groups.setdefault(group or "Others", {})[name] = title
    # In a pipe, a line for each.
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() or "COLUMNS" in os.environ else 1000
    for group, some in groups.items():
        print(group)
        width = max(map(len, some)) + 4
        for name, title in some.items():
            lines = textwrap.wrap(title, max(columns - width, 20)) or [""]
            print(("\n" + " " * width).join([("  " + name).ljust(width) + lines[0], *lines[1:]]).rstrip())
