# SPDX-License-Identifier: BSD-3-Clause
"""What is recorded, the licences folder, both documents; and the same bytes from a build in another folder. What the formats
ask for is in sbom.validators."""

import hashlib
import json
import os
import re

from box import sha256
from fixture import FETCHED, MANIFEST, SHA256, TREE_SHA256, SbomTest

HELD, NESTED, PLACED, WHOLE = (f"third_party/{name}" for name in ("held", "nested", "placed", "whole"))
LINKED = {
    *("by_hand.c", "copied.h", "own.c", "own.h", f"{NESTED}/inner.h", f"{PLACED}/external/jit/jit.c"),
    f"{PLACED}/external/jit/jit.h",
    *(f"{folder}/{folder[12:]}.{kind}" for folder in (HELD, NESTED, PLACED, WHOLE) for kind in "ch"),
}
SUMS = ("sha1", "sha256")
LICENSES = "copied/BSL-1.0.txt copied/NOTICE held/Zlib.txt jit/LICENSE.txt nested/LICENSE.txt placed/LICENSE.txt"
LICENSES += " pytorch/LICENSE shipped/NOTICE whole/LICENSE.txt"
RELATIONS = """\
DOCUMENT DESCRIBES libtorch
Package-libtorch CONTAINS bundled-libgomp
Package-libtorch CONTAINS pytorch
Package-libtorch DYNAMIC_LINK bundled-libgomp
Package-libtorch GENERATED_FROM pytorch
Package-libtorch STATIC_LINK held
Package-libtorch STATIC_LINK placed
Package-placed CONTAINS jit
Package-pytorch CONTAINS copied
Package-pytorch CONTAINS nested
Package-pytorch CONTAINS shipped
Package-pytorch CONTAINS whole
Patch-0 PATCH_APPLIED pytorch
"""


def references(component):
    if component["type"] != "file":
        yield component["bom-ref"]
    for child in component.get("components", []):
        yield from references(child)


