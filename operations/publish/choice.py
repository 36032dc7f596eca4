# SPDX-License-Identifier: BSD-3-Clause
"""Which files of a channel a command means; a file is an entry with a version."""

import re

from packaging.version import InvalidVersion, Version

from engine.failure import Failure
from engine.text import counted, say


def public(entry):
    return Version(Version(entry["version"]).public)


def age(entry):
    """Orders the entries of one product: the newest is the largest."""
    return Version(entry["version"]), entry["build"]


def is_pytorch(entry):
    """Not MAGMA, or a wheel that PyTorch requires: these have versions of their own, so the same names each night. It
    is not known of a file that no channel has."""
    return bool(entry.get("backend")) or "torch" in entry.get("product", "torch")


def of_backend(entry):
    """What a file is of: a backend, official or compiled here, or without one a product, such as MAGMA. Each has versions of
    its own: one release may be built for the CPU, and another one for CUDA."""
    text = entry.get("index", {}).get("build") or entry["version"].partition("+")[2]
    return (text.partition(entry["backend"])[0], entry["backend"]) if entry["backend"] else ("", entry["product"])


def matching(entries, word):
    """The names of those with this version or name: 2.6.0 is also 2.6.0+cpu, which is also its build 2.6.0+cpu-2. Error:
    Failure."""
    named = {name for name in entries if word in (name, name.rpartition("/")[2])}
    if named:
        return named
    entries = {name: entry for name, entry in entries.items() if "version" in entry}
    found = re.fullmatch(r"(.+[+].+)-(\d\d?)", word)
    text, build = found.groups() if found else (word, None)
    try:
        version = Version(text)
    except InvalidVersion as error:
        raise Failure("%s is neither a version, such as 2.6.0 or 2.6.0+cpu, nor a file here" % word) from error
    names = set()
    for name, entry in entries.items():
        if version in (Version(entry["version"]), public(entry)) and build in (None, str(entry["build"])):
            names.add(name)
    if not names:
        there = sorted({str(public(entry)) for entry in entries.values()}, key=Version)
        raise Failure("no file has the version %s; there is: %s" % (word, ", ".join(there) or "nothing"))
    others = {name for name in names if not is_pytorch(entries[name])}
    if names > others > set():  # MAGMA 2.9.0 does not belong to PyTorch 2.9.0
        say("left out: %s: name a file of what is not PyTorch" % ", ".join(sorted(others)))
        names -= others
    without = [one for one in entries.values() if one["kind"] == "conda" and str(public(one)) == version.public]
    if version.local and without:
        what = counted(len(without), "conda package")
        say("left out: %s, whose version is %s, not %s" % (what, version.public, word))
    return names


def chosen(entries, words):
    """The names of those with one of these versions; without any, of all final ones. Error: Failure."""
    if words:
        return set().union(*(matching(entries, word) for word in words))
    final = {name for name, entry in entries.items() if not Version(entry["version"]).is_prerelease}
    if len(final) < len(entries):
        what = counted(len(entries) - len(final), "nightly or candidate", "nightlies and candidates")
        say("left out: %s: name the version to release it" % what)
    return final


def nightlies(artifacts):
    """Those with the version of a nightly, and what is not of PyTorch. Error: Failure, if there is none."""
    found = [one for one in artifacts if not is_pytorch(one) or Version(one["version"]).is_devrelease]
    if any(map(is_pytorch, artifacts)) and not any(map(is_pytorch, found)):
        raise Failure("none of the files has the version of a nightly, as TSB_NIGHTLY makes it: 2.7.0.dev20261123+cpu")
    if len(found) < len(artifacts):
        what = counted(len(artifacts) - len(found), "file")
        say("left out: %s without the version of a nightly" % what)
    return found


def too_old(entries, keep):
    """The names of those that are older than the newest versions for their backend. A yanked version is none of these."""
    versions = {}
    for entry in in_force(entries).values():
        versions.setdefault(of_backend(entry), set()).add(public(entry))
    oldest = {backend: sorted(some)[-keep:][0] for backend, some in versions.items()}
    # Where all of a backend are yanked, they stay.
    return {name for name, entry in entries.items() if public(entry) < oldest.get(of_backend(entry), public(entry))}


def in_force(entries):
    """Those that are not yanked."""
    return {name: entry for name, entry in entries.items() if "yanked" not in entry}


def rank(entry):
    """Orders the entries of a page: the newest version that is not yanked is the largest."""
    return "yanked" not in entry, public(entry)


def next_build(entries, version, suffix, asked):
    """The TSB_BUILD_NUMBER with which the files of a public version have new names: `asked`, or the next one; empty for the
    first build. Error: Failure, if `asked` is taken."""
    same = [one for one in entries.values() if "version" in one and is_pytorch(one) and public(one) == Version(version)]
    same = [one for one in same if re.search(r"[._]%s[-._]" % re.escape(suffix), one["name"])] if suffix else same
    number = max((one["build"] % 100 or 1 for one in same), default=0) + 1  # conda's first is 0, 100 or 200
    if asked and int(asked) < number:
        raise Failure("%s has a build %d already: set TSB_BUILD_NUMBER to %d" % (version, number - 1, number))
    return asked or ("%d" % number if same else "")
