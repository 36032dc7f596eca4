# SPDX-License-Identifier: BSD-3-Clause
"""Which files of a channel a command means; a file is an entry with a version."""

import re

from packaging.version import InvalidVersion, Version
from text import Failure, say


def public(entry):
    return Version(Version(entry["version"]).public)


def age(entry):
    """Orders the entries of one product: the newest is the largest."""
    return Version(entry["version"]), entry["build"]


def matching(entries, word):
    """The names of those with this version: 2.6.0 is also 2.6.0+cpu, which is also its build 2.6.0+cpu-2. Error: Failure."""
    found = re.fullmatch(r"(.+[+].+)-(\d\d?)", word)
    text, build = found.groups() if found else (word, None)
    try:
        version = Version(text)
    except InvalidVersion as error:
        raise Failure("%s is not a version: 2.6.0, 2.7.0.dev20261123 and 2.6.0+cpu are" % word) from error
    names = set()
    for name, entry in entries.items():
        if version in (Version(entry["version"]), public(entry)) and build in (None, str(entry["build"])):
            names.add(name)
    if not names:
        there = sorted({str(public(entry)) for entry in entries.values()}, key=Version)
        raise Failure("no file has the version %s; there is: %s" % (word, ", ".join(there) or "nothing"))
    without = [one for one in entries.values() if one["kind"] == "conda" and str(public(one)) == version.public]
    if version.local and without:
        say("left out: %d conda packages, whose version is %s, not %s" % (len(without), version.public, word))
    return names


def chosen(entries, words):
    """The names of those with one of these versions; without any, of all final ones. Error: Failure."""
    if words:
        return set().union(*(matching(entries, word) for word in words))
    final = {name for name, entry in entries.items() if not Version(entry["version"]).is_prerelease}
    if len(final) < len(entries):
        say("left out: %d nightlies and candidates: name their versions to release them" % (len(entries) - len(final)))
    return final


def nightlies(artifacts):
    """Those with the version of a nightly. Error: Failure, if there is none."""
    found = [artifact for artifact in artifacts if Version(artifact["version"]).is_devrelease]
    if not found:
        raise Failure("none of the files has the version of a nightly, as TSB_NIGHTLY makes it: 2.7.0.dev20261123+cpu")
    if len(found) < len(artifacts):
        say("left out: %d files whose versions are not those of nightlies" % (len(artifacts) - len(found)))
    return found


def too_old(entries, keep):
    """The names of those that are not of the newest versions."""
    kept = sorted({public(entry) for entry in entries.values()})[-keep:]
    return {name for name, entry in entries.items() if public(entry) not in kept}
