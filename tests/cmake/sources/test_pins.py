# SPDX-License-Identifier: BSD-3-Clause
"""What pins are refused for, and which are for a backend."""

import copy
from unittest import mock

from fixture import BoxTest

from engine.failure import Failure
from engine.sources import pins, request

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


def check(all_pins):
    with mock.patch("engine.model.data.read", return_value=all_pins):
        pins.read("my/pins.json")
    pins.check(all_pins, {"my/pins.json": all_pins["sources"]})


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
            check(changed)
        self.assertIn("the file of pins my/pins.json cannot be used; correct it", str(raised.exception))
        self.assertIn(words, str(raised.exception))

    def test_good_ones(self):
        check(GOOD)

    def test_of_all(self):
        self.expect("has the schema 2, not 1", "schema", 2)
        self.expect("has no 'sources'", "sources", None)
        self.expect("source '../demo' is not a name", "sources", "../demo", {})

    def test_of_a_source(self):
        self.expect("source demo has no 'license'", "sources", "demo", "license", None)
        self.expect("source demo has an unknown member 'licence'", "sources", "demo", "licence", "MIT")
        gone = "source demo has a member that follows from 'submodules'; remove it: 'submodule_path'"
        self.expect(gone, "sources", "demo", "submodule_path", "third_party/demo")
        entries = "it must be a list [...], each entry an object"
        self.expect(f"source demo has 'candidates': 'x'; {entries}", "sources", "demo", "candidates", "x")
        self.expect("source demo has no entry in 'candidates'", "sources", "demo", "candidates", [])
        submodule = {"name": "none", "path": "a", "required": True}
        self.expect("has the submodule 'none', which has no pin", "sources", "demo", "submodules", [submodule])
        place = "source demo, submodule none has 'path': '../a'; it must be a path below the source, without '..'"
        self.expect(place, "sources", "demo", "submodules", [{**submodule, "path": "../a"}])
        for member, value, says in (
            ("reason", " ", "has 'reason': ' '; it must be a text that is not empty"),
            ("source", "", "has 'source': ''; it must be a text that is not empty"),
            ("upstream", 1, "has 'upstream': 1; it must be a text or null"),
            ("only_where", "a", "has 'only_where': 'a'; it must be an object with file, has"),
            ("only_where", {"file": "a"}, "'only_where' has no 'has'"),
            ("lowest_backend_version", "x", "it must be numbers with '.' between them"),
        ):
            patch = {"file": "a.patch", "reason": "r", member: value}
            for words in ("source demo, patch a.patch", says):
                self.expect(words, "sources", "demo", "patches", [patch])
        self.expect("source demo, patch a.patch has no 'reason'", "sources", "demo", "patches", [{"file": "a.patch"}])

    def test_of_a_candidate(self):
        for words, *change in (
            ("source demo, candidate number 1 has no 'version'", "version", None),
            ("has 'version': '../1'", "version", "../1"),
            ("has 'filename': '../../x'", "filename", "../../x"),
            (f"has 'sha256': '{'0' * 63}' (63 characters); it must be 64 lower-case hex digits", "sha256", "0" * 63),
            ("source demo, candidate 1.0 has 'url': 'https://x'; it must be a list [...]", "url", "https://x"),
            ("has no 'sha256', which an archive needs", "sha256", None),
            ("has 'strip': '1'", "strip", "1"),
            ("has 'size': True", "size", True),
            ("candidate 1.0, 'distribution' has 'package': 5", "distribution", {"package": 5}),
            ("candidate 1.0, 'python-index' has no 'project'", "python-index", {"file": "a"}),
            ("has 'into': 'a/../x'", "into", "a/../x"),
            ("has 'subdir': '/x'", "subdir", "/x"),
            ("has 'commit': 'HEAD'", "commit", "HEAD"),
            ("has 'git': 'ext::sh'", "git", "ext::sh"),
            ("has no 'commit', which 'git' needs", "git", "https://x.example/a.git"),
            ("which only git can choose", "complete", ["a"]),
        ):
            with self.subTest(words):
                self.expect(words, "sources", "demo", "candidates", 0, *change)
        self.expect("names no archive and no 'git'", "sources", "demo", "candidates", 0, {"version": "1"})


class Chosen(BoxTest):
    def test_what_is_for_another_one(self):
        found = {
            ("", ""): "all last all.patch",
            ("cuda", "12.4"): "all gpu last gpu2 gpu.patch all.patch",
            ("rocm", "6.2"): "all last all.patch",
            ("rocm", "7.0"): "all last all.patch new.patch",
            ("rocm", "10.0"): "all last all.patch new.patch",
        }
        for (kind, version), names in found.items():
            gpu = {"backend": "cuda"}
            submodules = [{"name": "all"}, {"name": "gpu", **gpu}, {"name": "last"}, {"name": "gpu2", **gpu}]
            new = {"file": "new.patch", "backend": "rocm", "lowest_backend_version": "7"}
            patches = [{"file": "gpu.patch", **gpu}, {"file": "all.patch"}, new]
            some = {"sources": {"a": {"submodules": submodules, "patches": patches}, "b": {}}}
            request.choose_pins(some, {"kind": kind, "version": version} if kind else {})
            left = some["sources"]["a"]
            self.assertEqual(
                " ".join([x["name"] for x in left["submodules"]] + [x["file"] for x in left["patches"]]), names
            )
            self.assertEqual(some["sources"]["b"], {})

    def test_what_is_for_a_feature_that_is_off(self):
        submodules = [{"name": "all"}, {"name": "one", "feature": "ONE"}, {"name": "two", "feature": "TWO"}]
        some = {"sources": {"a": {"submodules": submodules}}}
        request.choose_pins(some, {}, ["TWO", "THREE"])
        self.assertEqual([one["name"] for one in some["sources"]["a"]["submodules"]], ["all", "one"])
