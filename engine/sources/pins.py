# SPDX-License-Identifier: BSD-3-Clause
"""What pins have to be like: nothing without a hash or a commit, no member that nobody reads. releases/README.md says what each
member means."""

import re

from engine.failure import Failure
from engine.model import data

NAME, FILE, PLACE = r"[a-z0-9][a-z0-9.-]*", r"[A-Za-z0-9][A-Za-z0-9._+~-]*", r"(?!/)(?!.*\.\./).+"
OWN_FILE = f"({NAME}/)?{FILE}"  # one of the user's own is in a folder with the source's name
SHA256, COMMIT, NUMBERS = r"[0-9a-f]{64}", r"[0-9a-f]{40}", r"\d+(\.\d+)*"

WORDS = {
    NAME: "a name of lower-case letters, digits, '.' and '-'",
    FILE: "a name without '/' and blanks",
    OWN_FILE: "a name without '/' and blanks",
    PLACE: "a path below the source, without '..'",
    SHA256: "64 lower-case hex digits",
    COMMIT + "|": "40 lower-case hex digits",
    NUMBERS: "numbers with '.' between them",
    "https?://.+": "an address that begins with https:// or http://",
    "(https?|file)://.+": "an address that begins with https://, http:// or file://",
    bool: "true or false",
    int: "a whole number",
    str: "a text",
    dict: "an object",
    type(None): "null",
}

# A rule is an expression for a text, a type, a list with the rule of its entries, a tuple of rules of which one must hold, or
# the rules of an object's members, where "?" ends the names of those that may be absent.
SUBMODULE = {"name": NAME, "path": PLACE, "required": bool, "feature?": str, "backend?": str}
PATCH = {
    "file": OWN_FILE,
    "reason": r"\s*\S.*",
    "source?": r"\s*\S.*",
    "upstream?": (str, type(None)),
    "only_where?": {"file": PLACE, "has": str},
    "backend?": str,
    "lowest_backend_version?": NUMBERS,
}
ENTRIES = {"submodules": "submodule", "patches": "patch"}
SOURCE = {
    "license": ".+",
    "candidates": [dict],
    "homepage?": str,
    "submodules?": [SUBMODULE],
    "patches?": [PATCH],
    "prebuilt?": [PLACE],
    "holds?": [PLACE],
}
CANDIDATE = {
    "version": FILE,
    "license?": ".+",
    "commit?": COMMIT + "|",
    "filename?": FILE,
    "sha256?": SHA256,
    "size?": int,
    "strip?": int,
    "subdir?": PLACE,
    "into?": PLACE,
    "license_file?": PLACE,
    "complete?": (bool, [PLACE]),
    "last_resort?": bool,
    "lowest_cuda_arch?": NUMBERS,
    "url?": ["https?://.+"],
    "git?": "(https?|file)://.+",
    "distribution?": {"package": FILE, "file?": FILE},
    "distribution-binary?": {"package": FILE, "version": "[0-9].*"},
    "python-index?": {"project": FILE, "version?": FILE, "file?": FILE, "members?": [PLACE]},
}

# Third-party code that is nested in a source: docs/licences.md.
COMPONENT = {
    "in": str,
    "files": [str],
    "license": str,
    "version?": str,
    "homepage?": str,
    "license_files?": [str],
    "texts?": [str],
    "mentions?": [str],
    "versions?": [str],
}


def fits(value, rule):
    if isinstance(rule, str):
        return isinstance(value, str) and bool(re.fullmatch(rule, value))
    if isinstance(rule, list):
        return isinstance(value, list) and all(fits(entry, rule[0]) for entry in value)
    if isinstance(rule, tuple):
        return any(fits(value, one) for one in rule)
    if isinstance(rule, dict):
        return isinstance(value, dict) and not list(faults_of(value, rule))
    return type(value) is rule  # a boolean is an int, too


def described(rule):
    """What a rule asks for, in words."""
    if isinstance(rule, list):
        return f"a list [...], each entry {described(rule[0])}"
    if isinstance(rule, tuple):
        return " or ".join(map(described, rule))
    if isinstance(rule, dict):
        return f"an object with {', '.join(rule)}"
    return WORDS.get(rule, "a text that is not empty")


REMOVED = {
    "applies_to": "a member that 'only_where' replaces, which looks at the tree itself; remove it:",
    "note": "a member that nothing reads any more; remove it:",
    "submodule_path": "a member that follows from 'submodules'; remove it:",
}


def faults_of(value, rules, place):
    """Each member that is missing, unknown, or not what it has to be, with its place. The first member of a patch and of a
    submodule is its name."""
    for member in rules:
        if not member.endswith("?") and member not in value:
            yield f"{place} has no '{member}'"
    for member, content in value.items():
        rule = rules.get(member, rules.get(member + "?"))
        if rule is None:
            yield f"{place} has {REMOVED.get(member, 'an unknown member')} '{member}'"
        elif member in ENTRIES and fits(content, [dict]):
            for entry in content:
                yield from faults_of(entry, rule[0], f"{place}, {ENTRIES[member]} {entry.get(next(iter(rule[0])))}")
        elif isinstance(rule, dict) and isinstance(content, dict):
            yield from faults_of(content, rule, f"{place}, '{member}'")
        elif not fits(content, rule):
            size = f" ({len(content)} characters)" if isinstance(content, str) and len(content) > 30 else ""
            yield f"{place} has '{member}': {content!r}{size}; it must be {described(rule)}"


