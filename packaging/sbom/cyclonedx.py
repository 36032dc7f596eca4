# SPDX-License-Identifier: BSD-3-Clause
"""Writes the bill of materials as CycloneDX 1.6 JSON."""


def licenses_of(entry):
    """What was chosen from a choice; a component says also what there was to choose from."""
    chosen = entry["license"] != entry["declared"] and entry["part"] != "product"
    return [{"expression": entry["license"], **({"acknowledgement": "concluded"} if chosen else {})}]


def component_of(entry, nested):
    component = {
        "type": "library",
        "bom-ref": entry["ref"],
        "name": entry["name"],
        "version": entry["version"],
        "supplier": {"name": entry["supplier"]},
        "licenses": licenses_of(entry),
        "purl": entry["purl"],
        "properties": [{"name": "torch-superbuild:use", "value": entry["comment"]}],
    }
    if entry["license"] != entry["declared"]:
        component["properties"].append({"name": "torch-superbuild:declared-license", "value": entry["declared"]})
    references = []
    if entry["homepage"]:
        references.append({"type": "website", "url": entry["homepage"]})
    if entry["download"].startswith("git+"):
        references.append({"type": "vcs", "url": entry["download"][4:]})
    elif entry["download"]:
        references.append({"type": "source-distribution", "url": entry["download"]})
    if references:
        component["externalReferences"] = references
    if entry["sha256"] and entry["part"] == "dynamic":
        component["hashes"] = [{"alg": "SHA-256", "content": entry["sha256"]}]
    elif entry["sha256"]:
        # The hash of the archive it was made from, so it is not the component's.
        component["properties"].append({"name": "torch-superbuild:source-sha256", "value": entry["sha256"]})
        component["properties"].append({"name": "torch-superbuild:source-archive", "value": entry["archive"]})
    if entry["patches"]:
        component["pedigree"] = {
            "patches": [
                {"type": "unofficial", "diff": {"text": {"contentType": "text/x-diff", "content": patch["text"]}}}
                for patch in entry["patches"]
            ],
            "notes": "\n".join("%(file)s: %(reason)s" % patch for patch in entry["patches"]),
        }
    if nested:
        component["components"] = [component_of(child, []) for child in nested]
    return component


def document(product, entries, uuid, created):
    whole = {
        "type": "library",
        "bom-ref": product["ref"],
        "name": product["name"],
        "version": product["version"],
        "supplier": {"name": product["supplier"]},
        "licenses": licenses_of(product),
        "purl": product["purl"],
    }
    children = {entry["ref"]: [item for item in entries if item["parent"] == entry["ref"]] for entry in entries}
    parts = [entry for entry in entries if entry["part"] != "nested"]
    result = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": "urn:uuid:%s" % uuid,
        "version": 1,
        "metadata": {
            "timestamp": created,
            "tools": {"components": [{"type": "application", "name": "torch-superbuild"}]},
            "component": whole,
        },
        "components": [component_of(entry, children[entry["ref"]]) for entry in parts],
        "dependencies": [{"ref": product["ref"], "dependsOn": sorted(entry["ref"] for entry in parts)}]
        + [
            {"ref": entry["ref"], "dependsOn": sorted(child["ref"] for child in children[entry["ref"]])}
            for entry in parts
            if children[entry["ref"]]
        ],
    }
    return result


def add_files(document, files, links, uuid):
    """files: {path: its hashes}, links: {path: target}."""
    document["serialNumber"] = "urn:uuid:%s" % uuid
    document["metadata"]["component"]["components"] = [
        {"type": "file", "name": path, "hashes": [{"alg": "SHA-256", "content": files[path]["sha256"]}]}
        for path in files
    ] + [
        {"type": "file", "name": path, "properties": [{"name": "torch-superbuild:symlink", "value": links[path]}]}
        for path in links
    ]
