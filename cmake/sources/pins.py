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
    """Both are rules, by member."""
    rules = {**required, **dict(optional)}
    return lambda value: (
        isinstance(value, dict)
        and set(required) <= set(value) <= set(rules)
        and all(rules[member](content) for member, content in value.items())
    )


def is_boolean(value):
    return isinstance(value, bool)


def is_number(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


ANY_TEXT = is_text(r"(?s).*")
A_FILE, A_PLACE = is_text(FILE), is_text(PLACE)
SUBMODULE = is_object(
    {"name": is_text(NAME), "path": A_PLACE, "required": is_boolean}, {"feature": ANY_TEXT, "backend": ANY_TEXT}
)
PATCH = is_object(
    {"file": A_PLACE, "reason": ANY_TEXT},
    {
        "source": ANY_TEXT,
        "upstream": lambda value: value is None or ANY_TEXT(value),
        "applies_to": ANY_TEXT,
        "only_where": is_object({"file": A_PLACE, "has": ANY_TEXT}),
        "backend": ANY_TEXT,
        "lowest_backend_version": is_text(r"\d+(\.\d+)*"),
    },
)
SOURCE = {
    "license": is_text(".+"),
    "homepage": ANY_TEXT,
    "submodules": is_list_of(SUBMODULE),
    "patches": is_list_of(PATCH),
    "candidates": is_list_of(lambda value: isinstance(value, dict)),
    "prebuilt": is_list_of(A_PLACE),
}
CANDIDATE = {
    "version": A_FILE,
    "license": is_text(".+"),
    "commit": is_text(COMMIT + "|"),
    "filename": A_FILE,
    "sha256": is_text(SHA256),
    "size": is_number,
    "strip": lambda value: is_number(value) and value < 10,
    "subdir": A_PLACE,
    "into": A_PLACE,
    "license_file": A_PLACE,
    "complete": lambda value: is_boolean(value) or is_list_of(A_PLACE)(value),
    "last_resort": is_boolean,
    "lowest_cuda_arch": is_text(r"\d+\.\d"),
    "url": is_list_of(is_text(r"https?://.+")),
    "git": is_text(GIT_URL),
    "distribution": is_object({"package": A_FILE}, {"file": A_FILE}),
    "distribution-binary": is_object({"package": A_FILE, "version": is_text(r"[0-9][A-Za-z0-9.+~:-]*")}),
    "python-index": is_object({"project": A_FILE, "version": A_FILE, "file": A_FILE}),
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
        submodules = pin.get("submodules", [])
        for member in submodules if SOURCE["submodules"](submodules) else ():
            if member["name"] not in pins["sources"]:
                yield f"source {name} has the submodule '{member['name']}', which has no pin"
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
