# SPDX-License-Identifier: BSD-3-Clause
"""Writes the bill of materials as CycloneDX 1.6 JSON."""


def property_of(name, value):
    return {"name": "torch-superbuild:" + name, "value": value}


def component_of(entry, entries=()):
    """A component, with those of the entries that are nested in it."""
    # What was chosen from a choice; a component says also what there was to choose from.
    chosen = entry["license"] != entry["declared"] and entry["part"] != "product"
    properties = [property_of("use", entry["comment"])]
    hashes = []
    if chosen:
        properties.append(property_of("declared-license", entry["declared"]))
    if entry["sha256"] and entry["part"] == "dynamic":
        hashes = [{"alg": "SHA-256", "content": entry["sha256"]}]
    elif entry["sha256"]:
        # The hash of the archive it was made from, so it is not the component's.
        properties.append(property_of("source-sha256", entry["sha256"]))
        properties.append(property_of("source-archive", entry["archive"]))
    git = entry["download"].startswith("git+")
    references = [
        {"type": "website", "url": entry["homepage"]},
        {"type": "vcs" if git else "source-distribution", "url": entry["download"][4 if git else 0 :]},
    ]
    pedigree = {
        "patches": [
            {"type": "unofficial", "diff": {"text": {"contentType": "text/x-diff", "content": patch["text"]}}}
            for patch in entry["patches"]
        ],
        "notes": "\n".join("%(file)s: %(reason)s" % patch for patch in entry["patches"]),
    }
    component = {
        "type": "library",
        "bom-ref": entry["ref"],
        "name": entry["name"],
        "version": entry["version"],
        "supplier": {"name": entry["supplier"]},
        "licenses": [{"expression": entry["license"], **({"acknowledgement": "concluded"} if chosen else {})}],
        "purl": entry["purl"],
        "properties": properties,
        "externalReferences": [reference for reference in references if reference["url"]],
        "hashes": hashes,
        "pedigree": pedigree if entry["patches"] else {},
        "components": [component_of(child) for child in entries if child["parent"] == entry["ref"]],
    }
    return {name: value for name, value in component.items() if value not in ([], {})}


def document(product, entries, uuid, created):
    parts = [component_of(entry, entries) for entry in entries if not entry["parent"]]
    needs = [{"ref": product["ref"], "dependsOn": sorted(part["bom-ref"] for part in parts)}]
    for part in parts:
        if "components" in part:
            needs.append(
                {"ref": part["bom-ref"], "dependsOn": sorted(child["bom-ref"] for child in part["components"])}
            )
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": "urn:uuid:%s" % uuid,
        "version": 1,
        "metadata": {
            "timestamp": created,
            "tools": {"components": [{"type": "application", "name": "torch-superbuild"}]},
            "component": component_of(product),
        },
        "components": parts,
        "dependencies": needs,
    }


def add_files(document, files, links, uuid):
    """files: {path: its hashes}, links: {path: target}."""
    document["serialNumber"] = "urn:uuid:%s" % uuid
    document["metadata"]["component"]["components"] = [
        {"type": "file", "name": path, "hashes": [{"alg": "SHA-256", "content": files[path]["sha256"]}]}
        for path in files
    ] + [{"type": "file", "name": path, "properties": [property_of("symlink", links[path])]} for path in links]
