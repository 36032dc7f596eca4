# SPDX-License-Identifier: BSD-3-Clause
"""The licence gate over a package's unpacked sources: what is certain before anything is compiled.

    python3 engine sbom.check_sources --package <packages/x> [--third-party <third_party>] [--collect <folder>]
                            [--configured] [--staged]

It asks what needs no compiler: that every source in the tree has a licence and its text,
and that the nested components for these versions are there and say what is declared. With --configured also, that the
sources which the build is going to compile into its shared libraries, and PyTorch's headers that it is going to install,
belong to a component and have its licence. With
--staged also, that the headers which the compiler read are those of packages and of the platform: what is wrong with the
machine's headers shows in the first package. Which files of the tree went in, make_sbom.py asks, with the same checks
(gate.py). With --collect the texts of the sources are copied to <folder>/<package or source>/.
"""

import argparse
import json
import os

from engine.build_folder import PackageFolder, read_json
from engine.sbom import gate, licence_folder, planned, record_linked
from engine.sbom.components import THIRD_PARTY, Package, read_components
from engine.sbom.source_tree import SourceTree


def is_there(component, tree):
    """A tree that is complete by itself may have empty folders for submodules that only a feature needs which is off."""
    folder = os.path.join(tree, component.root)
    spare = component.name in component.package.declaration.get("spare_sources", [])
    return not spare and os.path.isdir(folder) and bool(os.listdir(folder))


def check(options):
    folder, faults = os.path.abspath(options.package), []
    nested, declare_in = read_components(PackageFolder(folder).declaration["pins"])
    package = Package(folder, nested, built=options.staged)
    tree = os.path.join(package.folder, "source")
    texts_folder = os.path.join(options.third_party, "licenses")
    for component in package.components.values():
        if component.kind == "nested":
            view = SourceTree(tree)
            faults += gate.check_nested(component, view, texts_folder, declare_in)
            faults += gate.check_named_files(component, view, declare_in)
        elif is_there(component, tree):
            patterns = package.declaration.get("license_files", []) if component.kind == "main" else []
            texts, absent = licence_folder.texts_of_source(component, tree, patterns)
            for pattern in absent:
                what = "package %s: its licence file %s is not in %s" % (package.name, pattern, tree)
                faults.append((what, "correct LICENSE_FILES in " + package.declaration["declared_in"]))
            faults += gate.check_licence(component, declare_in)
            faults += gate.check_source(component, texts) if not absent else []
            if options.collect:
                licence_folder.collect(component, texts, options.collect)
    if package.record is not None:
        faults += gate.check_headers(package)
    if options.configured:
        files = planned.compiled_sources(tree, os.path.join(package.folder, "build"))
        ships_headers, shipped = package.name == "pytorch", {}
        if ships_headers:
            shipped = planned.installed_headers(tree, os.path.join(package.folder, "build"))
        described = record_linked.describe(tree, set(files) | set(shipped))
        package.record = {"files": files, "shipped": shipped, **described}
        faults += gate.check_package(package, ships_headers, declare_in)
    return gate.judged(package, faults)


def tell_new(faults, options):
    """The gate is asked several times; a warning is printed once."""
    memory, known = os.path.join(options.package, "licence-warnings.json"), []
    if (options.configured or options.staged) and os.path.isfile(memory):
        known = read_json(memory)
    with open(memory, "w", encoding="utf-8") as stream:
        json.dump([what for what, _, kind in faults if kind == "warning"], stream)
    return gate.tell(faults, known)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--package", required=True)
    parser.add_argument("--third-party", default=THIRD_PARTY)
    parser.add_argument("--collect")
    parser.add_argument("--configured", action="store_true")
    parser.add_argument("--staged", action="store_true")
    options = parser.parse_args()
    return tell_new(check(options), options)
