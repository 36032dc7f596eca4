# SPDX-License-Identifier: BSD-3-Clause
"""A release that is `from` another one has in its files only what differs from that one's (releases/README.md). Who
wants to know what is true of a release asks here, and not its files."""

import json

from engine.failure import Failure
from engine.folders import Folders, natural
from engine.model.read import check_members, read
from engine.partial_file import write_changed

# Lists whose entries have a name: an entry takes the place of the inherited one, and one with `gone` takes that away.
NAMED = {
    **dict.fromkeys(("options", "features"), ("option", "feature", "backend", "package")),
    "patches": ("file",),
    "submodules": ("name",),
}
# What is true of one release alone.
OWN = {
    "release.json": ("version", "from", "sources", "triton", "backends", "ready", "refused"),
    "sources.json": ("schema", "release"),
    "components.json": ("release",),
}
WIDTH = 160


def by_name(entries, key, file=""):
    """{name: entry} of such a list, None of another. Error: a name is not a text, or is there twice."""
    if not key or not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        return None
    found = {}
    for entry in entries:
        name = tuple(entry.get(part) for part in key)
        if not all(isinstance(part, (str, type(None))) for part in name):
            raise Failure(
                f"  {file}: {json.dumps(entry)} has a name that is not a text\n  its name is in: {', '.join(key)}"
            )
        if name in found:
            raise Failure(f"  {file}: '{shown(name)}' is twice in one list\n  remove one")
        found[name] = entry
    return found


def shown(name):
    return ", ".join(filter(None, name))


def merge(old, new, file, key=()):
    """What is inherited with what takes its place: members of objects one by one, where null takes one away. `file` is
    where `new` is from. Error: it takes away what is not inherited."""
    if isinstance(old, dict) and isinstance(new, dict):
        lost = [name for name, value in new.items() if value is None and name not in old]
        changed = {name: merge(old.get(name), value, file, NAMED.get(name, ())) for name, value in new.items()}
        result = {name: value for name, value in (old | changed).items() if value is not None}
    else:
        known, named = by_name(old, key, file), by_name(new, key, file)
        if known is None or named is None:
            return new
        lost = [shown(name) for name, entry in named.items() if "gone" in entry and name not in known]
        result = [entry for entry in (known | named).values() if "gone" not in entry]
    if lost:
        raise Failure(
            f"  {file} takes '{lost[0]}' away, which is not inherited\n  correct the name, or remove the entry"
        )
    return result


def difference(old, new, before=None, key=()):
    """What merge() makes `new` of `old` with. `before` is what it was, which has the reasons why an entry is gone."""
    if isinstance(old, dict) and isinstance(new, dict):
        before = before if isinstance(before, dict) else {}
        found = {name: None for name in old if name not in new} | {
            name: difference(old.get(name), value, before.get(name), NAMED.get(name, ()))
            for name, value in new.items()
            if old.get(name) != value
        }
        return {name: None for name in before if name in found} | found  # in the order that the file has
    known, named = by_name(old, key), by_name(new, key)
    if known is None or named is None:
        return new
    reasons = {name: entry["gone"] for name, entry in (by_name(before, key) or {}).items() if "gone" in entry}
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
        found = difference(old, value, own) if old else value
        if old and merge(old, found, file) != value:
            raise Failure(
                f"  {file.name}: entries of a list are not in the order that they are inherited in\n"
                "  leave inherited ones where they are, and put new ones behind them"
            )
        write_changed(file, (as_text(found) if old else json.dumps(found, indent=2, ensure_ascii=False)) + "\n")


class Lineages(Folders):
    def lineage(self, version):
        """The folder of a release, then that of the release that it is from, and so on."""
        folders, file = [], self.find(f"releases/{version}/release.json")
        while file:
            folders.append(file.parent)
            content = read(file, {})
            check_members(content, file, {"from?": "STRING"})
            if "from" not in content:
                break
            known = content["from"] in self.names("releases")
            origin = self.find(f"releases/{content['from']}/release.json") if known else None
            if not origin or natural(content["from"]) >= natural(file.parent.name):
                why = "is not older" if origin else "has no release.json"
                raise Failure(
                    f"  {file} is from {content['from']}, which {why}\n  name a release that it can inherit from"
                )
            file = origin
        return folders

    def fold(self, folders, name):
        value = {}
        for folder in reversed(folders):
            value = {member: one for member, one in value.items() if member not in OWN.get(name, ())}
            if (folder / name).exists():
                own = read(folder / name, {}, in_lists=name == "release.json")
                value = merge(value, own, folder / name) if value else own
        return value

    def merged(self, version, name):
        """The content of a release's JSON file with what it inherits; {} without such a file."""
        return self.fold(self.lineage(version), name)

    def inherited(self, version, name):
        """What it inherits alone."""
        value = self.fold(self.lineage(version)[1:], name)
        return {member: one for member, one in value.items() if member not in OWN.get(name, ())}
