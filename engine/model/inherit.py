# SPDX-License-Identifier: BSD-3-Clause
"""A release that is `from` another one has in its files only what differs from that one's (releases/README.md). Who
wants to know what is true of a release asks here, and not its files."""

import json

from engine.failure import Failure
from engine.folders import Folders, natural
from engine.model.read import check_members, read

# Lists whose entries have a name: an entry takes the place of the inherited one, and one with `gone` takes that away.
NAMED = {
    **dict.fromkeys(("options", "features"), ("option", "feature", "backend", "package")),
    "patches": ("file",),
    **dict.fromkeys(("differences", "submodules"), ("name",)),
    **dict.fromkeys(("renamed", "hidden", "exported"), ("library",)),
}
# What is true of one release alone.
OWN = {
    "release.json": ("version", "from", "sources", "triton", "backends", "refused"),
    "sources.json": ("schema", "release"),
    "components.json": ("release",),
}


def by_name(entries, key, file):
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
