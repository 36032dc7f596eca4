#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""All cells, with their words (packaging/cells.json) or why they are refused: the table of docs/cells.md, which
generate_workflows.py writes, and for .github/workflows/cell.yml:

    operations/workflows/cells.py preset <release> <backend> <artifact>
        prints the preset and the settings that build it
    operations/workflows/cells.py built <release> <backend> <artifact> <where>
        writes that it was built there, today
"""

import datetime
import json
import os
import re
import sys

if __loader__ and __name__ == "__main__":  # by Python alone: engine has no loader
    os.execv(sys.executable, [sys.executable, os.path.dirname(__file__) + "/../../engine", *sys.argv])

from engine.failure import Failure
from engine.folders import natural
from engine.model import cells
from engine.model.data import Data
from engine.model.difference import as_text
from engine.selection import all_presets

ORDER = [*cells.WORDS, "pinned", "refused"]


def known_backends(data, releases):
    """{name: what is true of it}, whatever a release has of it."""
    found = {}
    for release in releases:
        plain = {kind: dict.fromkeys(versions, {}) for kind, versions in release["backends"].items()}
        found |= {one["name"]: one for one in data.backends({"backends": plain})}
    return dict(sorted(found.items(), key=lambda one: (one[1].get("prebuilt", False), natural(one[0]))))


def all_cells(data):
    """{(release, backend, artifact): (its row, its cell)}; of one that is refused with `why`. Error: a range of
    packaging/cells.json names none."""
    releases, found = [data.release(version) for version in data.names("releases")], {}
    backends = known_backends(data, releases)
    for release in releases:
        own = {one["name"]: one for one in data.backends(release)}
        for name, backend in backends.items():
            made = data.artifacts(release, own[name], "") if name in own else {}
            for artifact, row in data.artifacts(release | {"refused": []}, backend, "").items():
                why = [one["why"] for one in data.refused(release, name) if re.fullmatch(one["artifacts"], artifact)]
                cell = made[artifact]["cell"] if artifact in made else {"word": "refused", "why": (why or [""])[0]}
                if artifact in made or why:
                    found[release["version"], name, artifact] = row, cell
    for index, cell in enumerate(cells.read_cells(cells.FILE)):
        for version in cell["releases"]:
            of_word = [key for key, (_, one) in found.items() if key[0] == version and one["word"] == cell["word"]]
            if not any(cells.covers(cell, *key) for key in of_word):
                raise Failure(
                    f"  {cells.FILE}: 'cells' {index}, '{cell['word']}', names no cell of {version}\n"
                    "  correct its backends or artifacts, or take the release out: docs/cells.md has all cells"
                )
    return found


def what_of(rows, of_all, is_refused):
    """A group of artifacts in words, with their Pythons; `of_all`: those that there are of the release and the backend."""
    if is_refused and rows.keys() == of_all.keys():
        return "all"
    zips = [[name for name in names if name.startswith("libtorch-")] for names in (rows, of_all)]
    found = {"libtorch": []} if zips[0] and zips[0] == zips[1] else {}
    for name, row in rows.items():
        if "libtorch" in found and name in zips[0]:
            continue
        if row["preset"] != "all" or len(rows) == 1:  # conda-libtorch comes with others
            pythons = found.setdefault(re.sub(r"-py\d+", "", name), [])
            pythons += [row["python"]] if "python" in row and not is_refused else []
    groups = {}
    for name, pythons in found.items():
        groups.setdefault(", ".join(pythons), []).append(name)
    return "; ".join(", ".join(names) + (pythons and f" {pythons}") for pythons, names in groups.items())


def table(found):
    """Cells of one word and one reason in a row."""
    of_all, groups, rows = {}, {}, {}
    for (version, backend, artifact), (row, cell) in found.items():
        of_all.setdefault((version, backend), {})[artifact] = row
        why = ", ".join(value for name, value in cell.items() if name != "word")
        groups.setdefault((cell["word"], why, version, backend), {})[artifact] = row
    for (word, why, version, backend), some in groups.items():
        what = what_of(some, of_all[version, backend], word == "refused")
        rows.setdefault((ORDER.index(word), why, what, version), []).append(backend)
    merged = {}
    for (word, why, what, version), backends in rows.items():
        merged.setdefault((word, ", ".join(f"`{name}`" for name in backends), what, why), []).append(version)
    lines = ["| word | releases | backends | artifacts | where, when; why not |", "|---" * 5 + "|"]
    for (word, backends, what, why), versions in sorted(merged.items(), key=lambda row: row[0][0]):
        lines.append(f"| {ORDER[word]} | {', '.join(reversed(versions))} | {backends} | {what} | {why} |")
    return "".join(f"{line}\n" for line in lines)


def inputs(found):
    """The inputs of .github/workflows/cell.yml: what has a pinned cell."""
    pinned = [(*key[:2], row["name"]) for key, (row, cell) in found.items() if cell["word"] == "pinned"]
    for name, values in zip(("release", "backend", "artifact"), zip(*pinned)):
        options = sorted(set(values) - {"conda-libtorch"}, key=natural, reverse=name == "release")  # comes with others
        yield f"{name}: {{type: choice, required: true, options: {json.dumps(options)}}}\n"


def pinned_row(found, *key):
    """The row of a cell that is pinned. Error: it is not, or there is no such cell."""
    row, cell = found.get(key, ({}, {"word": "not there"}))
    if cell["word"] != "pinned":
        raise Failure(f"{' '.join(key)} is {', '.join(cell.values())}", "docs/cells.md has the cells that are pinned")
    return row


def preset(found, release, backend, artifact):
    """Outputs for a job of GitHub. An artifact without a preset, for a Python of this release alone, is one of all."""
    row, known = pinned_row(found, release, backend, artifact), {one.name for one in all_presets(user=False)}
    name, settings = f"{backend}-{row['preset']}", f"TSB_PYTORCH_VERSION={release}"
    if name not in known:
        name, settings = f"{backend}-all", f"{settings} TSB_PYTHONS={row.get('python', 'none')}"
    if name not in known:
        raise Failure(
            f"{backend} has no preset that makes {artifact} of {release}",
            "write one of your own: docs/CMakeUserPresets.example.json",
        )
    print(f"preset={name}", f"settings={settings}", sep="\n")


def built(found, release, backend, artifact, where):
    """Adds a range with the cell, and with what was made along with it."""
    row = pinned_row(found, release, backend, artifact)
    cell = {"word": "official" if backend.startswith("official-") else "built", "releases": [release]}
    cell |= {"backends": backend.replace(".", "[.]"), "artifacts": "|".join([artifact, *row.get("needs", ())])}
    cell |= {"where": where, "when": datetime.datetime.now(datetime.timezone.utc).date().isoformat()}
    text = as_text({"cells": [*cells.read_cells(cells.FILE), cell]})
    cells.FILE.write_text(text + "\n", encoding="utf-8")


def main():
    name, *words = sys.argv[1:] or [""]
    if (name, len(words)) not in (("preset", 3), ("built", 4)):
        raise Failure("wrong use; there are:\n" + __doc__.rpartition("\n\n")[2].rstrip(), status=2)
    {"preset": preset, "built": built}[name](all_cells(Data()), *words)
