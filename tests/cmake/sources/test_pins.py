# SPDX-License-Identifier: BSD-3-Clause
"""What pins are refused for."""

import copy

from fixture import BoxTest

import cache
import pins
import request
from text import Failure

GOOD = {
    "schema": 1,
    "sources": {
        "demo": {
            "license": "MIT",
            "candidates": [
                {
                    "version": "1.0",
                    "filename": "demo.tar",
                    "sha256": "0" * 64,
                    "strip": 1,
                    "url": ["https://x.example/a"],
                }
            ],
        }
    },
}


class Faults(BoxTest):
    def expect(self, words, *way_and_value):
        *way, value = way_and_value
        changed = copy.deepcopy(GOOD)
        place = changed
        for step in way[:-1]:
            place = place[step]
        if value is None:
            del place[way[-1]]
        else:
            place[way[-1]] = value
        with self.assertRaises(Failure) as raised:
            pins.check(changed, "my/pins.json")
        self.assertIn("the file of pins my/pins.json cannot be used; correct it", str(raised.exception))
        self.assertIn(words, str(raised.exception))

    def test_good_ones(self):
        pins.check(GOOD, "my/pins.json")

    def test_each_fault(self):
        candidate = ("sources", "demo", "candidates", 0)
        self.expect("has the schema 2, not 1", "schema", 2)
        self.expect("has no 'sources'", "sources", None)
        self.expect("source '../demo' is not a name", "sources", "../demo", {})
        self.expect("source demo has no 'license'", "sources", "demo", "license", None)
        self.expect("source demo has an unknown member 'licence'", "sources", "demo", "licence", "MIT")
        self.expect("source demo has 'candidates': 'x'", "sources", "demo", "candidates", "x")
        self.expect("source demo has 'submodules': [{}]", "sources", "demo", "submodules", [{}])
        submodule = {"name": "none", "path": "a", "required": True}
        self.expect("has the submodule 'none', which has no pin", "sources", "demo", "submodules", [submodule])
        submodule.update(name="demo", path="../a")
        self.expect("has 'submodules': [{'name'", "sources", "demo", "submodules", [submodule])
        of_wrong_kind = {"file": "../a", "reason": 5, "only_where": "a", "applies_to": 5, "lowest_backend_version": "x"}
        for member, value in of_wrong_kind.items():
            patch = {"file": "a.patch", "reason": "r", member: value}
            self.expect("has 'patches': [{'file'", "sources", "demo", "patches", [patch])
        self.expect("source demo, candidate 0 has no 'version'", *candidate, "version", None)
        self.expect("has 'version': '../1'", *candidate, "version", "../1")
        self.expect("has 'filename': '../../x'", *candidate, "filename", "../../x")
        self.expect("has 'filename': '.'", *candidate, "filename", ".")
        self.expect(f"has 'sha256': '{'0' * 63}'", *candidate, "sha256", "0" * 63)
        self.expect("has no 'sha256', which an archive needs", *candidate, "sha256", None)
        self.expect("has 'strip': '1'", *candidate, "strip", "1")
        self.expect("has 'strip': 1.0", *candidate, "strip", 1.0)
        self.expect("has 'size': True", *candidate, "size", True)
        wheel = {"project": "a", "version": "1", "file": "../../a.whl"}
        for member, value in (
            ("distribution", {"package": 5}),
            ("distribution", {"package": "-oDir=/"}),
            ("distribution-binary", {"package": "a", "version": "-1"}),
            ("python-index", wheel),
            ("python-index", {**wheel, "file": "a.whl", "project": "a\nb"}),
        ):
            self.expect(f"has '{member}': {value}", *candidate, member, value)
        self.expect("has 'into': 'a/../../x'", *candidate, "into", "a/../../x")
        self.expect("has 'subdir': '/x'", *candidate, "subdir", "/x")
        self.expect("has 'commit': 'HEAD'", *candidate, "commit", "HEAD")
        self.expect("has 'git': 'ext::sh'", *candidate, "git", "ext::sh")
        self.expect("has no 'commit', which 'git' needs", *candidate, "git", "https://x.example/a.git")
        self.expect("which only git can choose", *candidate, "complete", ["a"])
        self.expect("names no archive and no 'git'", *candidate, {"version": "1"})

    def test_nested_too_deep(self):
        file = self.box / "demo.tar.ok"
        file.write_text("[" * 200000)
        with self.assertRaisesRegex(Failure, "the file of pins .* is not JSON: .*recursion"):
            request.read_json(str(file), "file of pins")
        self.assertEqual(cache.memory_of(str(self.box / "demo.tar")), {})
