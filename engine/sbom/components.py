# SPDX-License-Identifier: BSD-3-Clause
"""What an artifact is made of: the declared components, and for each file in it the components that it belongs to.

A component is a package's main source, a source placed in its tree (both from the pins), or third-party code that is
nested in one of those (components.json beside the pins).
"""

import fnmatch
import os

from engine.build_folder import PackageFolder, read_json
from engine.failure import Failure
from engine.folders import PROJECT

THIRD_PARTY = str(PROJECT / "third_party")


class Component:
    def __init__(self, name, kind, package, root, pin):
        self.name = name
        self.kind = kind  # main, placed or nested
        self.package = package
        self.root = root  # of the component, or for a nested one of the source that it is in; relative to the tree
        self.parent = None  # a component
        self.files = []  # of a nested one: patterns below the root
        self.for_version = False  # of a nested one: it was declared for this version of its source
        self.text_above = ""  # its licence file in the tree, when it came inside with its repository around it
        self.license = pin.get("license", "")
        self.homepage = pin.get("homepage", "")
        self.version = pin.get("version", "")
        self.commit = pin.get("commit", "")
        self.sha256 = pin.get("sha256", "")
        self.tree_sha256 = pin.get("tree_sha256", "")  # of a folder of the builder's
        self.pin = {}  # of a source
        self.candidate = {}  # what the pins say about this version
        self.folder = pin.get("folder", "")  # the comment on a source that came from a folder of the builder's
        self.license_files = pin.get("license_files", [])
        self.texts = pin.get("texts", [])
        self.mentions = pin.get("mentions", [])  # licences that its files mention but that are not theirs
        self.linked = []  # (file, object)
        self.shipped = []  # (file, where it is in the artifact)
        self.whole = False  # of a package without Ninja's records: all of it may be inside

    @property
    def used(self):
        return bool(self.linked or self.shipped or self.whole)

    def matches(self, path, *patterns):
        """Whether a path of the tree belongs to this nested component, by one of the patterns or by any of its own."""
        path = self.package.original(path)
        for pattern in patterns or self.files:
            pattern = os.path.join(self.root, pattern)
            if fnmatch.fnmatchcase(path, pattern + "*" if pattern.endswith("/") else pattern):
                return True
        return False


def read_components(pins_file):
    """({name: [entry]}, the file): third-party code that is nested in a source, from components.json beside the pins.
    docs/licences.md has its members; merge_pins.py has checked them."""
    path = os.path.join(os.path.dirname(pins_file), "components.json")
    declared = read_json(path)["components"] if os.path.exists(path) else {}
    return {name: value if isinstance(value, list) else [value] for name, value in declared.items()}, path


def below(path, folder):
    return not folder or path.startswith(folder + "/")


def from_folder(source):
    """What is known of a source when a folder of the builder's replaced the pinned one: not the version."""
    where = "from a folder of the builder's instead of %s, its tree has the SHA-256 %s"
    known = {"license": source.get("license", ""), "folder": where % (source["version"], source["tree_sha256"])}
    return {**known, "tree_sha256": source["tree_sha256"]}


def text_above(root, candidate):
    """Where the licence file of a source lies that has only a folder of its repository as its place."""
    folder = "/" + candidate.get("subdir", "")
    if "license_file" not in candidate or not root.endswith(folder):
        return ""
    return os.path.join(root[: -len(folder)], candidate["license_file"])