def faults_of_candidate(candidate, place):
    yield from faults_of(candidate, CANDIDATE, place)
    archive = {"url", "distribution", "distribution-binary", "python-index", "filename", "sha256"} & set(candidate)
    for member in ("filename", "sha256") if archive else ():
        if member not in candidate:
            yield f"{place} has no '{member}', which an archive needs"
    if "git" in candidate and not candidate.get("commit"):
        yield f"{place} has no 'commit', which 'git' needs"
    if not archive and "git" not in candidate:
        yield f"{place} names no archive and no 'git'"
    if isinstance(candidate.get("complete"), list) and "git" not in candidate:
        yield f"{place} has a list of submodules in 'complete', which only git can choose"


def faults_of_source(name, pin, sources):
    if not fits(name, NAME) or not fits(pin, dict):
        yield f"source '{name}' is not a name with an object"
        return
    found = list(faults_of(pin, SOURCE, f"source {name}"))
    yield from found
    if found:
        return
    for member in pin.get("submodules", []):
        if member["name"] not in sources:
            yield f"source {name} has the submodule '{member['name']}', which has no pin"
    if not pin["candidates"]:
        yield f"source {name} has no entry in 'candidates'"
    for number, candidate in enumerate(pin["candidates"]):
        version = candidate.get("version", f"number {number + 1}")
        yield from faults_of_candidate(candidate, f"source {name}, candidate {version}")


def faults_of_component(place, entries, sources):
    """A component may have several entries, for different versions of its source."""
    seen = set()
    for entry in entries:
        found = list(faults_of(entry, COMPONENT, place)) if isinstance(entry, dict) else [f"{place} is not an object"]
        if not found and entry["in"] not in sources:
            found = [f"{place} is in '{entry['in']}', which has no pin"]
        yield from found
        known = [] if found else list(dict.fromkeys(it["version"] for it in sources[entry["in"]]["candidates"]))
        for version in entry.get("versions", known) if not found else ():
            if version not in known:
                yield f"{place} is for {entry['in']} {version}, which no candidate has; there are: {', '.join(known)}"
            elif (entry["in"], version) in seen:
                yield f"{place} has two entries for {entry['in']} {version}"
            seen.add((entry["in"], version))


def faults_of_components(components, sources):
    for name, entries in components.items():
        entries = entries if isinstance(entries, list) else [entries]
        yield from faults_of_component(f"component {name}", entries, sources)
        if name in sources:
            yield f"component {name} is a source of the pins, and needs no entry"


def refuse(found, file, manual):
    """Error: what was found, up to ten."""
    if found:
        more = [f"and {len(found) - 10} more"] if len(found) > 10 else []
        lines = "".join(f"\n  {line}" for line in found[:10] + more)
        raise Failure(f"{file} cannot be used; correct it ({manual}):{lines}")


def read(file):
    """Error: it is not a file of pins."""
    pins = data.read(file, {})
    found = [] if pins.get("schema") == 1 else [f"has the schema {pins.get('schema')!r}, not 1"]
    found += [] if fits(pins.get("sources"), dict) else ["has no 'sources'"]
    refuse(found, f"the file of pins {file}", "releases/README.md")
    return pins


def at_fault(found, files, faults):
    """The files with what was `found`, {fault: name}: of each the last one whose own entry has it, by `faults`, or
    else, as with a member that is nowhere, the last one with an entry."""
    result = {}
    for fault, name in found.items():
        own = {file: entries[name] for file, entries in files.items() if entries.get(name) is not None}
        result[str(([file for file, entry in own.items() if fault in faults(name, entry)] or list(own))[-1])] = fault
    return ", ".join(result)


def check(pins, files):
    """Error: the faults of the pins. `files`: {file: its sources}, the nearest release's last."""
    sources, needed = pins["sources"], {"license": "-", "candidates": []}
    found = {fault: name for name, pin in sources.items() for fault in faults_of_source(name, pin, sources)}
    names = at_fault(found, files, lambda name, pin: faults_of_source(name, needed | pin, sources))
    refuse(list(found), f"the file of pins {names}", "releases/README.md")


def check_components(components, sources, files):
    """Error: the faults of the components that are declared beside the pins; `files` as for check()."""
    found = {
        fault: name for name, entry in components.items() for fault in faults_of_components({name: entry}, sources)
    }
    names = at_fault(found, files, lambda name, entry: faults_of_components({name: entry}, sources))
    refuse(list(found), names, "docs/licences.md")
