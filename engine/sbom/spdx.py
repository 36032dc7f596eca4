# SPDX-License-Identifier: BSD-3-Clause
"""Writes the bill of materials as SPDX 2.3 JSON."""

import hashlib
import re

# Who walks the tree follows CONTAINS and the links, and not GENERATED_FROM.
RELATIONS = {
    "main": ["GENERATED_FROM", "CONTAINS"],
    "static": ["STATIC_LINK"],
    "header": ["CONTAINS"],
    "nested": ["CONTAINS"],
    "dynamic": ["DYNAMIC_LINK", "CONTAINS"],
}


def identifier(ref):
    return "SPDXRef-Package-" + re.sub(r"[^A-Za-z0-9.-]", "-", ref)


def package_of(entry):
    url = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": entry["purl"]}
    checksum = {"algorithm": "SHA256", "checksumValue": entry["sha256"]}
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
        "externalRefs": [url],
        "homepage": entry["homepage"],
        "packageFileName": entry["archive"],
        "checksums": [checksum] if entry["sha256"] else [],
    }
    return {name: value for name, value in package.items() if value not in ("", [])}


def file_of(name, path, hashes):
    sums = [{"algorithm": kind.upper(), "checksumValue": hashes[kind]} for kind in ("sha1", "sha256")]
    return {"SPDXID": "SPDXRef-" + name, "fileName": "./" + path, "checksums": sums}


def relation(element, kind, related):
    return {"spdxElementId": element, "relationshipType": kind, "relatedSpdxElement": related}


def document(product, entries, extracted, uuid, created):
    """product: an entry for the artifact; extracted: {LicenseRef: text}."""
    top = identifier(product["ref"])
    patches = []
    relations = [relation("SPDXRef-DOCUMENT", "DESCRIBES", top)]
    for entry in entries:
        own, parent = identifier(entry["ref"]), identifier(entry["parent"]) if entry["parent"] else top
        for patch in entry["patches"]:
            found = file_of("Patch-%d" % len(patches), "patches/" + patch["file"], patch)
            patches.append({**found, "fileTypes": ["SOURCE"], "comment": patch["reason"]})
            relations.append(relation(found["SPDXID"], "PATCH_APPLIED", own))
        relations += [relation(parent, kind, own) for kind in RELATIONS[entry["part"]]]
    texts = [
        {"licenseId": name, "name": name[len("LicenseRef-") :].replace("-", " "), "extractedText": extracted[name]}
        for name in sorted(extracted)
    ]
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": product["document"],
        "documentNamespace": "https://spdx.org/spdxdocs/%s-%s" % (product["document"].replace("+", "-"), uuid),
        "creationInfo": {"created": created, "creators": ["Tool: torch-superbuild"]},
        "packages": [package_of(entry) for entry in [product, *entries]],
        "files": patches,
        "relationships": relations,
        **({"hasExtractedLicensingInfos": texts} if texts else {}),
    }


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
