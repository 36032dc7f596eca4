# SPDX-License-Identifier: BSD-3-Clause
"""Writes beside each packed file of an artifact its provenance statement, <file>.intoto.json, and lets the command in
TSB_SIGN sign it. docs/provenance.md explains its members.

    python3 engine make_statements --origin
    python3 engine make_statements <build folder> <artifact> <its manifest.json> <what --origin has printed>

Prints what it has made, one path a line. No folder and no time
is in a statement: the same sources, settings, tools and checkout give the same bytes. Python's standard library only.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from engine.build_folder import BuildFolder, read_json
from engine.failure import Failure
from engine.folders import PROJECT
from engine.sources.local import state_of
from engine.text import say, without_password

PARAMETERS = ("preset", "version", "product", "linkage", "deps", "blas", "python_tag", "soname_version")


def entry(kind, name, digest, uri="", **about):
    about = {"kind": kind, **{key: value for key, value in about.items() if value != ""}}
    return {"name": name, "digest": digest, "annotations": about, **({"uri": uri} if uri else {})}


def origin():
    """The entry of this project's checkout, which is absent without git."""
    commit, changes, why = state_of(str(PROJECT))
    if why:
        say(f"the statements do not name this checkout: {why}")
    return [entry("project", "torch-superbuild", {"gitCommit": commit}, clean=not changes)] if commit else []


def source_entry(source, package, candidate):
    """With upstream's address, whoever provided it."""
    about, uri = {"package": package, "version": source["version"]}, ""
    if source.get("tree_sha256"):  # a folder of the user's
        digest = {"treeSha256": source["tree_sha256"]}
    elif source["sha256"]:
        digest, about["commit"] = {"sha256": source["sha256"]}, source["commit"]
        uri = without_password(candidate["url"][0]) if candidate.get("url") else ""
    else:
        digest = {"gitCommit": source["commit"]}
        uri = "git+%s@%s" % (without_password(candidate["git"]), source["commit"]) if candidate.get("git") else ""
    return entry("source", source["name"], digest, uri, **about)


