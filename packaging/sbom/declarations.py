# SPDX-License-Identifier: BSD-3-Clause
"""components.json beside the pins: third-party code that is nested in a source. docs/licences.md has its members."""

import os

from components import read_json

TEXTS = ("in", "license", "version", "homepage")
LISTS = ("files", "license_files", "texts", "mentions", "versions")
REQUIRED = ("in", "files", "license")


def read_declarations(pins_file, pins):
    """({name: [entry]}, the file, its faults). Names that have a fault are left out."""
    path = os.path.join(os.path.dirname(pins_file), "components.json")
    if not os.path.exists(path):
        return {}, path, []
    declared = read_json(path).get("components", {})
    entries = {name: value if isinstance(value, list) else [value] for name, value in declared.items()}
    faults, sound = [], {}
    for name in sorted(entries):
        found = [fault for entry in entries[name] for fault in check_entry(entry, pins)]
        found = found or check_versions(entries[name], pins)
        if name in pins:
            found.append("it is a source of the pins, and needs no entry here")
        faults += [("component %s: %s" % (name, what), "correct it in %s" % path) for what in found]
        if not found:
            sound[name] = entries[name]
    return sound, path, faults


def check_entry(entry, pins):
    """What is wrong with one entry by itself."""
    if not isinstance(entry, dict):
        return ["it is not an object"]
    faults = ["it has no '%s'" % member for member in REQUIRED if member not in entry]
    for member, value in entry.items():
        known = ", ".join(sorted(TEXTS + LISTS))
        if member not in TEXTS + LISTS:
            faults.append("'%s' is none of the members that there are: %s" % (member, known))
        elif member in TEXTS and not isinstance(value, str):
            faults.append("'%s' is not a text" % member)
        elif member in LISTS and not (isinstance(value, list) and value and all(isinstance(it, str) for it in value)):
            faults.append("'%s' is not a list of texts" % member)
    if not faults and entry["in"] not in pins:
        faults.append("the pins have no source %s" % entry["in"])
    return faults


def check_versions(entries, pins):
    """What is wrong with the versions that the entries of one name hold for."""
    faults, seen = [], set()
    for entry in entries:
        source = entry["in"]
        known = list(dict.fromkeys(candidate["version"] for candidate in pins[source]["candidates"]))
        for version in entry.get("versions", known):
            if version not in known:
                faults.append(
                    "no candidate of %s has the version %s; there are: %s" % (source, version, ", ".join(known))
                )
            elif (source, version) in seen and len(entries) > 1:
                faults.append("two of its entries hold for %s %s" % (source, version))
            seen.add((source, version))
    return faults
