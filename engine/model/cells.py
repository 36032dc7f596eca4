# SPDX-License-Identifier: BSD-3-Clause
"""The words of cells, a cell being a release with a backend and an artifact: what is known of it. They are in
packaging/cells.json, for ranges of cells, of which the first that has the cell counts; a cell in none is `pinned`.
docs/cells.md says what they mean. What is refused is in the releases' data (`refused`)."""

import functools
import re

from engine.failure import Failure
from engine.folders import PROJECT
from engine.model.read import check, read

FILE = PROJECT / "packaging/cells.json"
RANGE = {"word": "STRING", "releases": "ARRAY", "backends": "STRING", "artifacts?": "STRING"}
PLACE = {"where": "STRING", "when": "STRING"}
WORDS = {"built": PLACE, "near": {"tree": "STRING"} | PLACE, "official": PLACE}
COMPILED = "built", "near"  # the surest first


@functools.lru_cache
def read_cells(file):
    """The ranges. Error: an unknown word, or a member that it must have, such as the tree of `near`."""
    cells = read(file, {"cells": "ARRAY"}, in_lists=True)["cells"]
    for index, cell in enumerate(cells):
        word = cell.get("word")
        if word not in WORDS:
            raise Failure(f"  {file}: 'cells' {index}: unknown word '{word}'\n  there are: {', '.join(WORDS)}")
        check(cell, f"{file}: 'cells' {index}, '{word}'", RANGE | WORDS[word])
    return cells


def covers(cell, version, *names):
    """Whether a range has the cell, or any of a release, or of a release with a backend."""
    patterns = cell["backends"], cell.get("artifacts", ".*")
    return version in cell["releases"] and all(map(re.fullmatch, patterns, names))


def cell_of(*key):
    """The `word` of a cell and what belongs to it, in order."""
    for cell in read_cells(FILE):
        if covers(cell, *key):
            return {"word": cell["word"]} | {name: cell[name] for name in WORDS[cell["word"]]}
    return {"word": "pinned"}


def has(word, *key):
    """Whether anything of the release, or of it with the backend, has the word."""
    return any(cell["word"] == word and covers(cell, *key) for cell in read_cells(FILE))
