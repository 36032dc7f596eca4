# SPDX-License-Identifier: BSD-3-Clause
"""Moves the pins of the last release to the commits of a new tree. A pin changes only where upstream's commit does."""

import os

MAIN = "pytorch"


def repository(address):
    """The last part of an address, by which a moved repository is known again."""
    return address.rstrip("/").removesuffix(".git").rpartition("/")[2].lower()


class PinUpdate:
    """Changes `pins`. `added`, `gone`, `changed` and `unknown` hold lines for people.

    `places` are the submodules that have a pin, {path: name}: those of PyTorch's own pin, and `packages`, the sources
    of packages of their own. `left_out` are those without a pin, {path: reason}. `gone` are paths that the list of
    submodules says are gone; those that it does not name have the pins that they had. `versions` has {name: (old, new)}
    of pins that changed, `moved` {name: {old folder: new one}} of what is inside them.
    """

    def __init__(self, pins, modules, gone, tree, packages, left_out):
        self.sources, self.modules, self.tree = pins["sources"], modules, tree
        self.members = self.sources[MAIN]["submodules"]
        self.places = {member["path"]: member["name"] for member in self.members} | packages
        self.packages, self.left_out, self.is_gone = packages, left_out, gone
        self.by_file = tree.pinned_versions()
        self.added, self.gone, self.changed, self.unknown, self.used = [], [], [], [], set()
        self.versions, self.moved = {}, {}

    def run(self):
        for path, name in self.places.items() if self.modules or self.is_gone else ():
            self.update(path, name)
        for path, module in sorted(self.modules.items()):
            if path in self.used or path in self.left_out or self.holder(os.path.dirname(path), self.modules):
                continue
            outer = self.holder(os.path.dirname(path), {**self.places, **self.left_out})
            if outer is None:
                self.add(path, module)
            elif outer not in self.left_out:
                self.unknown.append("%s: has no pin: it is inside %s, which the list does not have" % (path, outer))
        for name, pinned in self.by_file.items():
            self.compare(name, pinned)

    def holder(self, path, modules):
        """The submodule that a path is in, the innermost one."""
        return max((module for module in modules if (path + "/").startswith(module + "/")), key=len, default=None)

    def update(self, path, name):
        pin, holder = self.sources[name], self.holder(path, self.modules)
        known = [candidate for candidate in pin["candidates"] if "commit" in candidate]
        if holder is None:
            if path in self.is_gone or self.tree.read(".gitmodules") is not None:
                self.remove(path, name)
            else:
                self.unknown.append("%s: the list does not have it, the pin is the last release's" % path)
            return
        module = self.modules[holder]
        # A pin may be of one folder of a submodule. In another's, it is a nested one that the tree does not tell.
        is_own = path in [holder, *(os.path.join(holder, one["subdir"]) for one in known if "subdir" in one)]
        if not is_own and repository(module["url"]) not in {repository(one.get("git", "")) for one in known}:
            if not self.is_unchanged(holder):
                self.unknown.append("%s: the pin is the last release's" % path)
            return
        self.used.add(holder)
        if not module["commit"]:
            self.unknown.append("%s: the pin is the last release's" % path)
        elif module["commit"] not in [candidate["commit"] for candidate in known]:
            before = known[0]["commit"] if known else "not named"
            self.changed.append("%s: %s, was %s" % (holder, module["commit"], before))
            was = pin["candidates"][0]["version"]
            pin["candidates"] = [self.candidate(known, holder)]
            self.versions[name] = (was, pin["candidates"][0]["version"])
        if pin["candidates"]:
            self.check_complete(holder, name, pin["candidates"][0])

    def is_unchanged(self, path):
        """Whether a submodule is at the commit that it was at, and so all that is inside it."""
        names = {name for place, name in self.places.items() if self.holder(place, self.modules) == path}
        commits = {one.get("commit") for name in names - set(self.versions) for one in self.sources[name]["candidates"]}
        return self.modules[path]["commit"] in commits

    def candidate(self, known, path):
        """As the last one, with the commit, the address and, where the commit is tagged, the version of now."""
        module = self.modules[path]
        last = next((candidate for candidate in known if "git" in candidate), {})
        version = module["version"] or self.tree.tag(path) or module["commit"][:7]
        result = dict(last, version=version, commit=module["commit"])
        if module["url"] and repository(module["url"]) == repository(last.get("git", module["url"])):
            result["git"] = module["url"]
        return result

    def check_complete(self, path, name, candidate):
        """The folders that `complete` names are where the tree's own .gitmodules has them."""
        inner = [other[len(path) + 1 :] for other in self.modules if other.startswith(path + "/")]
        listed = candidate["complete"] if isinstance(candidate.get("complete"), list) else []
        for part in sorted(set(listed) - set(inner)) if inner else ():
            same = [one for one in inner if os.path.basename(one) == os.path.basename(part)]
            if len(same) == 1:
                self.moved.setdefault(name, {})[part] = same[0]
                self.changed.append("%s: its submodule %s lies in %s now" % (path, part, same[0]))
            else:
                there = ", ".join(sorted(inner))
                self.unknown.append("%s: 'complete' of its pin names %s; there are: %s" % (path, part, there))
        if name in self.moved:
            candidate["complete"] = [self.moved[name].get(part, part) for part in listed]

    def remove(self, path, name):
        if path in self.packages:
            self.gone.append("%s: the pin stays, a package uses it" % path)
            return
        self.gone.append(path)
        self.members[:] = [member for member in self.members if member["path"] != path]
        del self.sources[name]

    def add(self, path, module):
        name = os.path.basename(path).lower().replace("_", "-")
        line = "%s: %s of %s" % (path, module["commit"] or "commit not known", module["url"] or "unknown address")
        if name in self.sources:
            line += "; the pins have another source of this name, so it has no pin"
        elif module["commit"] and module["url"]:
            candidate = self.candidate([], path)
            self.places[path] = name
            self.sources[name] = {"license": "NOASSERTION", "homepage": module["url"], "candidates": [candidate]}
            self.members.append({"name": name, "path": path, "required": True})
        self.added.append(line)

    def compare(self, name, pinned):
        """No hash is known of what a file names by its version: a person writes that candidate."""
        versions = [candidate["version"].partition("-")[0] for candidate in self.sources[name]["candidates"]]
        for file, version in pinned:
            if version not in versions:
                self.unknown.append("%s: %s names %s, the pin is %s" % (name, file, version, ", ".join(versions)))


def own_candidates(pin, version, found):
    """The candidates of PyTorch itself: the last one's with what was `found` of the new one. Those of this version stay,
    unless it is another commit: their archives are named by hand."""
    known = pin["candidates"]
    same = [one for one in known if one["version"] == version]
    if same and found.get("commit", same[0].get("commit")) == same[0].get("commit"):
        return known
    if not found:
        return []
    last = {member: known[0][member] for member in ("complete", "git") if known and member in known[0]}
    if "commit" not in found:
        last.pop("git", None)
    return [{"version": version, **found, **last}]
