# SPDX-License-Identifier: BSD-3-Clause
"""A file without a feature that nobody has switched off is refused, unless it is excused by name; the page says it."""

import io
import json
import tarfile

from fixture import PublishTest, pack, wheel_entries, zstandard

OFF = {"FBGEMM": {"enabled": False, "reason": "nobody <has> it", "remedy": "a mirror"}}
FEATURES = {**OFF, "MPI": {"enabled": False, "reason": "as upstream"}, "ITT": {"enabled": True}}


def conda_info(members):
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as tar:
        for name, value in members.items():
            text = json.dumps(value).encode()
            member = tarfile.TarInfo(name)
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text))
    return zstandard.ZstdCompressor().compress(content.getvalue())


class Features(PublishTest):
    def setUp(self):
        super().setUp()
        self.environment(TSB_STRICT=None, TSB_ALLOW_MISSING=None)
        manifest = json.dumps({"packages": [{"features": FEATURES}]})
        self.files = [
            ("demo-2.0.zip", {"libtorch/build-version": "2.0\n", "libtorch/manifest.json": manifest}),
            ("demo_package-1.1-py3-none-any.whl", {**wheel_entries(version="1.1"), "torch/manifest.json": manifest}),
        ]
        index = {
            "name": "demo",
            "version": "1.1",
            "build": "h0_0",
            "build_number": 0,
            "subdir": "linux-64",
            "depends": [],
        }
        info = {"info/index.json": index, "info/about.json": {"extra": {"features": OFF}}}
        inside = {"info-demo-1.1-h0_0.tar.zst": conda_info(info), "pkg-demo-1.1-h0_0.tar.zst": "files"}
        self.files.append(("linux-64/demo-1.1-h0_0.conda", inside))

    def test_each_kind(self):
        for name, entries in self.files:
            with self.subTest(name):
                pack(self.dist / name, entries)
                says = [f"error: {self.dist / name} lacks features: FBGEMM is off: nobody <has> it"]
                says.append("build it with their sources, or publish it without: TSB_ALLOW_MISSING=FBGEMM")
                self.publish(3, "add", self.site, self.dist, says=says)
                self.assertFalse((self.site / "files").exists())
                (self.dist / name).unlink()

    def test_excused(self):
        for name, entries in self.files:
            pack(self.dist / name, entries)
        self.environment(TSB_ALLOW_MISSING="ITT")
        self.publish(3, "add", self.site, self.dist, says=["TSB_ALLOW_MISSING=FBGEMM"])
        for number, variables in enumerate(
            ({"TSB_ALLOW_MISSING": "ITT, FBGEMM"}, {"TSB_ALLOW_MISSING": "all"}, {"TSB_STRICT": "off"})
        ):
            with self.subTest(variables):
                self.environment(TSB_STRICT=None, TSB_ALLOW_MISSING=None)
                self.environment(**variables)
                self.publish(0, "add", self.box / f"site {number}", self.dist, says=["3 of 3 files new"])
        page = (self.box / "site 0/test/index.html").read_text()
        self.assertEqual(page.count("<p>without FBGEMM: nobody &lt;has&gt; it</p>"), 3)
        self.assertNotIn("without MPI", page)