class Package(PackageFolder):
    """A package: its declaration and sources, the components in its tree, and, when it is built, its record."""

    def __init__(self, folder, nested, built=True):
        super().__init__(folder)
        self.compiled = self.declaration.get("build_system", "cmake") == "cmake"
        self.record = self.read_record() if self.compiled and built else None
        self.components = self.make_components(nested)

    def read_record(self):
        path = self.folder / "install/share/torch-superbuild/linked.json"
        if not path.is_file():
            raise Failure(
                "package %s has no record of what is in its libraries: %s" % (self.name, path),
                "give it STAGE_SCRIPTS packaging/sbom/record_linked.cmake in " + self.declaration["declared_in"],
            )
        record = read_json(path)
        if record.get("schema") != 2:
            raise Failure("%s is of another version" % path, "build package %s again" % self.name)
        return record

    def make_components(self, nested):
        main = self.declaration["source"]
        places = dict(entry.split("=", 1) for entry in self.declaration.get("place", []))
        fetched = {source: entry for source, entry in self.sources.items() if entry["status"] == "ok"}
        components = {}
        inside_folder = {"folder": "inside a folder of the builder's"}
        for name in sorted(set(places) | set(fetched)):
            pin = self.pins[name]
            candidate = self.sources.get(name, {}).get("candidate", {})
            if fetched.get(name, {}).get("tree_sha256"):
                source = from_folder(fetched[name])
            elif name in fetched:
                source = fetched[name]
            elif fetched.get(main, {}).get("tree_sha256") and self.includes(name):
                source, candidate = inside_folder, {}
            elif fetched.get(main) and self.includes(name):
                # It came inside the main source: of what is not a submodule nobody knows the version.
                source = {"version": candidate.get("version", ""), "commit": candidate.get("commit", "")}
            else:
                continue
            known = dict(
                source, license=source.get("license") or pin.get("license", ""), homepage=pin.get("homepage", "")
            )
            kind = "main" if name == main else "placed"
            # The sources of a package that is only unpacked lie beside each other.
            root = "" if name == main else places.get(name, name)
            components[name] = Component(self.name if kind == "main" else name, kind, self, root, known)
            components[name].candidate, components[name].pin = candidate, pin
            if name not in fetched:
                components[name].text_above = text_above(root, pin["candidates"][0])
        for component in components.values():
            if component.kind == "placed":
                component.parent = components.get(main)
        for name, entries in nested.items():
            for entry in entries:
                parent = components.get(entry["in"])
                if parent is not None and self.holds(entry, fetched):
                    known = dict(entry, version="", **inside_folder) if parent.folder else entry
                    component = Component(name, "nested", self, parent.root, known)
                    component.parent, component.files = parent, entry["files"]
                    component.for_version = "versions" in entry and not parent.folder
                    components[name] = component
        return components

    def holds(self, entry, fetched):
        """Whether an entry of components.json is for the version that is here. The builder's own folder, and what is
        inside the main source, count as the first candidate, in whose place they are."""
        source = fetched.get(entry["in"])
        if source is None or source.get("tree_sha256"):
            source = self.pins[entry["in"]]["candidates"][0]
        return source["version"] in entry.get("versions", [source["version"]])

    def includes(self, name):
        return self.sources.get(name, {}).get("status") == "included" and bool(self.pins[name]["candidates"])

    def original(self, path):
        """What a file is a copy of, in which a tool has changed names (record_linked.py); otherwise the file."""
        return (self.record or {}).get("copies", {}).get(path, path)

    def owners(self, path):
        """(the source that a path of the tree is in, the nested components that it belongs to)."""
        sources = [item for item in self.components.values() if item.kind != "nested" and below(path, item.root)]
        owner = max(sources, key=lambda item: len(item.root))
        nested = [item for item in self.components.values() if item.parent is owner and item.kind == "nested"]
        matching = [item for item in nested if item.matches(path)]
        # A folder in a folder of another: the inner one has it.
        inner = [item for item in matching if not any(item is not other and inside(other, item) for other in matching)]
        return owner, inner


def inside(inner, outer):
    """Whether all of a nested component lies in a folder of another one."""
    folders = [pattern for pattern in outer.files if pattern.endswith("/")]
    return bool(folders) and all(
        any(pattern.startswith(folder) and pattern != folder for folder in folders) for pattern in inner.files
    )


def assign(package, ships_headers):
    """Gives every file of the record to its components."""
    if package.record is None:
        for component in package.components.values():
            component.whole = component.kind != "nested"
        return
    entries = [(path, item, "linked") for path, item in package.record["files"].items()]
    if ships_headers:
        entries += [(path, where, "shipped") for path, where in package.record["shipped"].items()]
    for path, item, kind in entries:
        owner, nested = package.owners(path)
        for component in [owner] + nested:
            getattr(component, kind).append((path, item))
