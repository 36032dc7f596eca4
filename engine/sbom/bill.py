# SPDX-License-Identifier: BSD-3-Clause
"""The bill of materials as plain entries, from which both formats are written.

Each entry has what NTIA's minimum elements ask for: a supplier, a name, a version, an identifier and a place in the tree.
"""

import fnmatch
import hashlib
import json
import os
import re
import urllib.parse
import uuid

from engine.partial_file import write_text
from engine.sbom.stated_licences import concluded

HEADER = re.compile(r"\.(h|hh|hpp|hxx|inc|inl|cuh|def|ipp)$")


def entry(ref, name, declared, part, **members):
    """part: main, static, header (compiled in or shipped), nested, dynamic or product. The other members are empty unless
    they are given; `archive` is the file that `sha256` is of."""
    known = dict.fromkeys(("version", "supplier", "homepage", "purl", "download", "archive", "sha256", "parent"), "")
    declared = declared or "NOASSERTION"
    known.update(ref=ref, name=name, license=concluded(declared), declared=declared, part=part, patches=[])
    return {**known, **members}


def hashes_of(path):
    """{sha1, sha256} of a file. SPDX wants the first for every file."""
    digests = {"sha1": hashlib.sha1(usedforsecurity=False), "sha256": hashlib.sha256()}
    with open(path, "rb") as stream:
        for block in iter(lambda: stream.read(1 << 20), b""):
            for digest in digests.values():
                digest.update(block)
    return {name: digest.hexdigest() for name, digest in digests.items()}


def name_of(content):
    """A UUID that follows from the content."""
    text = json.dumps(content, sort_keys=True)
    return str(uuid.uuid5(uuid.NAMESPACE_URL, hashlib.sha256(text.encode()).hexdigest()))


