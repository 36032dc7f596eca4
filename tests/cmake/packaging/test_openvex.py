# SPDX-License-Identifier: BSD-3-Clause
"""The known vulnerabilities of packed files, as OpenVEX documents beside them."""

import json

from statement_fixture import ADVISORIES, ARTIFACT, ZIP, PackedFiles


class OpenVex(PackedFiles):
    def test_known_vulnerabilities(self):
        self.made(*self.write_advisories())
        names = ["debug-" + ZIP + ".intoto.json", ZIP + ".intoto.json", ZIP + ".openvex.json"]
        self.assertEqual(self.new_files(), names)
        text = (self.dist / (ZIP + ".openvex.json")).read_text()
        said = json.loads(text)
        self.assertRegex(said["@id"], "^urn:uuid:[0-9a-f-]{36}$")
        self.assertEqual(
            {name: value for name, value in said.items() if name not in ("@id", "statements")},
            {
                "@context": "https://openvex.dev/ns/v0.2.0",
                "author": "torch-superbuild",
                "timestamp": "2026-08-26T00:00:00Z",
                "version": 1,
            },
        )
        url = "pkg:generic/libtorch@1.0%2Bcpu"
        product = {"@id": url, "identifiers": {"purl": url}, "hashes": {"sha-256": "1" * 64}}
        self.assertTrue(all(item["products"] == [product] for item in said["statements"]))
        first, second, *others = said["statements"]
        self.assertEqual(
            first["vulnerability"],
            {
                "@id": "https://osv.dev/vulnerability/A-1",
                "name": "A-1",
                "aliases": ["CVE-A-1"],
                "description": "It is wrong.",
            },
        )
        self.assertEqual((first["status"], first["action_statement"]), ("affected", "Use PyTorch 1.1 or newer."))
        self.assertEqual(second["status"], "affected")
        self.assertIn("No release is named that fixes it.", second["action_statement"])
        for item in others:
            del item["vulnerability"], item["products"]
        justified = {"status": "not_affected", "justification": "component_not_present", "status_notes": "Not built."}
        unused = {"status": "not_affected", "impact_statement": "Nothing calls it."}
        self.assertEqual(others, [justified, unused, {"status": "fixed", "status_notes": "By a patch."}])
        # None of them; the same from another folder, and another name for what says something else.
        self.write_build("another build")
        self.made(*self.write_advisories({**ADVISORIES, "advisories": []}))
        self.assertFalse((self.dist / (ZIP + ".openvex.json")).exists())
        self.made(*self.write_advisories())
        self.assertEqual((self.dist / (ZIP + ".openvex.json")).read_text(), text)
        self.made(*self.write_advisories({**ADVISORIES, "advisories": ADVISORIES["advisories"][:1]}))
        self.assertNotEqual(json.loads((self.dist / (ZIP + ".openvex.json")).read_text())["@id"], said["@id"])

    def test_known_vulnerabilities_of_other_products(self):
        target = {"conda_subdir": "linux-64"}
        for artifact, name, url in (
            ({"product": "wheel", "python_tag": "cp311"}, "torch-1.0+cpu-x.whl", "pkg:pypi/torch@1.0%2Bcpu"),
            (
                {"product": "conda", "target": target},
                "pytorch-1.0-b_0.conda",
                "pkg:conda/pytorch@1.0?build=b_0&subdir=linux-64&type=conda",
            ),
        ):
            self.write(self.build / "artifacts/a.json", {**ARTIFACT, **artifact})
            self.write(self.build / "steps/a/pack.json", {"inputs": {}, "outputs": {str(self.dist / name): "1" * 64}})
            run = self.run_script("", *self.write_advisories())
            self.assertEqual(run.returncode, 0, run.stdout)
            said = json.loads((self.dist / (name + ".openvex.json")).read_text())
            self.assertEqual(said["statements"][0]["products"][0]["@id"], url)

    def test_advisories_that_are_damaged(self):
        run = self.run_script("", *self.write_advisories({**ADVISORIES, "release": "1.1"}))
        self.assertEqual(run.returncode, 1)
        self.assertIn("%s/advisories.json: it is of the release '1.1', not of '1.0'\n" % self.box, run.stdout)
        self.assertIn("or import it again: tools/import_release/import_advisories.py", run.stdout)
        self.assertEqual(self.new_files(), [])