class Build:
    """The facts about one artifact, from the build folder's JSON files."""

    def __init__(self, folder, name, manifest):
        self.folder = BuildFolder(folder)
        self.artifact, self.manifest = self.folder.artifact(name), read_json(manifest)
        self.packed = self.folder.stamp(name, "pack")
        self.packages, self.inputs = {}, {}
        for package in self.manifest["packages"]:
            self.add(package)
        self.main = "pytorch" if "pytorch" in self.packages else self.artifact["package"]
        self.record = self.folder.package(self.main).declaration
        self.compiled = self.record["build_system"] != "none"

    def add(self, package):
        """A package, and those that only made it, such as a code generator: the artifact's manifest does not list them."""
        name = package["name"]
        self.packages[name], self.inputs[name] = package, self.folder.stamp(name, "stage")["inputs"]
        for needed in self.folder.package(name).declaration["depends"]:
            left_out = self.input_of(name, "dependency", needed) == "left out"
            if not left_out and needed not in self.packages and self.folder.has(needed, "manifest.json"):
                self.add(self.folder.package(needed).manifest)

    def input_of(self, package, *words):
        """What a package was made of, by kind and name."""
        if "\t".join(words) not in self.inputs[package]:
            raise Failure("%s was made without the input %s" % (package, " ".join(words)), "build it again")
        return self.inputs[package]["\t".join(words)]

    def dependencies(self):
        for name, package in sorted(self.packages.items()):
            for source in package["sources"]:
                if not source.get("in"):  # one inside another one is part of that one
                    fetched = self.folder.package(name).sources.get(source["name"], {})
                    yield source_entry(source, name, fetched.get("candidate", {}))
            for patch in package["patches"]:
                digest = {"sha256": self.input_of(name, "patch", patch["file"])}
                yield entry("patch", patch["file"], digest, package=name, source=patch["source"])
        names = self.record["toolchain"] if self.compiled else ()
        facts = {name: self.input_of(self.main, "toolchain", name) for name in names}
        for language in [name for name in ("C", "CXX") if name + "_PROGRAMS" in facts]:
            about = {"compiler": "%s %s" % (facts[language + "_COMPILER_ID"], facts[language + "_COMPILER_VERSION"])}
            about.update(c_library=facts["C_LIBRARY"], machine=facts["MACHINE"])
            digest = {"sha256": facts[language + "_PROGRAMS"]}
            yield entry("toolchain", language + " compiler, assembler and linker", digest, **about)
        for library in self.manifest["bundled"]:
            yield entry("bundled", library["from"], {"sha256": library["sha256"]})
        for name, content in self.artifact.get("variant", {}).get("folders", {}).items():  # as it was read
            yield entry("folder", name, {"treeSha256": content.removeprefix("tree-")})

    def statement(self, file, sha256, more):
        """An in-toto Statement v1 on a packed file, with SLSA's provenance v1. `more` are entries beside those from here."""
        backend = self.manifest.get(self.manifest["backend_kind"], {})
        external = {name: self.artifact.get(name) for name in PARAMETERS}
        external.update(backend=self.manifest["backend"], architectures=backend.get("archs"))
        external["variant"] = self.artifact.get("variant")
        external["debug_info"] = self.input_of(self.main, "debug_info") if self.compiled else ""
        external["SOURCE_DATE_EPOCH"] = self.packed["inputs"]["SOURCE_DATE_EPOCH"]
        internal = {"fingerprints": {name: package["fingerprint"] for name, package in self.packages.items()}}
        if backend:
            internal["toolkit"] = {"version": backend["version"], **backend.get("versions", {})}
        definition = {"buildType": "urn:torch-superbuild:build:v1", "internalParameters": internal}
        definition["externalParameters"] = {name: value for name, value in external.items() if value}
        definition["resolvedDependencies"] = [*self.dependencies(), *more]
        run = {"builder": {"id": "urn:torch-superbuild:builder:own-machine:v1"}}
        return {
            "_type": "https://in-toto.io/Statement/v1",
            "subject": [{"name": os.path.basename(file), "digest": {"sha256": sha256}}],
            "predicateType": "https://slsa.dev/provenance/v1",
            "predicate": {"buildDefinition": definition, "runDetails": run},
        }


def sign(path):
    """The files that the user's command leaves beside a statement: its signature."""
    if not os.environ.get("TSB_SIGN"):
        return []
    # The command may hold a secret: neither a message nor a command line shows it.
    status = subprocess.run(["sh", "-c", 'eval "$TSB_SIGN \\"\\$1\\""', "sh", str(path)], stdout=sys.stderr).returncode
    made = [file for file in sorted(path.parent.iterdir()) if file != path]
    name = re.compile(re.escape(path.name) + r"\.(?!partial-)[A-Za-z0-9._-]+")
    good = made and all(name.fullmatch(file.name) and file.is_file() and file.stat().st_size for file in made)
    if status or not good:
        remedy = "let it write its signature as %s.<suffix> (docs/provenance.md), or unset TSB_SIGN" % path.name
        what = "ended with %d" % status if status else "left no signature"
        raise Failure("the command in TSB_SIGN %s for %s" % (what, path.name), remedy)
    return made


def make(packed, content, build_folder):
    """Writes and signs a statement in a folder of its own, then moves it beside the packed file. Prints the paths."""
    work = pathlib.Path(build_folder, "statement")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    statement = work / (packed.name + ".intoto.json")
    statement.write_text(json.dumps(content, indent=2, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
    files = [statement, *sign(statement)]
    for old in packed.parent.glob(f"{statement.name}*"):  # with a signature of that statement
        old.unlink()
    for file in files:
        print(file.replace(packed.parent / file.name))


def main(build_folder, *words):
    if build_folder == "--origin":
        return print(json.dumps(origin()))
    artifact, manifest, more = words
    try:
        build = Build(build_folder, artifact, manifest)
        for file, sha256 in sorted(build.packed["outputs"].items()):
            if not file.endswith(".json"):  # a bill of materials
                make(pathlib.Path(file), build.statement(file, sha256, json.loads(more)), build_folder)
    except OSError as error:
        raise Failure("cannot write the statement: %s" % error, "free space on the disk") from None