def write_document(path, document):
    # Not into a file that is there: a conda package's may be a hard link to that of another tree.
    write_text(path, json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def package_url(kind, name, version, namespace=None):
    parts = [namespace, name] if namespace else [name]
    path = "/".join(urllib.parse.quote(part, safe="") for text in parts for part in text.split("/"))
    return "pkg:%s/%s%s" % (kind, path, "@" + urllib.parse.quote(version, safe="") if version else "")


def address_parts(url):
    """(host, owner and repository where the host is GitHub) of an address."""
    match = re.match(r"(?:git\+)?\w+://(?:[^/@]*@)?([^/:]+)(?:/([^/]+)/([^/]+?)(?:\.git)?/?$)?", url)
    if not match:
        return "", ()
    repository = match[2] and match[1] == "github.com"
    return match[1], (match[2].lower(), match[3].lower()) if repository else ()


def addresses(pin, component):
    return [candidate["git"] for candidate in pin.get("candidates", []) if "git" in candidate] + [component.homepage]


def supplier_of(pin, component):
    """Who publishes it: the owner of its repository, or else its homepage's host; what nobody publishes by itself, such as
    a file that is nested in another project, comes from that project."""
    found = [address_parts(url) for url in addresses(pin, component) if url]
    names = [repository[0] for _, repository in found if repository]
    names += [host.removeprefix("www.") for host, _ in found if host]
    if not names and component.parent:
        parent = component.parent
        return supplier_of(parent.pin, parent)
    return names[0] if names else component.name


def version_of(component):
    """What is known of the version, for people. A nested component has its project's, and a folder that of its tree."""
    if component.version or component.commit:
        return component.version or component.commit
    if component.parent:
        return "as in %s %s" % (component.parent.name, version_of(component.parent))
    return "tree " + component.tree_sha256[:12] if component.tree_sha256 else "unknown"


def where_from(pin, component):
    """Where the source can be downloaded, as SPDX writes it; empty when the pins know no address."""
    for candidate in [component.candidate] + pin.get("candidates", []):
        same = candidate is component.candidate
        if same and candidate.get("url"):
            return candidate["url"][0]
        if candidate.get("git") and component.commit and candidate.get("commit") == component.commit:
            return "git+%s@%s" % (candidate["git"], component.commit)
    return ""


def purl_of(pin, component):
    if component.kind == "main" and component.package.name == "pytorch":
        return package_url("pypi", "torch", component.version)  # by which databases of vulnerabilities know PyTorch
    # By what was pinned, not by the provider that had it: a mirror's copy is the same component.
    wheel = component.candidate.get("python-index")
    if wheel:
        return package_url("pypi", wheel["project"], component.version)
    for _, repository in map(address_parts, addresses(pin, component)):
        if repository:
            # The date of a snapshot is not a tag of the repository.
            version = component.commit or (component.version if "." in component.version else "")
            return package_url("github", repository[1], version, repository[0])
    return package_url("generic", component.name, component.version)


def part_of(component):
    """How a component is in the libtorch: main, static, header (compiled in or shipped) or nested."""
    if component.kind == "main" and component.package.name == "pytorch":
        return "main"
    if component.kind == "nested":
        return "nested"
    if component.whole:
        return "static" if component.kind == "main" else "header"
    return "static" if any(not HEADER.search(path) for path, _ in component.linked) else "header"


def comment_on(component):
    return use_of(component) + ("; " + component.folder if component.folder else "")


def use_of(component):
    if component.whole:
        return "taken as a whole"
    sources = sum(1 for path, _ in component.linked if not HEADER.search(path))
    headers = len(component.linked) - sources
    return "compiled in: sources %d, headers %d; shipped: headers %d" % (sources, headers, len(component.shipped))


def patches_of(component, source, manifest):
    """The patches that were applied to a component's source, as the manifest lists them."""
    if component.kind == "nested":
        return []
    folder = os.path.join(os.path.dirname(component.package.declaration["pins"]), "patches")
    patches = []
    for package in manifest.get("packages", []):
        for patch in package.get("patches", []) if package["name"] == component.package.name else []:
            if patch["source"] == source:
                place = os.path.join(folder, patch["file"])
                with open(place, encoding="utf-8") as stream:
                    text = stream.read()
                patches.append({"file": patch["file"], "reason": patch["reason"], "text": text, **hashes_of(place)})
    return patches


def entries_of(components, manifest):
    """One entry per used component, those of a name sorted; a nested one has a parent."""
    entries = []
    for component in sorted(components, key=lambda item: item.name):
        source = component.name if component.kind != "main" else component.package.declaration["source"]
        entries.append(
            entry(
                component.name,
                source,
                component.license,
                part_of(component),
                version=version_of(component),
                supplier=supplier_of(component.pin, component),
                homepage=component.homepage,
                purl=purl_of(component.pin, component),
                download=where_from(component.pin, component),
                archive=component.candidate.get("filename", ""),
                sha256=component.sha256,
                parent=component.parent.name if component.kind == "nested" else "",
                comment=comment_on(component),
                patches=patches_of(component, source, manifest),
            )
        )
    return entries


def declared_library(declared, name):
    """What bundled.json says about a library, by its file name or the first pattern that fits."""
    stem = library_stem(name)
    if stem in declared:
        return declared[stem]
    return next((declared[key] for key in sorted(declared) if fnmatch.fnmatchcase(stem, key)), {})


def bundled_entries(manifest, root, declared, owners, components):
    """Entries of the libraries that were copied from the machine, or from one of our packages that made them."""
    entries = []
    # What lies beside PyTorch's own libraries in an official wheel, such as libgomp, is not PyTorch's.
    built = {component.name: component.license for component in components if component.name != "pytorch"}
    for library in sorted(manifest.get("bundled", []), key=lambda item: item["file"]):
        stem, file = library_stem(library["from"]), "lib/" + library["file"]
        owner, known = owners.get(library["from"], {}), declared_library(declared, library["from"])
        sha256 = hashes_of(os.path.join(root, file))["sha256"]
        homepage = known.get("homepage", "")
        entries.append(
            entry(
                "bundled-" + stem,
                stem,
                built.get(owner.get("package")) or known.get("license", ""),
                "dynamic",
                version=owner.get("version") or library["from"].partition(".so.")[2] or "SHA-256 " + sha256[:12],
                supplier=address_parts(homepage)[0] or owner.get("package") or stem,
                homepage=homepage,
                purl=package_url("generic", stem, owner.get("version", "")),
                archive=file,
                sha256=sha256,
                comment="%s library %s, copied"
                % ("the wheel's" if owner.get("package") == "pytorch" else "the machine's", library["from"]),
            )
        )
    return entries


def header_entries(declared, owners):
    """A toolkit's headers: templates and inline functions that were compiled into the libraries. The owner names the library
    whose licence they have, or what they are themselves."""
    entries = []
    for name, owner in sorted(owners.items()):
        if "headers" in owner:
            known, version = declared_library(declared, owner["headers"]), owner["version"]
            more = {
                "version": version,
                "purl": package_url("generic", name, version),
                "homepage": known.get("homepage", ""),
            }
            more["supplier"] = address_parts(more["homepage"])[0] or name
            more["comment"] = "headers of the toolkit that it was compiled with"
            entries.append(entry(name, name, known["license"], "header", **more))
    return entries


def bundled_texts(manifest, declared, owners, folder):
    """{LicenseRef: text} of bundled libraries whose licence the SPDX list does not have."""
    libraries = [(item["from"], item["from"]) for item in manifest.get("bundled", [])]
    libraries += [(owner["headers"], name) for name, owner in sorted(owners.items()) if "headers" in owner]
    texts = {}
    for library, owner in libraries:
        name = declared_library(declared, library).get("license", "")
        place = owners.get(owner, {}).get("text")
        if name.startswith("LicenseRef-") and place and name not in texts:
            with open(os.path.join(folder, place), encoding="utf-8", errors="replace") as stream:
                texts[name] = stream.read()
    return texts


def library_stem(name):
    return re.sub(r"\.(a|so)(\.[0-9]+)*$", "", name)


def product_names(artifact, file):
    """Name, package URL, file, and the document's name. A wheel's whole name is known when it is packed only."""
    version = artifact["version"]
    if artifact["product"] == "conda":
        document = file[: -len(".conda")]
        name, version, build = document.rsplit("-", 2)
        url = package_url("conda", name, version)
        subdir = artifact["target"]["conda_subdir"]
        return name, "%s?build=%s&subdir=%s&type=conda" % (url, build, subdir), file, document
    if artifact["product"] == "wheel":
        url = package_url("pypi", "torch", version)
        return "torch", url, "", "torch-%s-%s" % (version, artifact["python_tag"])
    file = artifact["file"]
    product = artifact["product"]
    return product, package_url("generic", product, version), file, file.removesuffix(".zip")


def whole_expression(entries):
    """The licence of all parts together."""
    expressions = sorted({entry["license"] for entry in entries} - {"NOASSERTION"})
    return " AND ".join("(%s)" % text if re.search(r" (AND|OR) ", text) else text for text in expressions)
