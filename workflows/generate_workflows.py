#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the generated parts of the CI files: the matrix in GitHub's workflows, the jobs in .gitlab-ci.yml, the picture
and the table in docs/jobs.md. A part lies between a line with "generated: <part>" and a line with "end".

    workflows/generate_workflows.py           writes the files
    workflows/generate_workflows.py --check   changes nothing; fails if a file differs
"""

import argparse
import pathlib
import re
import sys

from matrix import ROOT, compiles

FILES = [".github/workflows/pull_request.yml", ".github/workflows/binaries.yml", ".gitlab-ci.yml", "docs/jobs.md"]
# GitHub's runners on which the artifacts of a target are tested:
# https://docs.github.com/en/actions/reference/runners/github-hosted-runners
MACHINES = {"x86_64": "ubuntu-24.04", "aarch64": "ubuntu-24.04-arm"}
PLACE = re.compile(r"(?ms)^([ ]*)([^\n]*\bgenerated: (\w+)[^\n]*\n).*?^(?=[^\n]*\bend\b)")


def yaml(lines):
    return "".join(f"{line}\n" for line in lines)


def entries(some, presets):
    """A matrix for GitHub, with the inputs of .github/workflows/compile.yml."""
    for one in some:
        yield f"- compile: {one.name}"
        yield f"  presets: {' '.join(presets(one))}"
        yield f"  release: {one.release}"
        yield f"  gpu: '{one.gpu}'"
        yield f"  machine: {MACHINES[one.target]}"


def whole(some):
    return yaml(entries(some, lambda one: one.whole))


def sparse(some):
    return yaml(entries((one for one in some if one.sparse), lambda one: one.sparse))


def gitlab(some):
    """The jobs of each compile. What they share is written by hand, at the top of the file."""
    lines = []
    for one in some:
        lines += ["", f"build:{one.name}:", "  extends: .build", "  variables:", f"    COMPILE: {one.name}"]
        lines += [
            "  cache:",
            f"    - key: {{prefix: sources-{one.name}, files: [releases/{one.release}/sources.json]}}",
        ]
        lines += ["      paths: [build/cache/sources]", "    - *store", "    - *compiler", "  rules:"]
        rules = [("whole", one.whole)] + ([("sparse", one.sparse)] if one.sparse else [])
        for name, presets in rules:
            lines += [f"    - if: $MATRIX == '{name}'", "      variables:", f"        PRESETS: {' '.join(presets)}"]
        tags = f"  tags: [$TSB_RUNNER_{(one.gpu or one.target).upper()}]"
        lines += ["", f"test:{one.name}:", "  extends: .test", tags, f"  needs: ['build:{one.name}']", "  rules:"]
        lines += [f"    - if: $MATRIX == '{name}'" for name, _ in rules]
        lines += ["", f"upload:{one.name}:", "  extends: .upload", f"  needs: ['build:{one.name}', 'test:{one.name}']"]
        lines += ["", f"smoke:{one.name}:", "  extends: .smoke", tags, f"  needs: ['upload:{one.name}']"]
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
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="folder of the files; default: the project")
    options = parser.parse_args()
    some = list(compiles())
    parts = {make.__name__: make(some) for make in (whole, sparse, gitlab, picture, table)}
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
        print("run workflows/generate_workflows.py", file=sys.stderr)
        return 1
    if not options.check:
        for file, text in differing.items():
            file.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
