# SPDX-License-Identifier: BSD-3-Clause
"""tools/import_release/import_advisories.py, on repositories with records as the databases write them."""

import json

from box import RepositoryTest

SCRIPT = "tools/import_release/import_advisories.py"
# As in the PyPA Advisory Database, which has also written its members in this order: affected, aliases, details, id.
RECORD = """id: PYSEC-9-%(number)s
details: Something is wrong.
affected:
- package:
    name: %(package)s
    ecosystem: PyPI
    purl: pkg:pypi/%(package)s
  ranges:
  - type: GIT
    repo: https://github.com/pytorch/pytorch
    events:
    - introduced: "0"
    - fixed: 767f6aa49fe20a2766b9843d01e3b7f7793df6a3
  - type: ECOSYSTEM
    events:
    - introduced: "0"
%(ends)s
  versions: [%(versions)s]
  ecosystem_specific: {}
references:
- type: FIX
  url: https://example.org/%(number)s
aliases:
- CVE-9-%(number)s
modified: "2026-05-20T09:19:19.437232Z"
published: 2025-09-25T15:16:12.007Z
%(more)s"""


def record(number, *ends, package="torch", versions="1.0.0", more=""):
    lines = "\n".join("    - " + end for end in ends)
    return RECORD % {"number": number, "ends": lines, "package": package, "versions": versions, "more": more}


