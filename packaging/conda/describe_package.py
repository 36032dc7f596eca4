# SPDX-License-Identifier: BSD-3-Clause
"""Writes what says what the conda package of a package of the superbuild is: manifest.json, and licences of the backend.

    describe_package.py <artifacts/x.json> <folder for manifest.json and share/licenses> <file>

<file> is for make_sbom.py, as describe_tree.py writes it.
"""

import json
import pathlib

from engine.artifact import Artifact
from engine.sbom.licences import place_licences


def describe(artifact, root):
    """The contents of manifest.json, with what torchpkg and the statement read of it, and of <file>."""
    record, backend, nothing = artifact.record, artifact.backend, {"bundled": [], "host_libraries": []}
    (root / "share/licenses").mkdir(parents=True)
    inside = {"packages": artifact.packages_inside(nothing), "owners": place_licences(artifact, root, nothing)}
    packages = artifact.manifests(inside["packages"])
    own = packages[record["package"]]
    manifest = {
        "schema": 1,
        "name": record["conda_package"],
        "version": artifact.versions.get(record["package"]) or own["version"],
        **{member: record[member] for member in ("linkage", "deps", "preset", "cell") if member in record},
        "product": record["tree"],
        "backend": backend["name"],
        "backend_kind": backend["kind"],
        "cxx11_abi": True,
        "platform": {},
        "features": {},
        "packages": list(packages.values()),
        **nothing,
        backend["kind"]: artifact.ask("manifest", root),
    }
    return manifest, {**inside, "libraries": str(artifact.libraries_file)}


def main(artifact, root, inside):
    root = pathlib.Path(root)
    for path, content in zip((root / "manifest.json", pathlib.Path(inside)), describe(Artifact(artifact), root)):
        path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
