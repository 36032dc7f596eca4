# SPDX-License-Identifier: BSD-3-Clause
"""What a build folder holds about packages and artifacts, in JSON: what configure has written, and what steps have left. Whatever
describes an artifact reads it here."""

import functools
import json
import pathlib

from engine.failure import Failure


def read_json(path):
    try:
        with open(path, encoding="utf-8") as stream:
            return json.load(stream)
    except (OSError, ValueError, RecursionError) as error:
        remedy = "run the same command again; if that does not help, begin with an empty build folder"
        raise Failure("cannot read %s: %s" % (path, error), remedy) from None


def member(file):
    """A member that is read when it is first asked for."""
    return functools.cached_property(lambda package: read_json(package.folder / file))


class PackageFolder:
    """packages/<name>: the declaration, the sources that were fetched, their pins; the manifest, once it is built."""

    declaration = member("package.json")
    sources = member("sources.json")
    pins = member("pins.json")
    manifest = member("manifest.json")

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.name = self.folder.name

    @functools.cached_property
    def own(self):
        """Whether a folder of the builder's is in it: what is not known of that is named, and stops nothing."""
        return any(source.get("tree_sha256") for source in self.sources.values())


class BuildFolder:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.package = functools.lru_cache(None)(lambda name: PackageFolder(self.folder / "packages" / name))

    @functools.cached_property
    def settings(self):
        return read_json(self.folder / "settings.json")

    def artifact(self, name):
        return read_json(self.folder / "artifacts" / f"{name}.json")

    def stamp(self, owner, step):
        """What a step has left: `inputs`, `outputs`."""
        return read_json(self.folder / "steps" / owner / f"{step}.json")

    def has(self, name, file):
        return (self.folder / "packages" / name / file).is_file()

    def closure(self, name, file="manifest.json"):
        """A package and all that it needs; without those that are left out, which have no manifest, unless `file` is package.json."""
        found, pending = [], [name]
        while pending:
            name = pending.pop(0)
            if name not in found and self.has(name, file):
                found.append(name)
                pending += self.package(name).declaration["depends"]
        return found