def advisory(number, fixed, *aliases):
    """As in GitHub's database."""
    affected = {"package": {"ecosystem": "PyPI", "name": "torch"}}
    affected["ranges"] = [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": fixed}]}]
    said = {"id": "GHSA-%s" % number, "modified": "2026-07-17T00:00:00Z", "aliases": aliases, "affected": [affected]}
    return json.dumps({**said, "summary": "Theirs"}, indent=2) + "\n"


class ImportAdvisories(RepositoryTest):
    def setUp(self):
        super().setUp()
        self.release = self.box / "releases/9.9.0"
        self.write("releases/9.9.0/sources.json", {"schema": 1, "release": "9.9.0", "sources": {}})
        self.environment(GIT_COMMITTER_DATE="2026-08-26T12:00:00Z")

    def database(self, name, files, origin=True):
        self.repository(name, files)
        if origin:
            self.git(name, "remote", "add", "origin", f"https://user:word@example.org/{name}")
        return self.box / name

    def pypa(self, *records, **options):
        files = {"vulns/x/PYSEC-%d.yaml" % number: text for number, text in enumerate(records)}
        return self.database("pypa", files, **options)

    def run_script(self, *checkouts, status=0):
        self.run_python(status, SCRIPT, self.release, *checkouts)
        return self.text

    def written(self):
        return json.loads((self.release / "advisories.json").read_text())

    def events(self, *records):
        """{number: the events that are kept} of what was imported."""
        self.output = self.run_script(self.pypa(*records))
        found = {item["id"][len("PYSEC-9-") :]: item["affected"] for item in self.written()["advisories"]}
        self.assertTrue(all(len(item) == 1 and len(item[0]["ranges"]) == 1 for item in found.values()))
        return {
            number: {kind: version for event in item[0]["ranges"][0]["events"] for kind, version in event.items()}
            for number, item in found.items()
        }

    def test_which_records_are_kept(self):
        found = self.events(
            record(1, "fixed: 9.10"),  # a number, as YAML has it
            record(2, "fixed: 9.9.0"),
            record(3, "last_affected: 9.9.0"),
            record(4, "last_affected: 9.8.2"),
            record(5, "fixed: 9.5.1", "introduced: 9.9.0rc1", "fixed: 9.9.1"),
            record(6, "fixed: 9.5.1", "introduced: 9.9.1"),
            record(7, "fixed: 9.10.0", more='withdrawn: "2026-01-01T00:00:00Z"\n'),
            record(8, "fixed: 9.10.0", package="torchvision"),
            record(9, "fixed: 9.5.1", versions="9.8.0, 9.9.0"),
            record(10, "limit: 9.5.1"),
        )
        expected = {
            "1": {"introduced": "0", "fixed": "9.10"},
            "3": {"introduced": "0", "last_affected": "9.9.0"},
            "5": {"introduced": "9.9.0rc1", "fixed": "9.9.1"},
            "9": {"introduced": "9.9.0", "last_affected": "9.9.0"},
            "10": {"introduced": "0"},
        }
        self.assertEqual(found, expected)

    def test_ends_as_the_database_really_has_them(self):
        found = self.events(
            record(1, "last_affected: 9.9.0-NA"),
            record(2, "last_affected: 9.9.0-cu124"),
            record(3, "last_affected: 9.9.0+cu124"),
            record(4, "last_affected: 9.5.0-NA", "last_affected: 9.11.1-NA"),
            record(5, "{}", "{}"),
            record(6, "last_affected: 9.8.0-NA"),
        )
        ends = {number: events.get("last_affected") for number, events in found.items()}
        self.assertEqual(ends, {"1": "9.9.0", "2": "9.9.0", "3": "9.9.0+cu124", "4": "9.11.1", "5": None})
        self.assertIn("Ends that are not versions: 5\n", self.output)
        self.assertIn("  PYSEC-9-2: 9.9.0-cu124 counts as 9.9.0\n", self.output)

    def test_what_is_written(self):
        checkout = self.pypa(record(1, "fixed: 9.10.0"))
        (checkout / "vulns/x/PYSEC-0.yaml").write_text("what is not committed")
        self.run_script(checkout)
        commit = self.git(checkout, "rev-parse", "HEAD")
        self.assertEqual(
            self.written(),
            {
                "schema": 1,
                "release": "9.9.0",
                "source": {
                    "date": "2026-08-26",
                    "license": "CC-BY-4.0",
                    "databases": [
                        {"repository": "https://example.org/pypa", "commit": commit, "date": "2026-08-26"},
                    ],
                },
                "advisories": [
                    {
                        "id": "PYSEC-9-1",
                        "modified": "2026-05-20T09:19:19.437232Z",
                        "aliases": ["CVE-9-1"],
                        "affected": [
                            {
                                "package": {"ecosystem": "PyPI", "name": "torch"},
                                "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "9.10.0"}]}],
                            }
                        ],
                        "references": [{"type": "ADVISORY", "url": "https://osv.dev/vulnerability/PYSEC-9-1"}],
                    }
                ],
            },
        )

    def test_two_databases(self):
        first = self.pypa(record(1, "last_affected: 9.9.0-NA"), record(2, "fixed: 9.11.0"))
        texts = [advisory("a", "9.13.0", "CVE-9-1"), advisory("b", "9.12.0", "CVE-9-2"), advisory("c", "9.10.0")]
        second = self.database("github", {"a/%d.json" % number: text for number, text in enumerate(texts)})
        self.run_script(first, second)
        found = {item["id"]: item for item in self.written()["advisories"]}
        self.assertEqual(list(found), ["GHSA-c", "PYSEC-9-1", "PYSEC-9-2"])
        self.assertEqual(found["PYSEC-9-1"]["aliases"], ["CVE-9-1", "GHSA-a"])
        fixed = {name: item["affected"][0]["ranges"][0]["events"][1]["fixed"] for name, item in found.items()}
        self.assertEqual(fixed, {"GHSA-c": "9.10.0", "PYSEC-9-1": "9.13.0", "PYSEC-9-2": "9.11.0"})
        self.assertEqual(found["GHSA-c"]["summary"], "Theirs")
        self.assertEqual(len(self.written()["source"]["databases"]), 2)

    def test_what_came_went_and_changed(self):
        checkout = self.pypa(*(record(number, "fixed: 9.10.0") for number in (1, 2, 3)))
        self.assertIn("Advisories that came: 3\n", self.run_script(checkout))
        document = self.written()
        status = {"status": "not_affected", "impact_statement": "Not compiled."}
        document["advisories"][0].update(summary="Ours", database_specific=status)
        (self.release / "advisories.json").write_text(json.dumps(document))
        (checkout / "vulns/x/PYSEC-0.yaml").write_text(record(1, "fixed: 9.11.0"))
        (checkout / "vulns/x/PYSEC-1.yaml").write_text(record(2, "fixed: 9.9.0"))
        (checkout / "vulns/x/PYSEC-3.yaml").write_text(record(4, "last_affected: 9.9.0"))
        self.repository(checkout, {})
        output = self.run_script(checkout)
        for text in (
            "came: 1\n  PYSEC-9-4: introduced 0, last_affected 9.9.0\n",
            "went: 1\n  PYSEC-9-2: introduced 0, fixed 9.10.0\n",
            "changed: 1\n  PYSEC-9-1: introduced 0, fixed 9.11.0, was introduced 0, fixed 9.10.0\n",
            "Ends that are not versions: none\nWritten: ",
        ):
            self.assertIn(text, output)
        kept = self.written()["advisories"][0]
        self.assertEqual((kept["summary"], kept["database_specific"]), ("Ours", status))

    def expect_refused(self, *texts, checkouts):
        output = self.run_script(*checkouts, status=2)
        for text in texts:
            self.assertIn(text, output)

    def test_what_is_not_a_checkout_of_a_database(self):
        folder = self.box / "none"
        remedy = "\n  name a git checkout of a database of advisories"
        self.expect_refused("error: git remote failed in %s: fatal: cannot change" % folder, remedy, checkouts=[folder])
        checkout = self.database("other", {"a.yaml": record(1, package="torchvision")})
        self.expect_refused("error: %s has no record of torch\n" % checkout, checkouts=[checkout])
        checkout = self.pypa(record(1), origin=False)
        self.expect_refused("git remote failed in %s: error: No such remote" % checkout, remedy, checkouts=[checkout])
        self.assertFalse((self.release / "advisories.json").exists())

    def test_records_that_are_damaged(self):
        remedy = "\n  take a commit of the database in which it is sound"
        other = record(1).replace("modified", "changed")
        for name, text, said in (
            ("a", "- [\nname: torch\n", "error: HEAD:x.yaml of %s cannot be read: "),
            ("b", record(1, "fixed: soon"), "error: PYSEC-9-1 has an event that is not a version: soon"),
            ("c", other, "HEAD:x.yaml of %s is not a record of OSV's: KeyError('modif"),
        ):
            checkout = self.database(name, {"x.yaml": text})
            self.expect_refused(said.replace("%s", str(checkout)), remedy, checkouts=[checkout])

    def test_a_release_that_is_damaged(self):
        checkout = self.pypa(record(1))
        remedy = "\n  name a folder of releases/; git restore brings a damaged file back"
        (self.release / "advisories.json").write_text("{")
        text = "error: cannot read the release in %s: JSONDecodeError: " % self.release
        self.expect_refused(text, remedy, checkouts=[checkout])
        self.run_script(checkout, status=2)
        (self.release / "advisories.json").unlink()
        self.run_script(checkout)
        document = self.written()
        document["advisories"][0]["database_specific"] = {"status": "harmless", "impact_statement": "No."}
        (self.release / "advisories.json").write_text(json.dumps(document))
        text = "error: what would be written is wrong: PYSEC-9-1 has the status 'harmless', which is none of: "
        self.expect_refused(text, "\n  correct it where it comes from", checkouts=[checkout])
        (self.release / "sources.json").unlink()
        self.expect_refused("in %s: FileNotFoundError: " % self.release, remedy, checkouts=[checkout])
