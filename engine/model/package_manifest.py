# SPDX-License-Identifier: BSD-3-Clause
"""Writes a package's entry in the manifests of artifacts: version, licence, fingerprint, every source with its hash and
provider, the patches that were applied with their reason, options and features. `local`: it is a folder of the user's.

    python3 engine model.package_manifest --package <packages/x> --fingerprint <hash> [--on <feature>]... [--off <feature> <why>]...
                        [--remedy <feature> <text>]...

It reads package.json and sources.json there, and writes manifest.json. Python's standard library only.
"""

import argparse
import json
import pathlib
import re

from engine.build_folder import BuildFolder, PackageFolder
from engine.partial_file import write_text

FACTS = ("version", "commit", "sha256", "license", "provider")
# A folder of the user's instead of what is pinned; the source that it came inside.
MORE_FACTS = ("tree_sha256", "in")


def commit_of(source):
    """A folder of the user's without a commit is named by its content."""
    tree = source.get("tree_sha256")
    return source.get("commit") or (f"tree-{tree}" if tree else "")


def own_version(tree, pinned):
    """What a folder of the user's says in PyTorch's way, as tsb_source_version reads it. Nothing else is known of others
    than the pin that they stand in for."""
    file = tree / "version.txt"
    found = re.match(r"\d+\.\d+[0-9a-z.]*", file.read_text("utf-8", "replace")) if file.is_file() else None
    return found[0] if found and found[0] != f"{pinned}a0" else pinned


def source_entry(name, source):
    entry = {"name": name, **{member: source.get(member, "") for member in FACTS}}
    return {**entry, **{member: source[member] for member in MORE_FACTS if source.get(member)}}


def applied_patches(folder, package, sources):
    """Those whose content the patch phase has noted in the tree of their source; one may hold for some versions only.
    The names there are of files that links lead to, and two patches of a source may have the same one."""
    # As they were then: the user may have changed one since.
    stamp = BuildFolder(folder.parents[1]).stamp(folder.name, "patch") if package["patches"] else {}
    places = dict(pair.split("=", 1) for pair in package["place"])
    found = []
    for name in sorted(package["patches"]):
        # A placed source that no provider has is not in its folder.
        place = places.get(name, "") if name in sources else ""
        notes = folder / "source" / place / ".tsb-patches"
        applied = notes.read_text(encoding="utf-8").splitlines() if notes.is_file() else []
        digests = {line.partition("  ")[0] for line in applied}
        for patch in package["patches"][name]:
            if stamp["inputs"][f"patch\t{patch['file']}"] in digests:
                found.append({**patch, "source": name})
    return found


def manifest_of(folder, fingerprint, features):
    read = PackageFolder(folder)
    package, fetched = read.declaration, read.sources
    sources = {name: source for name, source in sorted(fetched.items()) if source["status"] in ("ok", "included")}
    main = fetched.get(package["source"], {})
    is_local = main.get("provider") == "local"
    if is_local:
        main = {**main, "version": own_version(folder / "source", main["version"])}
        sources[package["source"]] = main
    return {
        "name": package["name"],
        "version": main.get("version", ""),
        **({"local": True} if is_local else {}),
        "license": main.get("license", ""),
        "commit": commit_of(main),
        "fingerprint": fingerprint,
        "sources": [source_entry(name, source) for name, source in sources.items()],
        "patches": applied_patches(folder, package, sources),
        "options": package["options"],
        "targets": package["targets"],
        "features": features,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--package", required=True, type=pathlib.Path)
    parser.add_argument("--fingerprint", required=True)
    parser.add_argument("--on", action="append", default=[])
    parser.add_argument("--off", action="append", nargs=2, default=[])
    parser.add_argument("--remedy", action="append", nargs=2, default=[], help="of one that nobody has switched off")
    options = parser.parse_args()
    features = {name: {"enabled": True} for name in options.on}
    features.update({name: {"enabled": False, "reason": reason} for name, reason in options.off})
    for name, remedy in options.remedy:
        features[name]["remedy"] = remedy
    manifest = manifest_of(options.package, options.fingerprint, features)
    # Not into the file that is there, which the store may share.
    write_text(options.package / "manifest.json", json.dumps(manifest, indent=2) + "\n")
