# SPDX-License-Identifier: BSD-3-Clause
"""The structure of both documents of the fixture, without any validator's help."""

import hashlib
import json
import os
import re
import sys


def read(root, name):
    with open(os.path.join(root, name), encoding="utf-8") as stream:
        return json.load(stream)


def expect(what, found, expected):
    if found != expected:
        sys.exit("%s: expected %r, found %r" % (what, expected, found))


def sum_of(root, path, kind="sha256"):
    with open(os.path.join(root, path), "rb") as stream:
        return hashlib.new(kind, stream.read()).hexdigest()


def files_of(root):
    """All but the bills themselves, and links."""
    found = []
    for folder, _, names in os.walk(root):
        found += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    return sorted(path for path in found if not path.startswith("sbom.") and not os.path.islink(root + "/" + path))


def check_spdx_files(document, root):
    """Takes them out of the document, with what relates them."""
    files = {file["SPDXID"]: file for file in document["files"]}
    expect("number of files", len(files), len(document["files"]))
    patch = files.pop("SPDXRef-Patch-0")
    expect("the patch", (patch["fileName"], patch["comment"]), ("./patches/own.patch", "why"))
    sums = {name: {item["algorithm"]: item["checksumValue"] for item in files[name]["checksums"]} for name in files}
    found = {files[name]["fileName"]: sums[name] for name in files}
    expected = {
        "./" + path: {"SHA1": sum_of(root, path, "sha1"), "SHA256": sum_of(root, path)} for path in files_of(root)
    }
    expect("files", found, expected)
    top = document["packages"][0]
    text = "".join(sorted(item["SHA1"] for item in expected.values()))
    expect(
        "verification code",
        top["packageVerificationCode"],
        {
            "packageVerificationCodeValue": hashlib.sha1(text.encode()).hexdigest(),
            "packageVerificationCodeExcludedFiles": ["./sbom.spdx.json", "./sbom.cdx.json"],
        },
    )
    relations = document["relationships"]
    inside = [item for item in relations if item["relatedSpdxElement"] in files]
    expect("files inside", [item["relatedSpdxElement"] for item in inside], list(files))
    expect(
        "who has them",
        {(item["spdxElementId"], item["relationshipType"]) for item in inside},
        {(top["SPDXID"], "CONTAINS")},
    )
    document["relationships"] = [item for item in relations if item not in inside]


