#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes releases/<version>/advisories.json: the known vulnerabilities of a release, out of databases in OSV's format.

    import_advisories.py <release folder> <checkout>...

<checkout>  a git checkout of a database, such as github.com/pypa/advisory-database and github.com/github/advisory-database.
            Its commit is read, not its files, and is recorded.

Kept are the records of PyTorch that affect the release, without those that were withdrawn. Two databases may describe one
vulnerability: the first one's record is kept, with the aliases of both, and with the other's range when only that one
says where it was fixed. A range with two ends in a row counts up to the later one, and an end such as 9.9.0-NA, which
is not a version, as the one that it begins with: rather one record too many than one that nobody sees.

Summaries and statuses (database_specific) of records that were in the file stay. What came, went or changed is printed.

Exit code 0: written. 2: it could not be done, the error says why.
"""

import argparse
import json
import os
import re
import subprocess
import sys

import yaml
from import_release import exit_code, read_json, say, write_json
from upstream import Problem

PROJECT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path += [os.path.join(PROJECT, "packaging", "sbom"), os.path.join(PROJECT, "cmake", "sources")]

from advisories import ECOSYSTEM, PACKAGE, address, faults, holds, interval  # noqa: E402
from text import without_password  # noqa: E402
from version_order import is_version, order  # noqa: E402

LICENSE = "CC-BY-4.0"  # of both databases
ANOTHER = "take a commit of the database in which it is sound"


def git(checkout, *command, may_find_nothing=False):
    result = subprocess.run(["git", "-C", checkout, *command], capture_output=True, text=True, encoding="utf-8")
    if result.returncode != 0 and not (may_find_nothing and result.returncode == 1):
        what = "git %s failed in %s: %s" % (command[0], checkout, result.stderr.strip())
        raise Problem(what, "name a git checkout of a database of advisories")
    return result.stdout


def database(checkout):
    """Where it comes from, as advisories.json says it."""
    repository = without_password(git(checkout, "remote", "get-url", "origin").strip())
    commit, date = git(checkout, "log", "-1", "--format=%H %cs", "HEAD").split()
    return {"repository": repository, "commit": commit, "date": date}


def records(checkout):
    """(file, record) for those of PyTorch in the checkout's commit."""
    pattern = r"^[ -]*\"?name\"?: *[\"']?%s[\"']?,?$" % PACKAGE
    command = ("grep", "-lE", pattern, "HEAD", "--", "*.yaml", "*.json")
    names = git(checkout, *command, may_find_nothing=True).splitlines()
    if not names:
        raise Problem("%s has no record of %s" % (checkout, PACKAGE), "name a checkout of a database of advisories")
    for name in names:
        text = git(checkout, "show", name)
        try:
            # Without types: 2.10 is not a number.
            record = json.loads(text) if name.endswith(".json") else yaml.load(text, Loader=yaml.BaseLoader)
        except (ValueError, yaml.YAMLError) as error:
            raise Problem("%s of %s cannot be read: %s" % (name, checkout, error), ANOTHER) from None
        if isinstance(record, dict) and "affected" in record and not record.get("withdrawn"):
            yield name, record


def version_of(text, record, odd):
    """A version out of an event; what it was when it is none is added to `odd`."""
    if is_version(text):
        return text
    start = re.match(r"\d+(\.\d+)*", text)
    if not start:
        raise Problem("%s has an event that is not a version: %s" % (record["id"], text), ANOTHER)
    odd.append("%s: %s counts as %s" % (record["id"], text, start.group()))
    return start.group()


def spans(events, record, odd):
    """The intervals that a range's events describe; one without a content ends nothing."""
    found = []
    for event in events:
        for kind, text in event.items():
            version = version_of(text, record, odd)
            if kind == "introduced":
                found.append({kind: version})
            elif kind in ("fixed", "last_affected") and found:
                before = [end for name, end in found[-1].items() if name != "introduced"]
                if not before or order(before[0]) < order(version):
                    found[-1] = {"introduced": found[-1]["introduced"], kind: version}
    return found


