# SPDX-License-Identifier: BSD-3-Clause
"""Writes the files of a release that is `from` another one, as its importers do: what differs from what it inherits."""

import json

from engine.failure import Failure
from engine.model.inherit import NAMED, by_name, merge
from engine.model.read import read
from engine.partial_file import write_changed

WIDTH = 160


def difference(old, new, file, before=None, key=()):
    """What merge() makes `new` of `old` with. `before` is what `file` has, also the reasons why an entry is gone."""
    if isinstance(old, dict) and isinstance(new, dict):
        before = before if isinstance(before, dict) else {}
        found = {name: None for name in old if name not in new} | {
            name: difference(old.get(name), value, file, before.get(name), NAMED.get(name, ()))
            for name, value in new.items()
            if old.get(name) != value
        }
        return {name: None for name in before if name in found} | found  # in the order that the file has
    known, named, had = (by_name(entries, key, file) for entries in (old, new, before))
    if known is None or named is None:
        return new
    reasons = {name: entry["gone"] for name, entry in (had or {}).items() if "gone" in entry}
    gone = [
        {part: value for part, value in zip(key, name) if value is not None}
        | {"gone": reasons.get(name, "this release does not have it")}
        for name in known
        if name not in named
    ]
    return gone + [entry for name, entry in named.items() if known.get(name) != entry]


def as_text(value, indent=0, label=""):
    """JSON with each object and list on one line that fits on one."""
    text = label + json.dumps(value, ensure_ascii=False)
    if not value or not isinstance(value, (dict, list)) or indent + len(text) < WIDTH:
        return text
    is_object = isinstance(value, dict)
    labels = [f"{json.dumps(name)}: " for name in value] if is_object else [""] * len(value)
    items = value.values() if is_object else value
    lines = ["\n" + " " * (indent + 2) + as_text(item, indent + 2, of) for of, item in zip(labels, items)]
    return label + ("{%s}" if is_object else "[%s]") % (",".join(lines) + "\n" + " " * indent)


def write_difference(file, old, value):
    """Writes what differs from what is inherited. A file that says so already stays as it is."""
    own = read(file, {}) if file.exists() else None
    if value != (merge(old, own or {}, file) if old else own or {}):
        found = difference(old, value, file, own) if old else value
        if old and merge(old, found, file) != value:
            raise Failure(
                f"  {file.name}: entries of a list are not in the order that they are inherited in\n"
                "  leave inherited ones where they are, and put new ones behind them"
            )
        write_changed(file, (as_text(found) if old else json.dumps(found, indent=2, ensure_ascii=False)) + "\n")
