# SPDX-License-Identifier: BSD-3-Clause
"""What a statement says, from what the build folder's JSON files say already; docs/provenance.md explains its members.

An in-toto Statement v1 with SLSA's provenance v1. Nothing of the machine's folders or clock gets in: the same sources,
settings, toolchain and checkout give the same bytes.
"""

import os

from bill import package_url
from components import chosen_candidate, read_json
from text import without_password

STATEMENT = "https://in-toto.io/Statement/v1"
PROVENANCE = "https://slsa.dev/provenance/v1"
BUILD_TYPE = "urn:torch-superbuild:build:v1"
BUILDER = "urn:torch-superbuild:builder:own-machine:v1"
PARAMETERS = ("preset", "version", "product", "linkage", "deps", "blas", "python_tag", "soname_version")


def descriptor(kind, name, digest, uri="", **annotations):
    said = {key: value for key, value in annotations.items() if value not in ("", None)}
    item = {"name": name, "digest": digest, "annotations": {"kind": kind, **said}}
    return {**item, "uri": uri} if uri else item


def uri_of(source, pins):
    """Where upstream has it: by what is pinned, not by the provider that it came from."""
    candidate = chosen_candidate(pins.get(source["name"], {}), source)
    if candidate.get("url"):
        return without_password(candidate["url"][0])
    if candidate.get("git") and not source["sha256"]:
        return "git+%s@%s" % (without_password(candidate["git"]), source["commit"])
    if "python-index" in candidate:
        return package_url("pypi", candidate["python-index"]["project"], candidate["version"])
    return package_url("generic", source["name"], source["version"])


def source_entry(source, package, pins):
    said = {"package": package, "version": source["version"]}
    if source.get("tree_sha256"):  # a folder of the user's; where it is does not matter to anybody else
        return descriptor("source", source["name"], {"treeSha256": source["tree_sha256"]}, **said)
    if source["sha256"]:
        digest = {"sha256": source["sha256"]}
        return descriptor("source", source["name"], digest, uri_of(source, pins), commit=source["commit"], **said)
    return descriptor("source", source["name"], {"gitCommit": source["commit"]}, uri_of(source, pins), **said)


class Build:
    """The facts about one artifact, in the build folder."""

    def __init__(self, folder, name, manifest):
        self.folder = folder
        self.artifact = read_json(os.path.join(folder, "artifacts", name + ".json"))
        self.packed = self.stamp(name, "pack")
        self.manifest = read_json(manifest)
        self.packages = {package["name"]: package for package in self.manifest["packages"]}
        self.add_tools(list(self.packages))
        self.inputs = {package: self.stamp(package, "stage")["inputs"] for package in self.packages}
        self.pins_sha256 = self.stamp(name, "stage")["inputs"].get("pinned sources", "")
        self.pins = read_json(read_json(self.package_file("pytorch", "package.json"))["pins"])["sources"]

    def stamp(self, owner, step):
        return read_json(os.path.join(self.folder, "steps", owner, step + ".json"))

    def package_file(self, package, file):
        return os.path.join(self.folder, "packages", package, file)

    def add_tools(self, names):
        """Packages that only made others, such as a code generator: the artifact's manifest does not list them."""
        for name in names:
            for key, value in self.stamp(name, "stage")["inputs"].items():
                label, _, needed = key.partition(" ")
                file = self.package_file(needed, "manifest.json")
                known = needed in self.packages or value == "left out"
                if label == "dependency" and not known and os.path.exists(file):
                    self.packages[needed] = read_json(file)
                    self.add_tools([needed])

    def sources(self):
        for name, package in sorted(self.packages.items()):
            # What came inside another source is part of that one.
            for source in package["sources"]:
                if not source.get("in"):
                    yield source_entry(source, name, self.pins)
            for patch in package["patches"]:
                digest = {"sha256": self.inputs[name]["patch " + patch["file"]]}
                yield descriptor("patch", patch["file"], digest, package=name, source=patch["source"])

    def toolchain(self):
        said = self.inputs["pytorch"]
        for language in ("C", "CXX"):
            key = "toolchain %s_" % language
            if key + "PROGRAMS" in said:
                compiler = "%s %s" % (said[key + "COMPILER_ID"], said[key + "COMPILER_VERSION"])
                yield descriptor(
                    "toolchain",
                    "%s compiler, assembler and linker" % language,
                    {"sha256": said[key + "PROGRAMS"]},
                    compiler=compiler,
                    c_library=said["toolchain C_LIBRARY"],
                    machine=said["toolchain MACHINE"],
                )

    def dependencies(self, commit, clean):
        found = [*self.sources(), *self.toolchain()]
        for library in self.manifest["bundled"]:
            found.append(descriptor("bundled", library["from"], {"sha256": library["sha256"]}))
        if self.pins_sha256:
            found.append(descriptor("pins", "sources.json", {"sha256": self.pins_sha256}))
        if commit:
            found.append(descriptor("project", "torch-superbuild", {"gitCommit": commit}, clean=clean))
        return found

    def parameters(self):
        backend = self.manifest.get(self.manifest["backend_kind"], {})
        values = {name: self.artifact.get(name) for name in PARAMETERS}
        values["backend"] = self.manifest["backend"]
        values["architectures"] = backend.get("archs")
        values["debug_info"] = self.inputs["pytorch"].get("debug_info")
        values["SOURCE_DATE_EPOCH"] = self.packed["inputs"].get("SOURCE_DATE_EPOCH")
        inner = {"fingerprints": {name: package["fingerprint"] for name, package in self.packages.items()}}
        if backend:
            inner["toolkit"] = {"version": backend["version"], **backend.get("versions", {})}
        return {name: value for name, value in values.items() if value}, inner

    def statement(self, file, sha256, commit, clean):
        external, internal = self.parameters()
        return {
            "_type": STATEMENT,
            "subject": [{"name": os.path.basename(file), "digest": {"sha256": sha256}}],
            "predicateType": PROVENANCE,
            "predicate": {
                "buildDefinition": {
                    "buildType": BUILD_TYPE,
                    "externalParameters": external,
                    "internalParameters": internal,
                    "resolvedDependencies": self.dependencies(commit, clean),
                },
                "runDetails": {"builder": {"id": BUILDER}},
            },
        }
