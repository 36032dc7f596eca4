# SPDX-License-Identifier: BSD-3-Clause
"""What the scripts of an artifact's steps know of it: its record, its packages, and what its backend says."""

import fnmatch
import functools
import re

from engine.build_folder import BuildFolder, read_json
from engine.folders import Folders, load_module


class Artifact:
    """An artifact, by the record that configure has written about it: <build folder>/artifacts/<name>.json."""

    def __init__(self, file):
        self.record = read_json(file)
        self.backend = self.record["backend"]
        self.build = BuildFolder(self.record["build_folder"])
        self.settings = self.build.settings
        self.data = Folders(self.settings.get("TSB_ADDITIONS"))
        # Where each package of the backend's keeps its libraries; those that have some.
        found = [(name, self.install(name) / "lib") for name in self.backend.get("packages", [])]
        self.library_folders = {name: folder for name, folder in found if folder.is_dir()}

    def install(self, package):
        return self.build.package(package).folder / "install"

    def package(self, name):
        """A package's declaration; {} for one that the build does not have."""
        return self.build.package(name).declaration if self.build.has(name, "package.json") else {}

    def machine(self, name):
        """Where on this machine a package lies (MACHINE of its declaration); {} for one that was built."""
        return self.package(name).get("machine") or {}

    @functools.cached_property
    def libraries_file(self):
        return self.data.find("backends/%s/libraries.json" % self.backend["kind"])

    @functools.cached_property
    def facts(self):
        """The backend's libraries.json."""
        return read_json(self.libraries_file) if self.libraries_file else {"packages": {}, "libraries": []}

    @functools.cached_property
    def hooks(self):
        file = self.data.find("backends/%s/hooks/artifact.py" % self.backend["folder"])
        return load_module(file) if file else None

    def ask(self, hook, *arguments, default=None):
        """What a function of the backend's hooks/artifact.py gives, which gets the artifact first."""
        function = getattr(self.hooks, hook, None)
        return function(self, *arguments) if function else default

    @functools.cached_property
    def versions(self):
        """{name in libraries.json: version} of the backend's libraries, as far as they are known."""
        return self.ask("versions", default={})

    def library(self, file):
        """The entry of libraries.json of the library that has such a file; {} for another one."""
        for entry in self.facts["libraries"]:
            if any(fnmatch.fnmatchcase(file, name + ".so*") for name in entry["files"]):
                return entry
        return {}

    def version_of(self, file):
        return self.versions.get(self.library(file).get("name"), "")

    def owner(self, file):
        """(package of the backend's that has a library of this name, the file behind it); ("", None) of another one."""
        for package, folder in self.library_folders.items():
            if (folder / file).exists():
                return package, (folder / file).resolve()
        return "", None

    def opened_by_name(self):
        """SONAMEs of libraries that no other names as needed, such as NVRTC's builtins and cuDNN's parts."""
        patterns = [entry["opened_by_name"] for entry in self.facts["libraries"] if "opened_by_name" in entry]
        names = {file.name for folder in self.library_folders.values() for file in folder.glob("*.so.*")}
        return sorted(name for name in names if any(re.fullmatch(pattern, name) for pattern in patterns))

    def closure(self):
        return self.build.closure(self.record["package"])

    def manifests(self, names):
        """{name: manifest} of those that were built."""
        return {name: self.build.package(name).manifest for name in names if not self.machine(name)}

    @functools.cached_property
    def features(self):
        """Those of PyTorch that are on."""
        features = self.build.package("pytorch").manifest.get("features", {})
        return {name for name, feature in features.items() if feature["enabled"]}

    def features_off(self):
        """{feature: its entry in the manifest} of those that are off although nobody has chosen that."""
        features = {}
        for name in self.closure():
            features |= self.build.package(name).manifest.get("features", {})
        return {name: feature for name, feature in features.items() if "remedy" in feature}

    def packages_inside(self, bundle):
        """The packages of which something is in the artifact. What the backend links as a shared library, such as NCCL, is
        where it was bundled."""
        bundled = {self.owner(library["name"])[0] for library in bundle["bundled"]}
        where_bundled = set(self.backend.get("packages", [])) - {self.record["package"], "pytorch"}
        names = [name for name in self.closure() if self.package(name)["build_only"] != "TRUE"]
        return [name for name in names if name not in where_bundled or name in bundled or self.machine(name)]
