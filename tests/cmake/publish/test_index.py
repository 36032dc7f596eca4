# SPDX-License-Identifier: BSD-3-Clause
"""Wheels in a package index: one for tests, one for releases."""

import sys

from box import ROOT, need
from fixture import PublishTest, pack, publish, wheel_entries

sys.path.append(str(ROOT / "tests/cmake"))
from servers import package_index, registry  # noqa: E402


class PackageIndex(PublishTest):
    def setUp(self):
        super().setUp()
        self.environment(UV_HTTP_RETRIES="0")

    def index(self, name):
        return "pypi+" + package_index(self, self.box / name)

    def test_all(self):
        test, release = self.index("test"), self.index("release")
        old, new, file = self.wheel("1.0+cpu"), self.wheel("1.1+cpu"), self.zip("1.0+cpu")
        said = [
            "a package index takes only wheels; left out: 1 other file",
            "2 of 3 files new in the channel test",
        ]
        self.publish(0, "add", test, self.dist, says=said)
        self.publish(0, "add", test, self.dist, says=["0 of 3 files new"])
        self.assertEqual(self.files("test/files"), {old.name, new.name})
        self.publish(0, "promote", test, "1.0", "--to", release, says=[f"released: {old.name}"])
        self.assertEqual(self.files("release/files"), {old.name})
        self.environment(UV_PUBLISH_CHECK_URL=test.removeprefix("pypi+") + "simple")
        self.publish(0, "promote", test, "--to", release, says=[f"released: {new.name}"])
        self.environment(UV_PUBLISH_CHECK_URL=None)
        pack(old, {**wheel_entries(), "more": ""})
        for words, says in (
            (("add", test, old), "error: uv publish error: Local file and index file do not match for"),
            (("promote", test), "error: a package index is one channel: name the index of the releases by --to"),
            (("prune", test, "--keep", "1"), "error: package indexes have no common command"),
            (("smoke", test, "--kind", "zip"), "error: the channel test has no file to check"),
            (("add", "pypi+http://127.0.0.1:1/", old), "refused"),
        ):
            with self.subTest(says):
                self.publish(3, *words, says=[says])
        self.assertTrue(file.exists())


class Registry(PublishTest):
    def setUp(self):
        super().setUp()
        need("skopeo")
        self.target = f"oci://{registry(self, self.box / 'registry')}/torch/packages"

    def test_all(self):
        old, new, package = self.zip("2.6.0+cpu"), self.zip("2.7.0+cpu"), self.conda("2.7.0")
        self.publish(0, "add", self.target, self.dist, says=["3 of 3 files new in the channel test of oci://"])
        self.publish(0, "add", self.target, self.dist, says=["0 of 3 files new"])
        self.publish(0, "promote", self.target, "2.7.0", says=[f"linux-64/{package.name}"])
        target = publish.open_target(publish.parse(["add", self.target]))
        self.assertEqual(set(target.entries("release")), {new.name, f"linux-64/{package.name}"})
        self.publish(0, "prune", self.target, "--keep", "1", "--channel", "test", says=[f"removed: {old.name}"])
        self.assertEqual(set(target.entries("test")), {new.name, f"linux-64/{package.name}"})
        pulled = target.pull(target.entries("release")[new.name], self.box / "pulled")
        self.assertEqual(pulled["path"].read_bytes(), new.read_bytes())
        self.zip("2.7.0+cpu", content="other content")
        self.publish(
            3, "add", self.target, self.dist, says=[f"error: another file {new.name} was published before: give"]
        )
        away = "oci://127.0.0.1:1/packages"
        self.publish(3, "add", away, self.dist, says=["error: skopeo list-tags: ", "connection refused"])
