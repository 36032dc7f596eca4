# SPDX-License-Identifier: BSD-3-Clause
"""What pins have to be like: nothing without a hash or a commit, no name that leaves the cache. releases/README.md says what
each member means."""

import re

from text import Failure

ABSENT = object()
SHA256, COMMIT = r"[0-9a-f]{64}", r"[0-9a-f]{40}"
# The places of the cache are made of these.
NAME, FILE = r"[a-z0-9][a-z0-9.-]*", r"[A-Za-z0-9][A-Za-z0-9._+~-]*"
PLACE = r"(?!/)(?!.*(^|/)\.\.?(/|$))[^\0-\x1f]+"
GIT_URL = r"(https?|file)://(?!-)[^\0-\x1f]+"


def is_text(pattern):
    return lambda value: isinstance(value, str) and bool(re.fullmatch(pattern, value))


def is_list_of(check):
    return lambda value: isinstance(value, list) and all(map(check, value))


def is_object(required, optional=()):
    return lambda value: isinstance(value, dict) and set(required) <= set(value) <= {*required, *optional}


ANY_TEXT = is_text(r"(?s).*")
SOURCE = {
    "license": is_text(".+"),
    "homepage": ANY_TEXT,
    "submodule_path": is_text(PLACE),
    "submodules": is_list_of(is_object(("name", "path", "required"), ("feature", "backend"))),
    "patches": is_list_of(is_object(("file", "reason"), ("source", "upstream", "applies_to", "only_where", "backend"))),
    "candidates": is_list_of(lambda value: isinstance(value, dict)),
    "prebuilt": is_list_of(is_text(PLACE)),
    "vulnerabilities": lambda value: isinstance(value, list),
}
CANDIDATE = {
    "version": is_text(FILE),
    "license": is_text(".+"),
    "commit": is_text(COMMIT + "|"),
    "filename": is_text(FILE),
    "sha256": is_text(SHA256),
    "size": lambda value: isinstance(value, int) and value >= 0,
    "strip": lambda value: value in range(10),
    "subdir": is_text(PLACE),
    "into": is_text(PLACE),
    "license_file": is_text(PLACE),
    "complete": lambda value: isinstance(value, bool) or is_list_of(is_text(PLACE))(value),
    "last_resort": lambda value: isinstance(value, bool),
    "lowest_cuda_arch": is_text(r"\d+\.\d"),
    "url": is_list_of(is_text(r"https?://.+")),
    "git": is_text(GIT_URL),
    "distribution": is_object(["package"], ["file"]),
    "distribution-binary": is_object(["package", "version"]),
    "python-index": is_object(["project", "version", "file"]),
    "note": ANY_TEXT,
}


def faults_of(value, rules, required):
    """Each member that is missing, unknown, or not what it has to be."""
    for member in required:
        if member not in value:
            yield f"has no '{member}'"
    for member, content in value.items():
        if member not in rules:
            yield f"has an unknown member '{member}'"
        elif not rules[member](content):
            yield f"has '{member}': {content!r}"


def faults_of_candidate(candidate):
    yield from faults_of(candidate, CANDIDATE, ["version"])
    archive = {"url", "distribution", "distribution-binary", "python-index", "filename", "sha256"} & set(candidate)
    for member in ("filename", "sha256") if archive else ():
        if member not in candidate:
            yield f"has no '{member}', which an archive needs"
    if "git" in candidate and not candidate.get("commit"):
        yield "has no 'commit', which 'git' needs"
    if not archive and "git" not in candidate:
        yield "names no archive and no 'git'"
    if isinstance(candidate.get("complete"), list) and "git" not in candidate:
        yield "has a list of submodules in 'complete', which only git can choose"


def faults(pins):
    if pins.get("schema") != 1:
        yield f"has the schema {pins.get('schema')!r}, not 1"
    if not isinstance(pins.get("sources"), dict):
        yield "has no 'sources'"
        return
    for name, pin in pins["sources"].items():
        if not re.fullmatch(NAME, name) or not isinstance(pin, dict):
            yield f"source '{name}' is not a name with an object"
            continue
        yield from (f"source {name} {fault}" for fault in faults_of(pin, SOURCE, ["license", "candidates"]))
        candidates = pin.get("candidates")
        for number, candidate in enumerate(candidates if isinstance(candidates, list) else []):
            if isinstance(candidate, dict):
                yield from (f"source {name}, candidate {number} {fault}" for fault in faults_of_candidate(candidate))


def check(pins, file):
    """Error: all faults of the pins, up to ten."""
    found = list(faults(pins))
    if found:
        more = [f"and {len(found) - 10} more"] if len(found) > 10 else []
        lines = "".join(f"\n  {line}" for line in found[:10] + more)
        raise Failure(f"the file of pins {file} cannot be used; correct it (releases/README.md):{lines}")
