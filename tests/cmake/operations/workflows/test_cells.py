# SPDX-License-Identifier: BSD-3-Clause
"""Every cell has its word or its reason, and each range of packaging/cells.json has a cell."""

import re
from unittest import mock

from box import BoxTest, flat

import cells

from engine.failure import Failure
from engine.model import cells as words
from engine.model.data import Data

DATA = Data()
RELEASES = [DATA.release(version) for version in DATA.names("releases")]
BUILT = {"word": "built", "releases": ["2.6.0"], "backends": "cpu", "where": "here", "when": "today"}
NO_CELL = "names no cell of 2.6.0 correct its backends or artifacts, or take the release out"


class Cells(BoxTest):
    def ranges(self, *ranges):
        """As if packaging/cells.json had these."""
        file = self.write(f"{len(str(ranges))}.json", {"cells": ranges})
        patcher = mock.patch.object(words, "FILE", file)
        patcher.start()
        self.addCleanup(patcher.stop)
        return file

    def test_each_has_one(self):
        """What can be made has a word, and what is refused its reason; there are no others."""
        made = {
            (release["version"], backend["name"], artifact): row["cell"]
            for release in RELEASES
            for backend in DATA.backends(release)
            for artifact, row in DATA.artifacts(release, backend, "").items()
        }
        found = {key: cell for key, (_, cell) in cells.all_cells(DATA).items()}
        refused = {key: cell for key, cell in found.items() if cell["word"] == "refused"}
        self.assertEqual(found, made | refused)
        self.assertEqual(set(made) & set(refused), set())
        reasons = {entry["why"] for release in RELEASES for entry in release.get("refused", ())}
        self.assertEqual({cell["why"] for cell in refused.values()}, reasons)

    def test_a_range_without_a_cell(self):
        for wrong in (
            {"backends": "cu130"},
            {"artifacts": "wheel-py314"},
            {"word": "official"},  # the one before has it
            {"releases": ["2.9.1", "2.6.0"], "artifacts": "wheel-py39"},  # which 2.9.1 is not made for
        ):
            with self.subTest(wrong):
                self.ranges(BUILT, BUILT | wrong)
                version = wrong.get("releases", ["2.6.0"])[0]
                says = f"'cells' 1, '{wrong.get('word', 'built')}', {NO_CELL.replace('2.6.0', version)}"
                with self.assertRaises(Failure) as raised:
                    cells.all_cells(DATA)
                self.assertIn(says, flat(str(raised.exception)))

    def test_the_table(self):
        """A row has all cells of one word and one reason."""
        (cpu,) = [one for one in DATA.backends(RELEASES[-1]) if one["name"] == "cpu"]
        rows, found = DATA.artifacts(RELEASES[-1], cpu, ""), {}
        near, tail = (
            {"word": "near", "tree": "9.8.0a0", "where": "here", "when": "today"},
            {"word": "refused", "why": "so"},
        )
        for version, backend, pattern, cell in (
            ("9.9.0", "cpu", "libtorch-shared-with-.*", near),
            ("9.9.0", "cpu", "libtorch.*", {"word": "pinned"}),
            ("9.9.0", "cpu", ".*", tail),
            ("9.8.0", "cpu", "libtorch.*|(wheel|conda)-py3(9|1[01])", near),
            ("9.8.0", "cpu", ".*", {"word": "pinned"}),
            *((version, backend, ".*", tail) for version in ("9.7.0", "9.6.0") for backend in ("cpu", "cu124")),
        ):
            for artifact, row in rows.items():
                if re.fullmatch(pattern, artifact):
                    found.setdefault((version, backend, artifact), (row, cell))
        self.assertEqual(
            cells.table(found).splitlines()[2:],
            [
                "| near | 9.9.0 | `cpu` | libtorch-shared-with-deps | 9.8.0a0, here, today |",
                "| near | 9.8.0 | `cpu` | libtorch; wheel, conda 3.9, 3.10, 3.11 | 9.8.0a0, here, today |",
                "| pinned | 9.9.0 | `cpu` | libtorch-shared-without-deps, libtorch-static-with-deps, "
                "libtorch-static-without-deps |  |",
                "| pinned | 9.8.0 | `cpu` | wheel, conda 3.12, 3.13 |  |",
                "| refused | 9.9.0 | `cpu` | wheel, conda | so |",
                "| refused | 9.6.0, 9.7.0 | `cpu`, `cu124` | all | so |",
            ],
        )
