# SPDX-License-Identifier: BSD-3-Clause
"""An artifact that is damaged, or is not what its name says, is named, and nothing is published."""

import shutil

from fixture import PublishTest, info_of, pack, wheel_entries

GOOD = {"name": "demo", "version": "1.1", "build": "h0_0", "build_number": 0, "subdir": "linux-64", "depends": []}
FILE = "linux-64/demo-1.1-h0_0.conda"
INFO, PKG = "info-demo-1.1-h0_0.tar.zst", "pkg-demo-1.1-h0_0.tar.zst"
WHEEL = "demo_package-1.1-py3-none-any.whl"


class BadArtifacts(PublishTest):
    def is_bad(self, name, content, words):
        file = self.dist / name
        with self.subTest(words):
            if isinstance(content, dict):
                pack(file, content)
            else:
                self.write(file, content)
            remedy = "build the file again, or remove it"
            self.publish(3, "add", self.site, self.dist, says=[f"error: {file} {words}", remedy])
            self.assertFalse((self.site / "files").exists())
        content = file.read_bytes()
        file.unlink()
        return content

    def good(self, name, entries):
        pack(self.dist / name, entries)
        return (self.dist / name).read_bytes()

    def test_what_was_not_tried(self):
        file = self.zip("2.6.0+cpu")
        for text, why in ("no JSON", "Expecting value"), ("{}", "'not_run'"), ("[]", "list indices"):
            checks = self.write(f"{file}.checks.json", text)
            self.publish(3, "add", self.site, self.dist, says=[f"error: {checks} is damaged: {why}"])

    def test_nothing_to_publish_is_said_before_tools_are_installed(self):
        for place in self.dist, self.box / "none":
            self.publish(
                3, "--needs", "add", self.site, place, says=[f"error: {place} has no wheel, zip or conda package"]
            )
        for made in self.zip, self.conda:
            made("2.6.0")
            self.publish(0, "--needs", "add", self.site, self.dist, says=["build remote-tools publish-tools"])
            shutil.rmtree(self.dist)

    def test_wheels(self):
        good = wheel_entries(version="1.1")
        # Readers take the one or the other.
        twice = {**good, "other.dist-info/METADATA": "Name: demo_package\nVersion: 1.1\nRequires-Dist: other\n"}
        self.is_bad(WHEEL, wheel_entries(), "is not named after its METADATA: demo_package 1.0+cpu")
        self.is_bad(WHEEL, {"a.txt": "text"}, "has no METADATA")
        self.is_bad(WHEEL, twice, "has more than one METADATA")
        spelt = wheel_entries(version="01.1")  # the same version: https://peps.python.org/pep-0440/#normalization
        pack(self.dist / WHEEL, {name.replace("01.1", "1.1"): text for name, text in spelt.items()})
        self.publish(0, "add", self.site, self.dist)
        self.assertEqual(self.json("test/files.json")["files"][WHEEL]["version"], "1.1")
        shutil.rmtree(self.site)
        content = self.good(WHEEL, good)
        self.is_bad(WHEEL, content[:-40], "is damaged: ")
        self.is_bad(WHEEL, content.replace(b"answer", b"Answer", 1), "is damaged: the CRC of demo_package.py is wrong")
        bad = "has a version that PEP 440 does not allow: 1.x"
        self.is_bad(WHEEL.replace("1.1", "1.x"), wheel_entries(version="1.x"), bad)

    def test_zips(self):
        self.is_bad("a-1.0.zip", b"no zip", "is damaged: File is not a zip file")
        inside = {"libtorch/build-version": "2.6.0+cpu\n"}
        pack(self.dist / "a-2.06.0+cpu.zip", inside)
        self.publish(0, "add", self.site, self.dist)
        (self.dist / "a-2.06.0+cpu.zip").unlink()
        shutil.rmtree(self.site)
        self.is_bad("a-2.7.0+cpu.zip", {"libtorch/build-version": "x"}, "has a version that PEP 440 does not allow: x")
        self.is_bad("a-2.7.0+cpu.zip", inside, "is not named after its libtorch/build-version: 2.6.0+cpu")
        self.is_bad("a.zip", {}, "has another name than <product>-<version>.zip")
        self.is_bad("a-1.0 & ä.zip", {}, "has a character in its name that is none of")

    def test_conda_packages(self):
        good = {INFO: info_of(GOOD), PKG: "files"}
        name = "is not named after its index.json, or is in the wrong folder: expected linux-64/demo-1.0-h0_0.conda"
        self.is_bad(FILE, {**good, INFO: info_of({**GOOD, "version": "1.0"})}, name)
        self.is_bad(FILE, {**good, INFO: info_of({"name": "demo"})}, "is damaged: 'subdir'")
        self.is_bad(FILE, {**good, INFO: info_of("no JSON")}, "is damaged: ")
        self.is_bad(FILE, {**good, INFO: "no Zstandard"}, "is damaged: ")
        self.is_bad(FILE, {PKG: "files"}, "has no info-*.tar.zst")
        self.is_bad(FILE, {**good, "info-other-1-0.tar.zst": ""}, "has more than one info-*.tar.zst")
        content = self.good(FILE, good)
        self.is_bad(FILE, content.replace(b"files", b"filet", 1), f"is damaged: the CRC of {PKG} is wrong")

    def test_what_is_no_artifact(self):
        file = self.write("a dist/readme.txt")
        self.publish(3, "add", self.site, file, says=[f"error: {file} is not a wheel, a zip or a conda package"])
        none = self.dist / "none-1.zip"
        self.publish(3, "add", self.site, none, says=[f"error: there is no {none}: build a preset first, or name"])
        (self.dist / "readme.txt").unlink()
        self.publish(3, "add", self.site, self.dist, says=[f"{self.dist} has no wheel, zip or conda package"])
        self.assertFalse(self.site.exists())
