# SPDX-License-Identifier: BSD-3-Clause
"""Licences and bill of materials of a staged libtorch.

    python3 engine sbom.make_sbom --artifact <artifacts/x.json> --root <staged tree> --inside <written by describe_tree.py>
                         [--third-party <third_party>] [--file <name>]

It reads manifest.json in the tree, each package's declaration, pins and record (record_linked.py), components.json,
third_party/bundled.json, and the backend's file about its libraries. It refuses what no component covers (gate.py),
fills share/licenses with the texts of what is really inside, and writes
sbom.spdx.json (SPDX 2.3) and sbom.cdx.json (CycloneDX 1.6). The artifact's files get into them when nothing changes them
any more (add_files.py).

The same input gives the same bytes: the documents' names come from a hash of their content, the time from
SOURCE_DATE_EPOCH, or else it is the one that the zip's entries have.

Python's standard library only, 3.9 or newer: the same interpreter that PyTorch's build needs.
"""

import argparse
import datetime
import os

from engine.build_folder import BuildFolder, read_json
from engine.failure import Failure
from engine.sbom import bill, cyclonedx, gate, licence_folder, spdx
from engine.sbom.components import THIRD_PARTY, Package, assign, read_components

DEFAULT_TIME = 315532800  # 1980-01-01, the first that a zip can hold
CREATOR = "torch-superbuild"  # of the bill, and supplier of the artifact, whoever builds it