def span_of(record, release, odd):
    """The interval of a record that the release is in, None without one."""
    for affected in record["affected"]:
        package = affected.get("package", {})
        if package.get("name") != PACKAGE or package.get("ecosystem") != ECOSYSTEM:
            continue
        for events in [item["events"] for item in affected.get("ranges", []) if item["type"] == "ECOSYSTEM"]:
            for span in spans(events, record, odd):
                if holds(span, release):
                    return span
        if release in affected.get("versions", []):
            return {"introduced": release, "last_affected": release}
    return None


def trimmed(record, span):
    package = {"ecosystem": ECOSYSTEM, "name": PACKAGE}
    events = [{kind: version} for kind, version in span.items()]
    result = {"id": record["id"], "modified": record["modified"], "aliases": sorted(record.get("aliases", []))}
    result.update({"summary": record["summary"]} if record.get("summary") else {})
    result["affected"] = [{"package": package, "ranges": [{"type": "ECOSYSTEM", "events": events}]}]
    result["references"] = [{"type": "ADVISORY", "url": address(record["id"])}]
    return result


def merge(known, record):
    """Adds a record to those that are known, or to the one that it is an alias of."""
    names = {record["id"], *record["aliases"]}
    same = next((item for item in known if names & {item["id"], *item["aliases"]}), None)
    if same is None:
        known.append(record)
        return
    same["aliases"] = sorted((names | set(same["aliases"])) - {same["id"]})
    if "fixed" in interval(record) and "fixed" not in interval(same):
        same["affected"] = record["affected"]


def described(record):
    return ", ".join("%s %s" % pair for pair in interval(record).items())


def work(arguments):
    place = os.path.join(arguments.release, "advisories.json")
    try:
        release = read_json(os.path.join(arguments.release, "sources.json"))["release"]
        before = {record["id"]: record for record in read_json(place, {"advisories": []})["advisories"]}
    except (OSError, ValueError, KeyError, TypeError) as error:
        what = "cannot read the release in %s: %s: %s" % (arguments.release, type(error).__name__, error)
        remedy = "name a folder of releases/; git restore brings a damaged file back"
        raise Problem(what, remedy) from None
    databases = [database(checkout) for checkout in arguments.checkout]
    found, odd = [], []
    for checkout in arguments.checkout:
        for name, record in records(checkout):
            try:
                span = span_of(record, release, odd)
                if span:
                    merge(found, trimmed(record, span))
            except (KeyError, TypeError, AttributeError) as error:
                raise Problem("%s of %s is not a record of OSV's: %r" % (name, checkout, error), ANOTHER) from None
    after = {record["id"]: record for record in sorted(found, key=lambda record: record["id"])}
    for name in set(before) & set(after):
        after[name].update({key: before[name][key] for key in ("summary", "database_specific") if key in before[name]})
    source = {"date": max(item["date"] for item in databases), "license": LICENSE, "databases": databases}
    document = {"schema": 1, "release": release, "source": source, "advisories": list(after.values())}
    wrong = faults(document, release)
    if wrong:
        remedy = "correct it where it comes from: a database, or the file that was there"
        raise Problem("what would be written is wrong: %s" % wrong[0], remedy)
    write_json(place, document)
    new, old = ({name: described(item) for name, item in items.items()} for items in (after, before))
    changed = [name for name in sorted(set(before) & set(after)) if before[name] != after[name]]
    say("Advisories that came", ("%s: %s" % (name, new[name]) for name in sorted(set(after) - set(before))))
    say("Advisories that went", ("%s: %s" % (name, old[name]) for name in sorted(set(before) - set(after))))
    say("Advisories that changed", ("%s: %s, was %s" % (name, new[name], old[name]) for name in changed))
    say("Ends that are not versions", odd)
    print("Written: %s" % place)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("release")
    parser.add_argument("checkout", nargs="+")
    return exit_code(work, parser.parse_args())


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main())
