# SPDX-License-Identifier: BSD-3-Clause
"""The words of cells: which one counts, and what is wrong with their file."""

import json
from unittest import mock

from box import BoxTest, flat

from engine.failure import Failure
from engine.model import cells
from engine.model.data import Data

PLACE = {"where": "Debian 12", "when": "2026-11-29"}
BUILT = {"word": "built", "releases": ["2.6.0"], "backends": "cpu"} | PLACE
NEAR = BUILT | {"word": "near", "tree": "2.9.0a0"}


class Cells(BoxTest):
    def read(self, *found):
        return cells.read_cells(self.write(f"{len(json.dumps(found))}.json", {"cells": found}))

    def test_the_first_counts(self):
        found = self.write("cells.json", {"cells": [BUILT | {"artifacts": "wheel.*"}, NEAR | {"artifacts": ".*py311"}]})
        with mock.patch.object(cells, "FILE", found):
            for artifact, word in (("wheel-py311", "built"), ("conda-py311", "near"), ("conda-py312", "pinned")):
                self.assertEqual(cells.cell_of("2.6.0", "cpu", artifact)["word"], word)
            self.assertEqual(cells.cell_of("2.6.0", "cpu", "conda-py311"), {"word": "near", "tree": "2.9.0a0"} | PLACE)
            for version, backend, there in (("2.6.0", "cpu", True), ("2.6.0", "cpux", False), ("2.7.0", "cpu", False)):
                self.assertEqual(cells.has("built", version, backend), there)

    def test_a_row_has_its_cell(self):
        data = Data()
        release = data.release("2.6.0")
        words = {
            one["name"]: {name: row["cell"]["word"] for name, row in data.artifacts(release, one, "").items()}
            for one in data.backends(release)
        }
        self.assertEqual(words["cpu"]["libtorch-shared-with-deps"], "built")
        self.assertEqual(words["official-cpu"]["libtorch-shared-with-deps"], "official")

    def test_errors(self):
        place = "'cells' 0"
        for cell, says in (
            (BUILT | {"word": "biult"}, f"{place}: unknown word 'biult' there are: built, near, official"),
            ({"releases": []}, f"{place}: unknown word 'None'"),
            (BUILT | {"word": "near"}, f"{place}, 'near' has no member 'tree' add it, of type STRING"),
            (BUILT | {"tree": "2.9.0a0"}, f"{place}, 'built' has a member 'tree', which nothing reads"),
            (BUILT | {"releases": "2.6.0"}, f"'releases' in .*{place}, 'built' is of type STRING"),
        ):
            with self.subTest(says), self.assertRaises(Failure) as raised:
                self.read(cell)
            self.assertRegex(flat(str(raised.exception)), says)
