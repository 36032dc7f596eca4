# SPDX-License-Identifier: BSD-3-Clause
"""engine/model/difference.py: what differs from what a release inherits, as the importers write it."""

import json

from box import BoxTest

from engine.failure import Failure
from engine.model.difference import as_text, difference, write_difference
from engine.model.inherit import merge

OPTIONS = [{"option": "A", "value": "1"}, {"option": "A", "value": "2", "backend": "x"}, {"option": "B", "value": "ON"}]
OLD = {"kept": 1, "gone": 2, "inner": {"a": [1, 2], "b": None}, "options": OPTIONS, "list": [{"option": "A"}]}
NEW = {
    "kept": 1,
    "inner": {"a": [3], "b": None},
    "options": [OPTIONS[0], {**OPTIONS[1], "value": "3"}, {"option": "C", "value": ""}],
    "list": [{"option": "C"}],
    "added": {"x": {}},
}


class Values(BoxTest):
    def test_difference(self):
        found = difference(OLD, NEW, "f")
        expected = {
            "gone": None,
            "inner": {"a": [3]},
            "options": [
                {"option": "B", "gone": "this release does not have it"},
                {**OPTIONS[1], "value": "3"},
                {"option": "C", "value": ""},
            ],
            "list": [{"option": "C"}],
            "added": {"x": {}},
        }
        self.assertEqual(found, expected)
        self.assertEqual(merge(OLD, found, "f"), NEW | {"inner": {"a": [3]}})  # null takes away
        found["options"][0]["gone"] = "why"
        found = dict(reversed(found.items()))
        self.assertEqual(str(difference(OLD, NEW, "f", found)), str(found))  # the order of members, too

    def test_order(self):
        """A file cannot say a new order of what is inherited, so none is written that would lose it."""
        file = self.box / "options.json"
        for options in (OPTIONS[::-1], [{"option": "C"}, *OPTIONS]):
            with self.assertRaisesRegex(Failure, f"{file.name}: entries of a list are not in the order"):
                write_difference(file, OLD, {**OLD, "inner": {}, "options": options})
        self.assertFalse(file.exists())
        write_difference(file, OLD, {**OLD, "options": [*OPTIONS, {"option": "C"}]})
        self.assertEqual(json.loads(file.read_text()), {"options": [{"option": "C"}]})

    def test_text(self):
        value = {"one": {"a": ["x" * 70]}, "long": {"a": "y" * 100, "b": [{"c": "z" * 100}, 1]}, "empty": {}}
        text = as_text(value)
        self.assertEqual(json.loads(text), value)
        self.assertEqual(text.splitlines()[1:3], ['  "one": {"a": ["%s"]},' % ("x" * 70), '  "long": {'])

    def test_two_of_one_name(self):
        """The file is named that the importer would write."""
        file = self.box / "options.json"
        with self.assertRaisesRegex(Failure, f"  {file}: 'B' is twice in one list\n  remove one"):
            write_difference(file, OLD, {**OLD, "options": [*OPTIONS, OPTIONS[-1]]})
