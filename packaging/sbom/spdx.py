# SPDX-License-Identifier: BSD-3-Clause
"""Writes the bill of materials as SPDX 2.3 JSON."""

import re

RELATION = {"main": "GENERATED_FROM", "static": "STATIC_LINK", "header": "CONTAINS", "dynamic": "DYNAMIC_LINK"}


def identifier(ref):
    return "SPDXRef-Package-" + re.sub(r"[^A-Za-z0-9.-]", "-", ref)


def package_of(entry):
    package = {
        "SPDXID": identifier(entry["ref"]),
        "name": entry["name"],
        "downloadLocation": entry["download"] or "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": entry["license"],
        "licenseDeclared": entry["declared"],
        "copyrightText": "NOASSERTION",
        "primaryPackagePurpose": "LIBRARY",
        "comment": entry["comment"],
        "externalRefs": [
            {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": entry["purl"]}
        ],
    }
    if entry["version"]:
        package["versionInfo"] = entry["version"]
    if entry["homepage"]:
        package["homepage"] = entry["homepage"]
    if entry["archive"]:
        package["packageFileName"] = entry["archive"]
    if entry["sha256"]:
        package["checksums"] = [{"algorithm": "SHA256", "checksumValue": entry["sha256"]}]
    return package


def document(product, entries, extracted, uuid, created):
    """product: an entry for the artifact; extracted: {LicenseRef: text}."""
    top = identifier(product["ref"])
    whole = package_of(product)
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", top)]
    for entry in entries:
        if entry["part"] == "nested":
            relations.append((identifier(entry["parent"]), "CONTAINS", identifier(entry["ref"])))
            continue
        relations.append((top, RELATION[entry["part"]], identifier(entry["ref"])))
        if entry["part"] == "dynamic":
            relations.append((top, "CONTAINS", identifier(entry["ref"])))
    result = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": product["document"],
        "documentNamespace": "https://spdx.org/spdxdocs/%s-%s" % (product["document"].replace("+", "-"), uuid),
        "creationInfo": {"created": created, "creators": ["Tool: torch-superbuild"]},
        "packages": [whole] + [package_of(entry) for entry in entries],
        "relationships": [
            {"spdxElementId": element, "relationshipType": kind, "relatedSpdxElement": related}
            for element, kind, related in relations
        ],
    }
    if extracted:
        result["hasExtractedLicensingInfos"] = [
            {"licenseId": name, "name": name[len("LicenseRef-") :].replace("-", " "), "extractedText": extracted[name]}
            for name in sorted(extracted)
        ]
    return result
