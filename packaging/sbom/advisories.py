# SPDX-License-Identifier: BSD-3-Clause
"""advisories.json of a release: its known vulnerabilities. releases/README.md has its members.

Its records are OSV's, trimmed to the one range that the release is in: {introduced} and at most one of {fixed} and
{last_affected}. A release may have no such file: then nobody has looked, and nothing is said.
"""

import re

from components import read_json
from version_order import is_version, order

ECOSYSTEM, PACKAGE = "PyPI", "torch"  # what OSV calls PyTorch
SOURCE = "pytorch"  # what the pins call it
STATUSES = ("not_affected", "fixed")  # of an artifact, where it is not simply affected
JUSTIFICATIONS = (
    "component_not_present",
    "vulnerable_code_not_present",
    "vulnerable_code_not_in_execute_path",
    "vulnerable_code_cannot_be_controlled_by_adversary",
    "inline_mitigations_already_exist",
)
# A member with a ? may be absent; a list is of things like its first.
DATABASE = {"repository": str, "commit": str, "date": str}
SHAPE = {
    "schema": int,
    "release": str,
    "source": {"date": str, "license": str, "statement?": str, "databases?": [DATABASE]},
    "advisories": [
        {
            "id": str,
            "modified": str,
            "aliases": [str],
            "summary?": str,
            "affected": [
                {
                    "package": {"ecosystem": str, "name": str},
                    "ranges": [{"type": str, "events": [{"introduced?": str, "fixed?": str, "last_affected?": str}]}],
                }
            ],
            "references": [{"type": str, "url": str}],
            "database_specific?": {"status": str, "justification?": str, "impact_statement?": str},
        }
    ],
}
KINDS = {str: "a text", int: "a number", list: "a list", dict: "an object"}


def shape_faults(value, shape, place):
    """What a value has that its shape does not, and the other way round; `place` says where it is."""
    kind = shape if isinstance(shape, type) else type(shape)
    if not isinstance(value, kind) or isinstance(value, bool):
        yield "%s is not %s" % (place, KINDS[kind])
    elif kind is list:
        for number, item in enumerate(value):
            yield from shape_faults(item, shape[0], "%s[%d]" % (place, number))
    elif kind is dict:
        members = {name.rstrip("?"): (inner, name.endswith("?")) for name, inner in shape.items()}
        for name, (_, optional) in members.items():
            if name not in value and not optional:
                yield "%s has no '%s'" % (place, name)
        for name, item in value.items():
            if name in members:
                yield from shape_faults(item, members[name][0], "%s, %s" % (place, name) if place else name)
            else:
                yield "%s has an unknown member '%s'" % (place, name)


def interval(record):
    """The range that the release is in, as one object: introduced, and fixed or last_affected if there is an end."""
    merged = {}
    for event in record["affected"][0]["ranges"][0]["events"]:
        merged.update(event)
    return merged


def holds(span, version):
    """Whether a version is in an interval."""
    at = order(version)
    begun = span["introduced"] == "0" or order(span["introduced"]) <= at
    open_end = "fixed" not in span or at < order(span["fixed"])
    return begun and open_end and ("last_affected" not in span or at <= order(span["last_affected"]))


def record_faults(record, release):
    affected = record["affected"]
    if len(affected) != 1 or affected[0]["package"] != {"ecosystem": ECOSYSTEM, "name": PACKAGE}:
        yield "has another 'affected' than one entry for %s's %s" % (ECOSYSTEM, PACKAGE)
        return
    ranges = affected[0]["ranges"]
    if len(ranges) != 1 or ranges[0]["type"] != "ECOSYSTEM":
        yield "has other 'ranges' than one of the type ECOSYSTEM"
        return
    members = [tuple(event) for event in ranges[0]["events"]]
    if members not in ([("introduced",)], [("introduced",), ("fixed",)], [("introduced",), ("last_affected",)]):
        yield "has other 'events' than one 'introduced' and then at most one 'fixed' or 'last_affected'"
        return
    span = interval(record)
    strange = ["'%s': %s" % pair for pair in span.items() if not is_version(pair[1])]
    if strange:
        yield "has an event that is not a version: %s" % ", ".join(strange)
    elif not holds(span, release):
        yield "does not affect %s: its events are %s" % (release, ", ".join("%s %s" % pair for pair in span.items()))
    said = record.get("database_specific")
    if said:
        if said["status"] not in STATUSES:
            yield "has the status '%s', which is none of: %s" % (said["status"], ", ".join(STATUSES))
        if "justification" in said and (said["status"] == "fixed" or said["justification"] not in JUSTIFICATIONS):
            yield "has the justification '%s', but it may be, with not_affected, only one of: %s" % (
                said["justification"],
                ", ".join(JUSTIFICATIONS),
            )
        if not said.get("impact_statement"):
            yield "has a status, and no 'impact_statement' that says why"


def faults(document, release):
    """What is wrong with the content of advisories.json."""
    found = ["it" + text if text.startswith(" ") else text for text in shape_faults(document, SHAPE, "")]
    if found:
        return found
    if document["schema"] != 1:
        return ["it has the schema %d, not 1" % document["schema"]]
    if document["release"] != release or not is_version(release):
        return ["it is of the release '%s', not of '%s'" % (document["release"], release)]
    source = document["source"]
    if "statement" not in source and "databases" not in source:
        found.append("source has neither 'databases' nor a 'statement'")
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", source["date"]):
        found.append("source has the date '%s', not one such as 2026-08-26" % source["date"])
    names = [record["id"] for record in document["advisories"]]
    found += ["%s is in it twice" % name for name in sorted(set(names)) if names.count(name) > 1]
    for record in document["advisories"]:
        found += ["%s %s" % (record["id"], text) for text in record_faults(record, release)]
    return found


def read_advisories(path, version):
    """(advisories.json of the release that a version such as 9.9.0+cpu is of, None without a sound one; its faults, each
    with what to do). The path is empty when the release has none."""
    if not path:
        return None, []
    document = read_json(path)
    remedy = "correct it (releases/README.md), or import it again: tools/import_release/import_advisories.py"
    found = faults(document, version.partition("+")[0])
    return None if found else document, [("%s: %s" % (path, text), remedy) for text in found]


def address(name):
    return "https://osv.dev/vulnerability/" + name


def advice(record):
    """What somebody who has the artifact can do."""
    fixed = interval(record).get("fixed")
    if fixed:
        return "Use PyTorch %s or newer." % fixed
    return "No release is named that fixes it. Load and run only models and data that you trust."
