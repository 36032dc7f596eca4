# SPDX-License-Identifier: BSD-3-Clause
"""Which files of a channel a command means; a file is an entry with a version."""

from packaging.version import InvalidVersion, Version
from text import Failure, say


def public(entry):
    return Version(Version(entry["version"]).public)


def age(entry):
    """Orders the entries of one product: the newest is the largest."""
    return Version(entry["version"]), entry["build"]


def chosen(entries, words):
    """The names of those with one of these versions: 2.6.0 is also 2.6.0+cpu; without any, of all final ones. Error: Failure."""
    names = set()
    for word in words:
        try:
            Version(word)
        except InvalidVersion as error:
            raise Failure("%s is not a version: 2.6.0, 2.7.0.dev20261123 and 2.6.0+cpu are" % word) from error
        found = {name for name, entry in entries.items() if Version(word) in (Version(entry["version"]), public(entry))}
        if not found:
            there = sorted({str(public(entry)) for entry in entries.values()}, key=Version)
            raise Failure("no file has the version %s; there is: %s" % (word, ", ".join(there) or "nothing"))
        if Version(word).local:
            without = [
                one for one in entries.values() if one["kind"] == "conda" and public(one) == public({"version": word})
            ]
            if without:
                counts = len(without), Version(word).public, word
                say("left out: %d conda packages, whose version is %s, not %s" % counts)
        names |= found
    if words:
        return names
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