def check_spdx(document):
    expect("version", document["spdxVersion"], "SPDX-2.3")
    packages = {package["SPDXID"][len("SPDXRef-Package-") :]: package for package in document["packages"]}
    expect("number of identifiers", len(packages), len(document["packages"]))
    expected = [
        "bundled-libgomp",
        "copied",
        "held",
        "jit",
        "libtorch",
        "nested",
        "placed",
        "pytorch",
        "shipped",
        "whole",
    ]
    expect("packages", sorted(packages), expected)
    for name, package in packages.items():
        for member in ("SPDXID", "name", "downloadLocation", "licenseConcluded", "licenseDeclared", "copyrightText"):
            expect("%s has %s" % (name, member), bool(package.get(member)), True)
        expect("identifier of %s" % name, bool(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", package["SPDXID"])), True)
    relations = {
        (relation["spdxElementId"][8:], relation["relationshipType"], relation["relatedSpdxElement"][16:])
        for relation in document["relationships"]
    }
    expect(
        "relations",
        sorted(relations),
        [
            ("DOCUMENT", "DESCRIBES", "libtorch"),
            ("Package-libtorch", "CONTAINS", "bundled-libgomp"),
            ("Package-libtorch", "DYNAMIC_LINK", "bundled-libgomp"),
            ("Package-libtorch", "GENERATED_FROM", "pytorch"),
            ("Package-libtorch", "STATIC_LINK", "held"),
            ("Package-libtorch", "STATIC_LINK", "placed"),
            ("Package-placed", "CONTAINS", "jit"),
            ("Package-pytorch", "CONTAINS", "copied"),
            ("Package-pytorch", "CONTAINS", "nested"),
            ("Package-pytorch", "CONTAINS", "shipped"),
            ("Package-pytorch", "CONTAINS", "whole"),
            ("Patch-0", "PATCH_APPLIED", "pytorch"),
        ],
    )
    expect("download of placed", packages["placed"]["downloadLocation"], "git+https://example.org/placed.git@c0ffee")
    expect("download of held", packages["held"]["downloadLocation"], "git+https://github.com/h/held.git@beef")
    expect("version of nested", packages["nested"]["versionInfo"], "3.1")
    expect("a version that is not known", "versionInfo" in packages["copied"], False)
    expect("version of libgomp", packages["bundled-libgomp"]["versionInfo"], "12.2")
    expect("checksum of pytorch", packages["pytorch"]["checksums"][0]["checksumValue"], "ab" * 32)
    references = packages["pytorch"]["externalRefs"]
    expect("purl", references[0]["referenceLocator"], "pkg:github/pytorch/pytorch@9.1")
    reference = {"referenceCategory": "SECURITY", "referenceType": "advisory", "comment": "Use PyTorch 9.2 or newer."}
    reference["referenceLocator"] = "https://osv.dev/vulnerability/A-1"
    expect("the advisories of pytorch", len(references), 4)
    expect("an advisory of pytorch", references[2], reference)
    expect("why one does not matter", references[3]["comment"], "Not compiled.")
    expect("the advisories of nested", len(packages["nested"]["externalRefs"]), 1)
    whole = packages["libtorch"]["licenseConcluded"]
    expect("what was chosen", packages["nested"]["licenseConcluded"], "MIT")
    expect("what there was to choose from", packages["nested"]["licenseDeclared"], "MIT OR Zlib")
    expect("what was chosen of held", packages["held"]["licenseConcluded"], "Zlib")
    for part in (
        "MIT",
        "Zlib",
        "BSD-3-Clause",
        "BSL-1.0",
        "GPL-3.0-or-later WITH GCC-exception-3.1",
        "LicenseRef-Placed",
    ):
        expect("%s in %s" % (part, whole), part in whole.split(" AND "), True)
    expect("texts", document["hasExtractedLicensingInfos"][0]["extractedText"], "the licence of placed\n")


def references(component):
    if component["type"] != "file":
        yield component["bom-ref"]
    for child in component.get("components", []):
        yield from references(child)


def check_cyclonedx(document, root):
    expect("version", (document["bomFormat"], document["specVersion"]), ("CycloneDX", "1.6"))
    expect("serial number", bool(re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", document["serialNumber"])), True)
    top = document["metadata"]["component"]
    expected = [
        {"type": "file", "name": path, "hashes": [{"alg": "SHA-256", "content": sum_of(root, path)}]}
        for path in files_of(root)
    ]
    link = [{"name": "torch-superbuild:symlink", "value": "libtorch.so"}]
    expected.append({"type": "file", "name": "lib/libtorch.so.9", "properties": link})
    expect("files", top["components"], expected)
    known = list(references(top)) + [name for component in document["components"] for name in references(component)]
    expect("references are used once", len(known), len(set(known)))
    for dependency in document["dependencies"]:
        for name in [dependency["ref"]] + dependency["dependsOn"]:
            expect("reference %s" % name, name in known, True)
    pytorch = [component for component in document["components"] if component["name"] == "pytorch"][0]
    expect("in pytorch", [child["name"] for child in pytorch["components"]], ["copied", "nested", "shipped", "whole"])
    text = "--- a/own.c\n+++ b/own.c\n"
    expect("patches", [item["diff"]["text"]["content"] for item in pytorch["pedigree"]["patches"]], [text])
    expect("why", pytorch["pedigree"]["notes"], "own.patch: why")
    nested = pytorch["components"][1]
    expect("what was chosen", nested["licenses"], [{"expression": "MIT", "acknowledgement": "concluded"}])
    choice = {"name": "torch-superbuild:declared-license", "value": "MIT OR Zlib"}
    expect("what there was to choose from", choice in nested["properties"], True)
    known = document["vulnerabilities"]
    expect("vulnerabilities", [item["id"] for item in known], ["A-1", "A-2", "A-3"])
    expect(
        "a vulnerability",
        known[0],
        {
            "id": "A-1",
            "source": {"name": "OSV", "url": "https://osv.dev/vulnerability/A-1"},
            "references": [
                {"id": "CVE-1-A-1", "source": {"name": "NVD", "url": "https://nvd.nist.gov/vuln/detail/CVE-1-A-1"}},
                {"id": "GHSA-A-1", "source": {"name": "GitHub", "url": "https://github.com/advisories/GHSA-A-1"}},
                {"id": "B-A-1", "source": {"name": "OSV", "url": "https://osv.dev/vulnerability/B-A-1"}},
            ],
            "affects": [{"ref": "pytorch"}],
            "description": "It is wrong.",
            "recommendation": "Use PyTorch 9.2 or newer.",
        },
    )
    expect("one that nothing fixes", known[1]["recommendation"].startswith("No release is named that fixes it."), True)
    expect("one that does not matter", known[2]["analysis"], {"state": "not_affected", "detail": "Not compiled."})
    expect("what to do about it", "recommendation" in known[2], False)


spdx = read(sys.argv[1], "sbom.spdx.json")
check_spdx_files(spdx, sys.argv[1])
check_spdx(spdx)
check_cyclonedx(read(sys.argv[1], "sbom.cdx.json"), sys.argv[1])
