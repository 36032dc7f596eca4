# SPDX-License-Identifier: BSD-3-Clause
"""Every cell has its word or its reason, each range of packaging/cells.json has a cell, and what .github/workflows/cell.yml
asks for a cell and writes of it."""

import itertools
import json
import re
from unittest import mock

from box import BoxTest

import cells

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

    def ask(self, ends, *arguments, says=()):
        self.run_main(ends, cells.main, "cells.py", *arguments, says=says)

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
        later, backends = DATA.names("releases")[:-1], cells.known_backends(DATA, RELEASES)
        self.assertEqual(set(itertools.product(later, backends)) - {key[:2] for key in found}, set(), "no reason")
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
                says = [f"'cells' 1, '{wrong.get('word', 'built')}', {NO_CELL.replace('2.6.0', version)}"]
                self.ask(3, "preset", "2.9.1", "cpu", "libtorch-shared-with-deps", says=says)

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

    def test_a_job_for_a_cell(self):
        file = self.ranges(BUILT)
        key = "2.9.1", "cpu", "libtorch-static-with-deps"
        self.ask(0, "preset", *key)
        self.assertEqual(self.text, "preset=cpu-libtorch-static\nsettings=TSB_PYTORCH_VERSION=2.9.1\n")
        refused = next((*one, cell["why"]) for one, (_, cell) in cells.all_cells(DATA).items() if "why" in cell)
        for asked, says in (
            (("2.6.0", *key[1:]), "2.6.0 cpu libtorch-static-with-deps is built, here, today docs/cells.md has"),
            (refused[:3], f"is refused, {refused[3]}"),
            (("2.9.1", "cpu", "wheel-py27"), "is not there docs/cells.md has"),
        ):
            for words_of in ("preset", *asked), ("built", *asked, "here"):
                self.ask(3, *words_of, says=[says])
        self.ask(
            2, "preset", "cpu", says=["operations/workflows/cells.py built <release> <backend> <artifact> <where>"]
        )
        self.ask(0, "built", *key, "there")
        added = json.loads(file.read_text())["cells"]
        self.assertEqual(added[0], BUILT)
        own = {"releases": ["2.9.1"], "artifacts": key[2], "where": "there", "when": added[1]["when"]}
        self.assertEqual(added[1], BUILT | own)
        self.assertRegex(added[1]["when"], r"^20\d\d-\d\d-\d\d$")

    def test_each_pinned_cell_has_a_preset(self):
        """The form offers it, so there is a preset of its backend that makes it."""
        found = cells.all_cells(DATA)
        offered = [re.search(r"options: (.*)}", line)[1] for line in cells.inputs(found)]
        releases, backends, artifacts = map(json.loads, offered)
        pinned = [key for key, (_, cell) in found.items() if cell["word"] == "pinned" and key[2] in artifacts]
        self.assertEqual({key[:2] for key in pinned} - set(itertools.product(releases, backends)), set())
        known = cells.all_presets(user=False)
        with mock.patch.object(cells, "all_presets", return_value=known), mock.patch("builtins.print") as said:
            for key in pinned:
                cells.preset(found, *key)
        self.assertEqual(len(pinned), said.call_count)
        for call in said.call_args_list:
            self.assertIn(call.args[0].removeprefix("preset="), [one.name for one in known])

    def test_what_is_made_along(self):
        """conda packages for a Python have those of libtorch with them; a Python without a preset is one of all."""
        file = self.ranges()
        key = "2.6.0", "cpu", "conda-py312"
        with mock.patch.object(cells, "all_presets", return_value=[mock.Mock()]) as presets:
            self.ask(
                3,
                "preset",
                *key,
                says=["cpu has no preset that makes conda-py312 of 2.6.0 write one of your own: docs/CMake"],
            )
            presets.return_value[0].name = "cpu-all"
            self.ask(0, "preset", *key)
        self.assertEqual(self.text, "preset=cpu-all\nsettings=TSB_PYTORCH_VERSION=2.6.0 TSB_PYTHONS=3.12\n")
        self.ask(0, "built", *key, "here")
        (cell,) = json.loads(file.read_text())["cells"]
        self.assertTrue(all(words.covers(cell, "2.6.0", "cpu", name) for name in ("conda-py312", "conda-libtorch")))
        self.assertFalse(words.covers(cell, "2.6.0", "cpu", "conda-py311"))