class Documents(SbomTest):
    def make(self, name):
        """Twice, as for a conda package: what was written first is replaced."""
        self.make_build(name)
        self.declare()
        self.make_bill(0)
        edited = self.write(self.tree / "lib/edited.so", "another at first\n")
        self.add_files()
        edited.unlink()
        self.write(self.tree / "lib/x.dist-info/RECORD", "not one that is written when a wheel is packed\n")
        self.add_files()

    def read(self, kind):
        return json.loads(self.bill(kind))

    def content(self):
        return {name: (self.tree / name).read_bytes() for name in self.files(self.tree)}, self.record.read_text()

    def packed(self):
        """All but the bills themselves, and links."""
        files = {name for name in self.files(self.tree) if not (self.tree / name).is_symlink()}
        return sorted(files - {"sbom.spdx.json", "sbom.cdx.json"})

    def test_build(self):
        self.make("a build")
        record = self.record.read_text()
        self.assertEqual(set(json.loads(record)["files"]), LINKED)
        self.assertNotIn(str(self.build), record)
        self.assertEqual(self.files(self.tree / "share/licenses"), set(LICENSES.split()))
        notice = (self.tree / "share/licenses/copied/NOTICE").read_text()
        self.assertIn("copied.h:\n\n/* Copyright Somebody", notice)
        self.assertNotIn("unrelated", notice)
        self.check_spdx_files(self.read("spdx"))
        self.check_spdx(self.read("spdx"))
        self.check_cyclonedx(self.read("cdx"))
        first = self.content()
        # In another folder, which is reached through a link: gcc takes its real name where that is shorter.
        (self.box / "r").mkdir()
        (self.box / "a link with a long name").symlink_to("r")
        self.make("a link with a long name/another")
        self.assertEqual(self.content(), first)

    def check_spdx_files(self, document):
        files = [file for file in document["files"] if file["SPDXID"] != "SPDXRef-Patch-0"]
        patch = next(file for file in document["files"] if file not in files)
        self.assertEqual((patch["fileName"], patch["comment"]), ("./patches/own.patch", "why"))
        contents = {f"./{name}": (self.tree / name).read_bytes() for name in self.packed()}
        sums = {kind: {name: hashlib.new(kind, data).hexdigest() for name, data in contents.items()} for kind in SUMS}
        for kind in SUMS:
            found = {
                file["fileName"]: checksum["checksumValue"]
                for file in files
                for checksum in file["checksums"]
                if checksum["algorithm"].lower() == kind
            }
            self.assertEqual(found, sums[kind])
        top, sha1s = document["packages"][0], "".join(sorted(sums["sha1"].values()))
        code = {"packageVerificationCodeValue": hashlib.sha1(sha1s.encode()).hexdigest()}
        code["packageVerificationCodeExcludedFiles"] = ["./sbom.spdx.json", "./sbom.cdx.json"]
        self.assertEqual(top["packageVerificationCode"], code)
        names = [file["SPDXID"] for file in files]
        inside = [item for item in document["relationships"] if item["relatedSpdxElement"] in names]
        expected = [(top["SPDXID"], "CONTAINS", name) for name in names]
        self.assertEqual(
            [(it["spdxElementId"], it["relationshipType"], it["relatedSpdxElement"]) for it in inside], expected
        )

    def check_spdx(self, document):
        self.assertEqual(document["spdxVersion"], "SPDX-2.3")
        packages = {package["SPDXID"][len("SPDXRef-Package-") :]: package for package in document["packages"]}
        expected = "bundled-libgomp copied held jit libtorch nested placed pytorch shipped whole"
        self.assertEqual(sorted(package["SPDXID"][16:] for package in document["packages"]), expected.split())
        for package in packages.values():
            for member in "supplier", "downloadLocation", "licenseConcluded", "licenseDeclared", "copyrightText":
                self.assertTrue(package.get(member), (member, package))
        files = {file["SPDXID"] for file in document["files"]}
        relations = sorted(
            f"{one['spdxElementId'][8:]} {one['relationshipType']} {one['relatedSpdxElement'][16:]}\n"
            for one in document["relationships"]
            if one["relatedSpdxElement"] not in files
        )
        self.assertEqual("".join(relations), RELATIONS)
        pytorch, nested = packages["pytorch"], packages["nested"]
        whole = packages["libtorch"]["licenseConcluded"].split(" AND ")
        for found, expected in (
            (packages["placed"]["downloadLocation"], "git+https://example.org/placed.git@c0ffee"),
            (packages["held"]["downloadLocation"], "git+https://github.com/h/held.git@beef"),
            (nested["versionInfo"], "3.1"),
            (packages["copied"]["versionInfo"], "as in pytorch 9.1"),
            (packages["copied"]["supplier"], "Organization: pytorch"),
            (nested["supplier"], "Organization: a"),
            (packages["placed"]["supplier"], "Organization: example.org"),
            (packages["held"]["versionInfo"], "4.5"),
            (packages["bundled-libgomp"]["versionInfo"], "12.2"),
            (pytorch["checksums"][0]["checksumValue"], SHA256),
            (pytorch["externalRefs"][0]["referenceLocator"], "pkg:pypi/torch@9.1"),
            # What was chosen, and what there was to choose from.
            ((nested["licenseConcluded"], nested["licenseDeclared"]), ("MIT", "MIT OR Zlib")),
            (packages["held"]["licenseConcluded"], "Zlib"),
            (document["hasExtractedLicensingInfos"][0]["extractedText"], "the licence of placed\n"),
        ):
            self.assertEqual(found, expected)
        gomp = "GPL-3.0-or-later WITH GCC-exception-3.1"
        self.assertLessEqual({"MIT", "Zlib", "BSD-3-Clause", "BSL-1.0", gomp, "LicenseRef-Placed"}, set(whole))

    def check_cyclonedx(self, document):
        self.assertEqual((document["bomFormat"], document["specVersion"]), ("CycloneDX", "1.6"))
        top = document["metadata"]["component"]
        sums = {name: [{"alg": "SHA-256", "content": sha256(self.tree / name)}] for name in self.packed()}
        files = [{"type": "file", "name": name, "hashes": hashes} for name, hashes in sums.items()]
        link = [{"name": "torch-superbuild:symlink", "value": "libtorch.so"}]
        files.append({"type": "file", "name": "lib/libtorch.so.9", "properties": link})
        self.assertEqual(top["components"], files)
        known = [name for component in [top, *document["components"]] for name in references(component)]
        self.assertEqual(len(known), len(set(known)))
        for dependency in document["dependencies"]:
            self.assertLessEqual({dependency["ref"], *dependency["dependsOn"]}, set(known))
        pytorch = next(component for component in document["components"] if component["name"] == "pytorch")
        self.assertEqual([child["name"] for child in pytorch["components"]], "copied nested shipped whole".split())
        patches = [item["diff"]["text"]["content"] for item in pytorch["pedigree"]["patches"]]
        self.assertEqual(patches, ["--- a/own.c\n+++ b/own.c\n"])
        self.assertEqual(pytorch["pedigree"]["notes"], "own.patch: why")
        nested = pytorch["components"][1]
        self.assertEqual(nested["licenses"], [{"expression": "MIT", "acknowledgement": "concluded"}])
        self.assertIn({"name": "torch-superbuild:declared-license", "value": "MIT OR Zlib"}, nested["properties"])

    def test_other_inputs(self):
        self.make_build()
        self.declare()
        # Another time: another document, of another name.
        self.make_bill(0)
        before = self.bill("spdx")
        os.environ["SOURCE_DATE_EPOCH"] = "1700000000"
        self.make_bill(0)
        self.assertIn('"created": "2023-11-14T22:13:20Z"', self.bill("spdx"))
        self.assertNotEqual(*(json.loads(text)["documentNamespace"] for text in (before, self.bill("spdx"))))

        # A wheel is torch of the Python package index.
        self.write_artifact(product="wheel", python_tag="cp311")
        self.make_bill(0)
        self.assertIn('"pkg:pypi/torch@9.1%2Bcpu"', self.bill("cdx"))

        # A conda package has the name of the source that it is made of; whatever is in a document has an identifier of its own.
        self.write_artifact(product="conda")
        self.make_bill(0, "--file", "pytorch-9.1-cpu_h0_0.conda")
        for kind, member in (("spdx", "SPDXID"), ("cdx", "bom-ref")):
            identifiers = re.findall(f'"{member}": (.*)', self.bill(kind))
            self.assertEqual(len(identifiers), len(set(identifiers)))
        for part in (
            '"relatedSpdxElement": "SPDXRef-Package-package-pytorch"',
            "pkg:conda/pytorch@9.1?build=cpu_h0_0&subdir=linux-here&type=conda",
        ):
            self.assertIn(part, self.bill("spdx"))

        # A name that JSON cannot hold.
        self.write(self.tree / "lib/caf\udce9")
        self.add_files(3, ["a file's name, or a link's target, is not UTF-8: b'", "give it another name"])

    def test_from_folder(self):
        """A source that came from a folder of the builder's, and what is inside it, claim nothing of what is pinned: no hash,
        address or version, even where the folder is a checkout of the pinned commit."""
        self.make_build()
        self.declare()
        local = {"provider": "local", "tree_sha256": TREE_SHA256}
        pytorch = {**FETCHED["pytorch"], **local, "sha256": ""}
        self.write_sources({**FETCHED, "pytorch": pytorch, "placed": {**FETCHED["placed"], **local}})
        self.make_bill(0)
        whose = f"; from a folder of the builder's instead of 9.1, its tree has the SHA-256 {TREE_SHA256}\""
        projects = ("pypi/torch", "generic/placed", "github/h/held", "github/a/nested", "generic/nested")
        versions = [f"pkg:{project}@" for project in projects]
        claims = [SHA256, "git+", "@c0ffee", "@beef", "placed.git", "held.git", '"3.1"', '"20200101"', *versions]
        # Which project it is, they still say.
        project = ('"pkg:pypi/torch"', "https://pytorch.org")
        for kind in ("spdx", "cdx"):
            for part in (whose, "instead of 20200101", "; inside a folder of the builder's\"", *project):
                self.assertIn(part, self.bill(kind))
            for claim in claims:
                self.assertNotIn(claim, self.bill(kind))
        self.assertIn(f'"versionInfo": "tree {TREE_SHA256[:12]}"', self.bill("spdx"))
        # What no component declares there is a warning, and in the bill.
        self.declare("nested")
        undeclared = (
            "third_party/nested is in the libraries or headers of package pytorch, and no component declares it"
        )
        self.make_bill(0, says=["warning: " + undeclared, "declare it under 'components' in"])
        self.assertIn("; licences incomplete: " + undeclared, self.bill("spdx"))
        # So is a library of the machine that nobody knows and that the folder links; the manifest has all of it.
        bundled = [*MANIFEST["bundled"], {"name": "libodd.so.1", "from": "libodd.so.1", "file": "libodd.so.1"}]
        self.write(self.tree / "manifest.json", {**MANIFEST, "bundled": bundled})
        self.write(self.tree / "lib/libodd.so.1", "another\n")
        odd = [
            "libodd.so.1, bundled as lib/libodd.so.1, is not declared",
            "libodd.so.1, bundled from libodd.so.1, is not known",
        ]
        self.make_bill(3, says=["error: the licence of " + what for what in odd])
        record = json.loads(self.record.read_text())
        self.write(self.record, {**record, "libraries": [*record["libraries"], "@PACKAGES@/odd/install/lib/libodd.so"]})
        self.make_bill(0, says=["warning: the licence of " + what for what in odd])
        told = json.loads((self.tree / "manifest.json").read_text())["licences_incomplete"]
        self.assertEqual(
            [what.partition(":")[0] for what in told], [undeclared, *("the licence of " + what for what in odd)]
        )
        self.assertIn('"name": "libodd",', self.bill("spdx"))
        self.write(self.tree / "manifest.json", MANIFEST)
        # A version that the folder says itself.
        self.declare()
        self.write_artifact(release={"folder": "9.1", "version": "9.2"}, version="9.2a0+cpu")
        self.make_bill(0)
        self.assertIn('"pkg:pypi/torch@9.2a0"', self.bill("cdx"))
        self.write_artifact()
        # Only what is from the folder: its neighbour is as pinned.
        self.write_sources({**FETCHED, "pytorch": pytorch})
        self.make_bill(0)
        self.assertIn('"git+https://example.org/placed.git@c0ffee"', self.bill("spdx"))
        self.assertNotIn("instead of 20200101", self.bill("spdx"))
