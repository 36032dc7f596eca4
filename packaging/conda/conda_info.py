# SPDX-License-Identifier: BSD-3-Clause
"""Writes info/ of a conda package, but for what depends on its content, which pack_conda.py writes.

    conda_info.py --artifact <artifacts/x.json> --tree FOLDER --info FOLDER --name NAME --build TEXT --summary TEXT
                  [--metadata METADATA] [--depends SPEC ...] [--run-exports SPEC ...] [--version VERSION]

It depends on these, on what the libraries of the tree need of their host and of the backend, and on what METADATA
requires. https://docs.conda.io/projects/conda-build/en/stable/resources/package-spec.html
"""

import argparse
import json
import pathlib

from depends import host_packages, requirements

from engine.artifact import Artifact
from engine.elf_needs import elf_needs

LICENSE = "BSD-3-Clause"


def write_json(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")


def depends_of(artifact, tree, metadata):
    required = requirements(metadata, artifact.record["python"]) if metadata else []
    elves = elf_needs(tree)
    if artifact.record.get("tree") == "package" and not elves:  # archives, which are linked where there is no driver
        packages = artifact.ask("conda", [], default=[])
        return [spec for spec in packages if not spec.startswith("__")]
    packages = required + host_packages(elves)
    packages = artifact.ask("conda", packages, default=packages)
    # torch.utils.cpp_extension needs it. METADATA asks for it from 3.12 on: earlier environments have it, prefixes not.
    if metadata and not any(spec.split()[0] == "setuptools" for spec in packages):
        packages = [*packages, "setuptools"]
    return packages


def hash_input(artifact):
    """What tells this build from others of the same version: the fingerprint of package pytorch, or of the one that is packed
    alone, stands for sources, options and compiler."""
    package = artifact.record["package"] if artifact.record.get("tree") == "package" else "pytorch"
    fingerprint = artifact.build.package(package).manifest["fingerprint"]
    platform = artifact.record["target"]["conda_subdir"]
    return {"backend": artifact.backend["name"], "fingerprint": fingerprint, "target_platform": platform}


def describe(artifact, options):
    index = {
        "arch": artifact.record["target"]["processor"],
        "build": options.build,
        "build_number": artifact.record["conda_build_number"],
        "depends": sorted([*options.depends, *depends_of(artifact, options.tree, options.metadata)]),
        "license": LICENSE,
        "license_family": "BSD",
        "name": options.name,
        "platform": "linux",
        "subdir": artifact.record["target"]["conda_subdir"],
        "version": options.version or artifact.record["conda_version"],
    }
    licenses = options.info / "licenses"
    about = {
        "dev_url": artifact.record.get("home", "https://github.com/pytorch/pytorch"),
        "home": artifact.record.get("home", "https://pytorch.org"),
        "license": LICENSE,
        "license_file": sorted(str(path.relative_to(licenses)) for path in licenses.rglob("*") if path.is_file()),
        "summary": options.summary,
    }
    off = artifact.features_off()
    if off:
        about["extra"] = {"features": off}
    write_json(options.info / "index.json", index)
    write_json(options.info / "about.json", about)
    write_json(options.info / "run_exports.json", {"weak": options.run_exports})
    write_json(options.info / "hash_input.json", hash_input(artifact))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("--artifact", "--tree", "--info"):
        parser.add_argument(name, required=True, type=pathlib.Path)
    for name in ("--name", "--build", "--summary"):
        parser.add_argument(name, required=True)
    parser.add_argument("--metadata")
    parser.add_argument("--version")
    parser.add_argument("--depends", nargs="*", default=[])
    parser.add_argument("--run-exports", nargs="*", default=[])
    options = parser.parse_args()
    describe(Artifact(options.artifact), options)
