# SPDX-License-Identifier: BSD-3-Clause
"""advisories.json of a release: what is refused, and the order of versions."""

import copy
import sys

from box import ROOT, BoxTest

sys.path.insert(0, str(ROOT / "packaging/sbom"))

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


GOOD = {"status": "not_affected", "justification": "component_not_present", "impact_statement": "Not built."}
EVENTS = "A-1 has other 'events' than one 'introduced' and then at most one 'fixed' or 'last_affected'"
ONLY = f"but it may be, with not_affected, only one of: {', '.join(advisories.JUSTIFICATIONS)}"


class Advisories(BoxTest):
    def setUp(self):
        super().setUp()
        self.document = copy.deepcopy(DOCUMENT)
        self.record = self.document["advisories"][0]
        self.range = self.record["affected"][0]["ranges"][0]

    def read(self, document, version="9.9.0+cpu"):
        """What it is taken for, and the faults without the file's name."""
        file = str(self.write("advisories.json", document))
        found, faults = advisories.read_advisories(file, version)
        self.assertTrue(all("tools/import_release/import_advisories.py" in remedy for _, remedy in faults))
        return found, sorted(what.replace(f"{file}: ", "") for what, _ in faults)

    def test_sound(self):
        self.assertEqual(self.read(DOCUMENT), (DOCUMENT, []))
        self.record["database_specific"] = GOOD
        self.assertEqual(self.read(self.document), (self.document, []))

    def test_a_release_without_the_file(self):
        self.assertEqual(advisories.read_advisories("", "9.9.0"), (None, []))

    def test_several_members(self):
        del self.document["source"]["license"]
        self.record["cvss"] = "9"
        self.record["references"][0]["url"] = ["https://a"]
        self.record["aliases"] = "CVE-1-2"
        expected = [
            "advisories[0] has an unknown member 'cvss'",
            "advisories[0], aliases is not a list",
            "advisories[0], references[0], url is not a text",
            "source has no 'license'",
        ]
        self.assertEqual(self.read(self.document)[1], expected)

    def test_the_whole(self):
        for document, text in (
            ([], "it is not an object"),
            ({**DOCUMENT, "more": 1}, "it has an unknown member 'more'"),
            ({**DOCUMENT, "schema": True}, "schema is not a number"),
            ({**DOCUMENT, "schema": 2}, "it has the schema 2, not 1"),
            (
                {**DOCUMENT, "source": {"date": "2026-01-01", "license": "x"}},
                "source has neither 'databases' nor a 'statement'",
            ),
            (
                {**DOCUMENT, "source": {**SOURCE, "date": "May 2026"}},
                "source has the date 'May 2026', not one such as 2026-08-26",
            ),
            ({**DOCUMENT, "advisories": [RECORD, RECORD]}, "A-1 is in it twice"),
        ):
            self.assertEqual(self.read(document), (None, [text]))
        for release, version in (("9.9.0", "9.8.0"), ("main", "main")):
            text = f"it is of the release '{release}', not of '{version}'"
            self.assertEqual(self.read({**DOCUMENT, "release": release}, version), (None, [text]))

    def test_a_record(self):
        torchvision = copy.deepcopy(RECORD["affected"])
        torchvision[0]["package"]["name"] = "torchvision"
        other, since = "A-1 has another 'affected' than one entry for PyPI's torch", {"introduced": "0"}
        record, ranges = self.record, self.range
        for place, member, value, text in (
            (record, "affected", torchvision, other),
            (record, "affected", [], other),
            (ranges, "type", "GIT", "A-1 has other 'ranges' than one of the type ECOSYSTEM"),
            (ranges, "events", [], EVENTS),
            (ranges, "events", [{"fixed": "9.10.0"}], EVENTS),
            (ranges, "events", [{**since, "fixed": "9.10.0"}], EVENTS),
            (ranges, "events", [since, {"fixed": "9.10.0"}, {"introduced": "9.11.0"}], EVENTS),
            (
                ranges,
                "events",
                [since, {"last_affected": "9.9.0-NA"}],
                "A-1 has an event that is not a version: 'last_affected': 9.9.0-NA",
            ),
            (
                ranges,
                "events",
                [since, {"fixed": "9.9.0"}],
                "A-1 does not affect 9.9.0: its events are introduced 0, fixed 9.9.0",
            ),
        ):
            before, place[member] = place[member], value
            self.assertEqual(self.read(self.document), (None, [text]))
            place[member] = before

    def test_statuses(self):
        for status, text in (
            ({**GOOD, "status": "harmless"}, "A-1 has the status 'harmless', which is none of: not_affected, fixed"),
            ({"status": "fixed"}, "A-1 has a status, and no 'impact_statement' that says why"),
            ({**GOOD, "justification": "nobody_calls_it"}, f"A-1 has the justification 'nobody_calls_it', {ONLY}"),
            ({**GOOD, "status": "fixed"}, f"A-1 has the justification 'component_not_present', {ONLY}"),
        ):
            self.record["database_specific"] = status
            self.assertEqual(self.read(self.document), (None, [text]))

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
