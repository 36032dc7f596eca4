# SPDX-License-Identifier: BSD-3-Clause
"""Adds to a staged tree what says what it is: licences of what was copied into it, manifest.json, build-version, build-hash.

    describe_tree.py <artifacts/x.json> <the tree> <report of bundle.py> <file>

It is run when the tree has its libraries and its CMake package. <file> is for make_sbom.py: `packages` of which something
is in the tree, `owners` of the copied libraries, and `libraries`, the backend's libraries.json.
"""

import json
import pathlib

from manifest import manifest_of

from engine.artifact import Artifact
from engine.build_folder import read_json
from engine.sbom.licences import place_licences


def write_json(path, content):
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def describe(artifact, root, bundle):
    """Returns what make_sbom.py has to know."""
    owners = place_licences(artifact, root, bundle)
    manifest = manifest_of(artifact, root, bundle)
    write_json(root / "manifest.json", manifest)
    (root / "build-version").write_text(manifest["version"] + "\n", encoding="utf-8")
    (root / "build-hash").write_text(manifest["git_version"] + "\n", encoding="utf-8")
    file = artifact.libraries_file
    return {
        "packages": artifact.packages_inside(bundle),
        "owners": owners,
        "libraries": str(file) if file else None,
    }


def main(artifact, root, bundle, inside):
    write_json(pathlib.Path(inside), describe(Artifact(artifact), pathlib.Path(root), read_json(bundle)))
