# SPDX-License-Identifier: BSD-3-Clause
"""The structure of both documents of the fixture, without any validator's help."""

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
        ],
    )
    expect("download of placed", packages["placed"]["downloadLocation"], "git+https://example.org/placed.git@c0ffee")
    expect("download of held", packages["held"]["downloadLocation"], "git+https://github.com/h/held.git@beef")
    expect("version of nested", packages["nested"]["versionInfo"], "3.1")
    expect("a version that is not known", "versionInfo" in packages["copied"], False)
    expect("version of libgomp", packages["bundled-libgomp"]["versionInfo"], "12.2")
    expect("checksum of pytorch", packages["pytorch"]["checksums"][0]["checksumValue"], "ab" * 32)
    expect("purl", packages["pytorch"]["externalRefs"][0]["referenceLocator"], "pkg:github/pytorch/pytorch@9.1")
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
    yield component["bom-ref"]
    for child in component.get("components", []):
        yield from references(child)


def check_cyclonedx(document):
    expect("version", (document["bomFormat"], document["specVersion"]), ("CycloneDX", "1.6"))
    expect("serial number", bool(re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", document["serialNumber"])), True)
    top = document["metadata"]["component"]
    expect("libraries", [item["name"] for item in top["components"]], ["lib/libgomp.so.1", "lib/libtorch.so"])
    known = list(references(top)) + [name for component in document["components"] for name in references(component)]
    expect("references are used once", len(known), len(set(known)))
    for dependency in document["dependencies"]:
        for name in [dependency["ref"]] + dependency["dependsOn"]:
            expect("reference %s" % name, name in known, True)
    pytorch = [component for component in document["components"] if component["name"] == "pytorch"][0]
    expect("in pytorch", [child["name"] for child in pytorch["components"]], ["copied", "nested", "shipped", "whole"])
    nested = pytorch["components"][1]
    expect("what was chosen", nested["licenses"], [{"expression": "MIT", "acknowledgement": "concluded"}])
    choice = {"name": "torch-superbuild:declared-license", "value": "MIT OR Zlib"}
    expect("what there was to choose from", choice in nested["properties"], True)
    expect("vulnerabilities", document["vulnerabilities"], [{"id": "CVE-1-2", "affects": [{"ref": "pytorch"}]}])


check_spdx(read(sys.argv[1], "sbom.spdx.json"))
check_cyclonedx(read(sys.argv[1], "sbom.cdx.json"))