def creation_time():
    text = os.environ.get("SOURCE_DATE_EPOCH") or str(DEFAULT_TIME)
    if not text.isdigit():
        raise Failure("SOURCE_DATE_EPOCH is not a number: %s" % text, "set it to seconds since 1970, or unset it")
    return datetime.datetime.fromtimestamp(int(text), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def load_packages(names, build_folder):
    """(packages, where components are declared)"""
    build = BuildFolder(build_folder)
    nested, declare_in = read_components(build.package(names[0]).declaration["pins"])
    return [Package(build.package(name).folder, nested) for name in names], declare_in


def links(package, origin):
    """Whether a library of the machine is linked by a package, which may name a link that leads to it."""
    paths = (package.record or {}).get("libraries", [])
    names = {os.path.basename(name) for path in paths for name in (path, os.path.realpath(path))}
    return bill.library_stem(origin) in map(bill.library_stem, names)


def check_bundled(manifest, bundled, packages, owners, bundled_file):
    """Faults of the machine's libraries that are in the artifact; warnings where a folder of the builder's links the library, which
    may be one that no pinned source does."""
    faults = []
    for library in manifest.get("bundled", []):
        origin, place, found = library["from"], "lib/" + library["file"], []
        if not bill.declared_library(bundled, origin).get("license"):
            what = "the licence of %s, bundled as %s, is not declared" % (origin, place)
            remedy = "read it from the package that owns the library and write it into %s" % bundled_file
            found.append((what, remedy))
        if not owners.get(origin, {}).get("text"):
            what = "the licence of %s, bundled from %s, is not known" % (library["name"], origin)
            remedy = "install the package that holds its licence, or build an artifact without-deps"
            found.append((what, remedy))
        linker = next((package for package in packages if package.own and links(package, origin)), None)
        faults += gate.judged(linker, found)
    return faults


def check(packages, components, bundled, manifest, owners, declare_in, options):
    faults = []
    bundled_file = os.path.join(options.third_party, "bundled.json")
    for package in packages:
        if package.record is not None:
            found = gate.check_package(package, package.name == "pytorch", declare_in)
            found += gate.check_headers(package) + gate.check_libraries(package, bundled, bundled_file)
            faults += gate.judged(package, found)
    for component in components:
        if component.kind == "nested":
            found = gate.check_linked(component, os.path.join(options.third_party, "licenses"), declare_in)
        else:
            found = gate.check_licence(component, declare_in)
            found += gate.check_source(component, licence_folder.collected(component))
        faults += gate.judged(component.package, found)
    return faults + check_bundled(manifest, bundled, packages, owners, bundled_file)


def declared_libraries(third_party, libraries):
    """What may be bundled, {name or pattern before .so: {license, homepage}}: of any machine, and the backend's."""
    declared = read_json(os.path.join(third_party, "bundled.json"))["libraries"]
    if libraries:
        facts = read_json(libraries)
        for library in facts["libraries"]:
            if library["package"] in facts["packages"]:
                known = {**facts["packages"][library["package"]], **library}
                declared.update({name: known for name in library["files"]})
        declared.update({headers["name"]: headers for headers in facts.get("headers", [])})
    return declared


def merged(packages):
    """The components in the artifact. What two packages have of one source, as libtorch and a Python layer do, is one."""
    found = {}
    for package in packages:
        for item in package.components.values():
            if not item.used:
                continue
            first = found.setdefault(item.name, item)
            if first is not item:
                first.linked += item.linked
                first.shipped += item.shipped
                for member in ("notices", "licence_files"):
                    for path, text in package.record[member].items():
                        first.package.record[member].setdefault(path, text)
    return list(found.values())


def product_entry(artifact, file, manifest, entries):
    version = manifest.get("version", artifact["version"])  # MAGMA has its own
    name, url, file, document = bill.product_names(artifact, file)
    declared = [entry["license"] for entry in entries if entry["part"] == "main"]
    # Conda's package pytorch is made of a source of that name.
    same_name = any(entry["ref"] == name for entry in entries)
    return bill.entry(
        "package-" + name if same_name else name,
        name,
        declared[0] if declared else "NOASSERTION",
        "product",
        document=document,
        version=version,
        license=bill.whole_expression(entries),
        supplier=CREATOR,
        purl=url,
        archive=file,
        comment="preset %s, %s, %s" % (artifact["preset"], artifact["linkage"], artifact["deps"]),
    )


def run(options):
    artifact = read_json(options.artifact)
    manifest = read_json(os.path.join(options.root, "manifest.json"))
    inside = read_json(options.inside)
    owners = inside["owners"]
    packages, declare_in = load_packages(inside["packages"], artifact["build_folder"])
    created = creation_time()
    bundled = declared_libraries(options.third_party, inside["libraries"])
    release = artifact.get("release", {})
    for package in packages:
        assign(package, package.name == "pytorch")
        if package.own and release.get("version") != release.get("folder"):  # its version.txt says another one
            package.components["pytorch"].version = artifact["version"].partition("+")[0]
    components = merged(packages)
    faults = check(packages, components, bundled, manifest, owners, declare_in, options)
    if any(kind == "error" for _, _, kind in faults):
        return faults
    folder = os.path.join(options.root, "share", "licenses")
    licence_folder.fill(components, folder, os.path.join(options.third_party, "licenses"))
    entries = bill.entries_of(components, manifest)
    entries += bill.header_entries(bundled, owners)
    entries += bill.bundled_entries(manifest, options.root, bundled, owners, components)
    extracted = bill.bundled_texts(manifest, bundled, owners, folder)
    extracted.update(licence_folder.extracted_texts(components, folder))
    product = product_entry(artifact, options.file, manifest, entries)
    if faults:
        incomplete = list(dict.fromkeys(what for what, _, _ in faults))
        product["comment"] += "; licences incomplete: " + "; ".join(incomplete)
        manifest["licences_incomplete"] = incomplete
        bill.write_document(os.path.join(options.root, "manifest.json"), manifest)
    name = bill.name_of([product, entries, created])
    documents = {
        "spdx": spdx.document(product, entries, extracted, name, created),
        "cdx": cyclonedx.document(product, entries, name, created),
    }
    for kind, document in documents.items():
        bill.write_document(os.path.join(options.root, "sbom.%s.json" % kind), document)
    return faults


def main():
    parser = argparse.ArgumentParser()
    for name in ("artifact", "root", "inside"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--file", help="of a conda package, whose name is known when it is staged")
    parser.add_argument("--third-party", default=THIRD_PARTY)
    return gate.tell(run(parser.parse_args()))
