# SPDX-License-Identifier: BSD-3-Clause
"""advisories.json of a release: what is refused, and the order of versions."""

import copy
import json
import pathlib
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(PROJECT / "packaging/sbom"))

import advisories  # noqa: E402
import version_order  # noqa: E402

RECORD = {
    "id": "A-1",
    "modified": "2026-01-01T00:00:00Z",
    "aliases": ["CVE-1-2"],
    "affected": [
        {
            "package": {"ecosystem": "PyPI", "name": "torch"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "9.10.0"}]}],
        }
    ],
    "references": [{"type": "ADVISORY", "url": "https://example.org/A-1"}],
}
SOURCE = {"date": "2026-01-01", "license": "CC-BY-4.0", "statement": "By hand."}
DOCUMENT = {"schema": 1, "release": "9.9.0", "source": SOURCE, "advisories": [RECORD]}


class Advisories(unittest.TestCase):
    def setUp(self):
        self.document = copy.deepcopy(DOCUMENT)
        self.record = self.document["advisories"][0]
        self.range = self.record["affected"][0]["ranges"][0]

    def read(self, document, version="9.9.0+cpu"):
        with tempfile.TemporaryDirectory(dir=".") as folder:
            self.place = folder + "/advisories.json"
            pathlib.Path(self.place).write_text(json.dumps(document))
            return advisories.read_advisories(self.place, version)

    def expect_refused(self, text, version="9.9.0+cpu"):
        document, faults = self.read(self.document, version)
        self.assertIsNone(document)
        self.assertEqual([what for what, _ in faults], ["%s: %s" % (self.place, text)])
        self.assertIn("tools/import_release/import_advisories.py", faults[0][1])

    def test_sound(self):
        self.assertEqual(self.read(DOCUMENT), (DOCUMENT, []))

    def test_a_release_without_the_file(self):
        self.assertEqual(advisories.read_advisories("", "9.9.0"), (None, []))

    def test_members(self):
        del self.document["source"]["license"]
        self.record["cvss"] = "9"
        self.record["references"][0]["url"] = ["https://a"]
        self.record["aliases"] = "CVE-1-2"
        _, faults = self.read(self.document)
        self.assertEqual(
            sorted(what[len(self.place) + 2 :] for what, _ in faults),
            [
                "advisories[0] has an unknown member 'cvss'",
                "advisories[0], aliases is not a list",
                "advisories[0], references[0], url is not a text",
                "source has no 'license'",
            ],
        )

    def test_the_whole(self):
        self.document = []
        self.expect_refused("it is not an object")
        self.document = {**DOCUMENT, "more": 1}
        self.expect_refused("it has an unknown member 'more'")
        self.document = {**DOCUMENT, "schema": True}
        self.expect_refused("schema is not a number")
        self.document = {**DOCUMENT, "schema": 2}
        self.expect_refused("it has the schema 2, not 1")
        self.document = {**DOCUMENT, "source": {"date": "2026-01-01", "license": "x"}}
        self.expect_refused("source has neither 'databases' nor a 'statement'")
        self.document = {**DOCUMENT, "source": {**SOURCE, "date": "May 2026"}}
        self.expect_refused("source has the date 'May 2026', not one such as 2026-08-26")
        self.document = {**DOCUMENT, "advisories": [RECORD, RECORD]}
        self.expect_refused("A-1 is in it twice")

    def test_another_release(self):
        self.expect_refused("it is of the release '9.9.0', not of '9.8.0'", "9.8.0")
        self.document["release"] = "main"
        self.expect_refused("it is of the release 'main', not of 'main'", "main")

    def test_not_affected(self):
        self.range["events"][1]["fixed"] = "9.9.0"
        self.expect_refused("A-1 does not affect 9.9.0: its events are introduced 0, fixed 9.9.0")

    def test_what_it_affects(self):
        self.record["affected"][0]["package"]["name"] = "torchvision"
        self.expect_refused("A-1 has another 'affected' than one entry for PyPI's torch")
        self.record["affected"] = []
        self.expect_refused("A-1 has another 'affected' than one entry for PyPI's torch")

    def test_ranges(self):
        self.range["type"] = "GIT"
        self.expect_refused("A-1 has other 'ranges' than one of the type ECOSYSTEM")

    def test_events(self):
        for events in (
            [],
            [{"fixed": "9.10.0"}],
            [{"introduced": "0", "fixed": "9.10.0"}],
            [{"introduced": "0"}, {"fixed": "9.10.0"}, {"introduced": "9.11.0"}],
        ):
            self.range["events"] = events
            self.expect_refused(
                "A-1 has other 'events' than one 'introduced' and then at most one 'fixed' or 'last_affected'"
            )
        self.range["events"] = [{"introduced": "0"}, {"last_affected": "9.9.0-NA"}]
        self.expect_refused("A-1 has an event that is not a version: 'last_affected': 9.9.0-NA")

    def test_statuses(self):
        good = {"status": "not_affected", "justification": "component_not_present", "impact_statement": "Not built."}
        self.record["database_specific"] = good
        self.assertEqual(self.read(self.document)[1], [])
        self.record["database_specific"] = {**good, "status": "harmless"}
        self.expect_refused("A-1 has the status 'harmless', which is none of: not_affected, fixed")
        self.record["database_specific"] = {"status": "fixed"}
        self.expect_refused("A-1 has a status, and no 'impact_statement' that says why")
        only = ", ".join(advisories.JUSTIFICATIONS)
        text = "A-1 has the justification '%%s', but it may be, with not_affected, only one of: %s" % only
        self.record["database_specific"] = {**good, "justification": "nobody_calls_it"}
        self.expect_refused(text % "nobody_calls_it")
        self.record["database_specific"] = {**good, "status": "fixed"}
        self.expect_refused(text % "component_not_present")

    def test_advice(self):
        self.assertEqual(advisories.advice(self.record), "Use PyTorch 9.10.0 or newer.")
        self.range["events"][1] = {"last_affected": "9.9.0"}
        self.assertIn("No release is named that fixes it.", advisories.advice(self.record))

    def test_the_order_of_versions(self):
        # The list in PEP 440, but for epochs, and what PyTorch's versions have.
        versions = "1.0.dev456 1.0a1 1.0a2.dev456 1.0a12.dev456 1.0a12 1.0b1.dev456 1.0b2 1.0b2.post345.dev456"
        versions += " 1.0b2.post345 1.0rc1.dev456 1.0rc1 1.0 1.0+abc.5 1.0+abc.7 1.0+5 1.0.post456.dev34 1.0.post456 1.0.15 1.1.dev1"
        versions += " 2.6.0 2.6.0+cu124 2.7.1-rc1 2.7.1 2.9.1 2.10.0"
        self.assertEqual(sorted(reversed(versions.split()), key=version_order.order), versions.split())
        for one, other in (("1.0", "1"), ("1.0.0c1", "1.0-RC.1"), ("1.0-1", "v1.0.post1"), ("1.0alpha", "1.0a0")):
            self.assertEqual(version_order.order(one), version_order.order(other))
        for text in ("2.6.0-NA", "2.6.0-cu124", "", "main", "1..0"):
            self.assertFalse(version_order.is_version(text), text)
