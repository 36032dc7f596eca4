#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the generated parts of the CI files: the jobs in .gitlab-ci.yml, the picture and the table in docs/jobs.md, the
table of docs/cells.md, the inputs of the workflow that builds one of these cells (cells.py). A part lies between a line
with "generated: <part>" and a line with "end". And prints the matrix for GitHub's workflows.

    operations/workflows/generate_workflows.py           writes the files
    operations/workflows/generate_workflows.py --check   changes nothing; fails if a file differs
    operations/workflows/generate_workflows.py --plan whole|sparse [<preset or pattern>...]
                                              prints outputs for a job of GitHub: matrix, releases
"""

import argparse
import json
import os
import pathlib
import re
import sys

if __loader__ and __name__ == "__main__":  # by Python alone: engine has no loader
    os.execv(sys.executable, [sys.executable, os.path.dirname(__file__) + "/../../engine", *sys.argv])

from cells import all_cells, inputs
from cells import table as cells_table
from matrix import compiles

from engine.model.data import Data
from engine.selection import ROOT, select

FILES = [".gitlab-ci.yml", "docs/jobs.md", "docs/cells.md", ".github/workflows/cell.yml"]
# GitHub's runners on which the artifacts of a target are tested:
# https://docs.github.com/en/actions/reference/runners/github-hosted-runners
MACHINES = {"x86_64": "ubuntu-24.04", "aarch64": "ubuntu-24.04-arm"}
PLACE = re.compile(r"(?ms)^([ ]*)([^\n]*\bgenerated: (\w+)[^\n]*\n).*?^(?=[^\n]*\bend\b)")


def yaml(lines):
    return "".join(f"{line}\n" for line in lines)


def image(one):
    """The variable that names the image of a compile."""
    return "TSB_IMAGE_" + re.sub("[^A-Z0-9]", "_", one.name.upper())


def plan(some, which):
    """The outputs of the job plan: a matrix for GitHub, with the inputs of .github/workflows/compile.yml."""
    chosen = [(one, one.whole if which == "whole" else one.sparse) for one in some]
    entries = [
        {
            "compile": one.name,
            "presets": " ".join(presets),
            "release": one.release,
            "gpu": one.gpu,
            "machine": MACHINES[one.target],
            "image": image(one),
        }
        for one, presets in chosen
        if presets
    ]
    yield "matrix=" + json.dumps({"include": entries})
    yield "releases=" + " ".join(sorted({entry["release"] for entry in entries}))


def gitlab(some):
    """The jobs of each compile. What they share is written by hand, at the top of the file."""
    releases = " ".join(sorted({one.release for one in some}))
    lines = ["", "plan:", "  extends: .plan", f"  variables: {{RELEASES: {releases}}}"]
    for one in some:
        only = f"($COMPILES == '' || $COMPILES =~ /(^| ){re.escape(one.name)}( |$)/)"
        variables = f"COMPILE: {one.name}, {image(one)}: $TSB_IMAGE, IMAGE: ${image(one)}"
        sources = f"key: {{prefix: sources-{one.name}, files: [releases/{one.release}/sources.json]}}"
        lines += ["", f"build:{one.name}:", "  extends: .build", f"  variables: {{{variables}}}", "  cache:"]
        lines += [f"    - {{{sources}, paths: [build/cache/sources]}}", "    - *store", "    - *compiler", "  rules:"]
        rules = {f"if: $MATRIX == '{name}' && {only}": getattr(one, name) for name in ("whole", "sparse")}
        rules = {rule: presets for rule, presets in rules.items() if presets}
        lines += [f"    - {{{rule}, variables: {{PRESETS: {' '.join(presets)}}}}}" for rule, presets in rules.items()]
        tags = f"  tags: [$TSB_RUNNER_{(one.gpu or one.target).upper()}]"
        lines += ["", f"test:{one.name}:", "  extends: .test", tags, f"  needs: ['build:{one.name}']", "  rules:"]
        lines += [f"    - {rule}" for rule in rules]
        published = f"  rules: [{{if: $CHANNEL && $TSB_TARGET && {only}}}]"
        needs = f"  needs: ['build:{one.name}', 'test:{one.name}']"
        lines += ["", f"upload:{one.name}:", "  extends: .upload", needs, published]
        lines += ["", f"smoke:{one.name}:", "  extends: .smoke", tags, f"  needs: ['upload:{one.name}']", published]
    return yaml(lines) + "\n"


def picture(some):
    lines = ["```mermaid", "flowchart LR", '  plan["plan: commit, version"]']
    for number, one in enumerate(some):
        tests = f"{len(one.artifacts)} artifact{'s' * (len(one.artifacts) > 1)}, {sum(one.artifacts.values())} in pull requests"
        lines += [f'  plan --> b{number}["build {one.name}<br>PyTorch {one.release}"] --> t{number}["test<br>{tests}"]']
        lines += [f"  t{number} --> u{number}[upload] --> s{number}[smoke]"]
    return yaml([*lines, "```"])


def table(some):
    """A table with a row for each artifact and a column for each compile."""
    rows = dict.fromkeys(artifact for one in some for artifact in one.artifacts)
    lines = [["artifact", *(one.name for one in some)], ["---", *(":-:" for _ in some)]]
    marks = {None: "", False: "○", True: "●"}
    lines += [[f"`{name}`", *(marks[one.artifacts.get(name)] for one in some)] for name in rows]
    return yaml("| " + " | ".join(line) + " |" for line in lines)


def filled(text, parts):
    """The text of a file with its generated parts replaced, indented as the lines around them."""

    def fill(place):
        indent, first, name = place.groups()
        return indent + first + "".join(indent * (line > "\n") + line for line in parts[name].splitlines(True))

    return PLACE.sub(fill, text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--plan", choices=("whole", "sparse"))
    parser.add_argument("patterns", nargs="*", metavar="preset")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="folder of the files; default: the project")
    options = parser.parse_args()
    if options.patterns and not options.plan:
        parser.error("presets are for --plan: the files have all of them")
    some = list(compiles(options.patterns and select(options.patterns)))
    if options.plan:
        print(*plan(some, options.plan), sep="\n")
        return 0
    parts = {make.__name__: make(some) for make in (gitlab, picture, table)}
    found = all_cells(Data())
    parts |= {"cells": cells_table(found), "inputs": "".join(inputs(found))}
    texts = {options.root / name: (options.root / name).read_text() for name in FILES}
    found = {place[3] for text in texts.values() for place in PLACE.finditer(text)}
    if found != set(parts):
        names = ", ".join(sorted(set(parts) - found))
        print(f"no place for: {names}: restore its lines 'generated: ...' and 'end'", file=sys.stderr)
        return 1
    differing = {file: filled(text, parts) for file, text in texts.items() if filled(text, parts) != text}
    if options.check and differing:
        names = ", ".join(str(file.relative_to(options.root)) for file in differing)
        print(f"these files do not match the presets: {names}", file=sys.stderr)
        print("run operations/workflows/generate_workflows.py", file=sys.stderr)
        return 1
    if not options.check:
        for file, text in differing.items():
            file.write_text(text)
