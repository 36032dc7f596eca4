# SPDX-License-Identifier: BSD-3-Clause
"""Writes the bill of materials as SPDX 2.3 JSON."""

import hashlib
import re

# Who walks the tree follows CONTAINS and the links, and not GENERATED_FROM.
RELATIONS = {
    "main": ["GENERATED_FROM", "CONTAINS"],
    "static": ["STATIC_LINK"],
    "header": ["CONTAINS"],
    "dynamic": ["DYNAMIC_LINK", "CONTAINS"],
}


def identifier(ref):
    return "SPDXRef-Package-" + re.sub(r"[^A-Za-z0-9.-]", "-", ref)


def package_of(entry):
    package = {
        "SPDXID": identifier(entry["ref"]),
        "name": entry["name"],
        "versionInfo": entry["version"],
        "supplier": "Organization: " + entry["supplier"],
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
    if entry["homepage"]:
        package["homepage"] = entry["homepage"]
    if entry["archive"]:
        package["packageFileName"] = entry["archive"]
    if entry["sha256"]:
        package["checksums"] = [{"algorithm": "SHA256", "checksumValue": entry["sha256"]}]
    return package


def file_of(name, path, hashes):
    return {
        "SPDXID": "SPDXRef-" + name,
        "fileName": "./" + path,
        "checksums": [
            {"algorithm": "SHA1", "checksumValue": hashes["sha1"]},
            {"algorithm": "SHA256", "checksumValue": hashes["sha256"]},
        ],
    }


def relation(element, kind, related):
    return {"spdxElementId": element, "relationshipType": kind, "relatedSpdxElement": related}


def document(product, entries, extracted, uuid, created):
    """product: an entry for the artifact; extracted: {LicenseRef: text}."""
    top = identifier(product["ref"])
    whole = package_of(product)
    patches = []
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", top)]
    for entry in entries:
        for patch in entry["patches"]:
            found = file_of("Patch-%d" % len(patches), "patches/" + patch["file"], patch)
            patches.append({**found, "fileTypes": ["SOURCE"], "comment": patch["reason"]})
            relations.append((found["SPDXID"], "PATCH_APPLIED", identifier(entry["ref"])))
        if entry["part"] == "nested":
            relations.append((identifier(entry["parent"]), "CONTAINS", identifier(entry["ref"])))
            continue
        relations += [(top, kind, identifier(entry["ref"])) for kind in RELATIONS[entry["part"]]]
    result = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": product["document"],
        "documentNamespace": "https://spdx.org/spdxdocs/%s-%s" % (product["document"].replace("+", "-"), uuid),
        "creationInfo": {"created": created, "creators": ["Tool: torch-superbuild"]},
        "packages": [whole] + [package_of(entry) for entry in entries],
        "files": patches,
        "relationships": [relation(*parts) for parts in relations],
    }
    if extracted:
        result["hasExtractedLicensingInfos"] = [
            {"licenseId": name, "name": name[len("LicenseRef-") :].replace("-", " "), "extractedText": extracted[name]}
            for name in sorted(extracted)
        ]
    return result


def add_files(document, files, left_out, uuid):
    """files: {path: its hashes}. Patches are in the document's list of files too, under other identifiers."""
    document["documentNamespace"] = document["documentNamespace"][: -len(uuid)] + uuid
    whole = document["packages"][0]
    sums = "".join(sorted(hashes["sha1"] for hashes in files.values()))
    whole["filesAnalyzed"] = True
    whole["packageVerificationCode"] = {
        "packageVerificationCodeValue": hashlib.sha1(sums.encode(), usedforsecurity=False).hexdigest(),
        "packageVerificationCodeExcludedFiles": ["./" + path for path in left_out],
    }
    own = [file_of("File-%d" % number, path, files[path]) for number, path in enumerate(files)]
    patches = [file for file in document["files"] if not file["SPDXID"].startswith("SPDXRef-File-")]
    others = [item for item in document["relationships"] if not item["relatedSpdxElement"].startswith("SPDXRef-File-")]
    document["files"] = patches + own
    document["relationships"] = others + [relation(whole["SPDXID"], "CONTAINS", file["SPDXID"]) for file in own]
