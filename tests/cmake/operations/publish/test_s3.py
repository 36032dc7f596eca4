# SPDX-License-Identifier: BSD-3-Clause
"""A site in a bucket: many publishers at once, what is refused, what cannot be reached."""

import concurrent.futures

from fixture import PublishTest

import static_site
from artifacts import read_artifacts
from refusing import refusing
from servers import s3

TARGET = "s3://packages/a folder"


class NoRights(PublishTest):
    def test_error(self):
        address = refusing(self)
        self.environment(AWS_ENDPOINT_URL=address, AWS_ACCESS_KEY_ID="a", AWS_SECRET_ACCESS_KEY="a")
        self.environment(AWS_ALLOW_HTTP="true", AWS_REGION="us-east-1")
        self.zip("2.6.0+cpu")
        self.publish(
            4,
            "add",
            TARGET,
            self.dist,
            says=[f"error: {TARGET}: ", "HTTP 403 Forbidden: Access Denied.", "the rights (AWS_...)"],
        )
        self.assertNotIn("<", self.text)


class Bucket(PublishTest):
    def setUp(self):
        super().setUp()
        s3(self, self.box / "s3", "packages")
        self.environment(AWS_ALLOW_HTTP="true")

    def text(self, path):
        return static_site.Site(TARGET).read(path)[0].decode()

    def test_all(self):
        """One server for all of it, since it takes seconds to start."""
        files = [self.wheel("1.%d+cpu" % number) for number in range(4)] + [self.zip("2.6.0+cpu"), self.conda()]
        artifacts = read_artifacts([self.dist])
        add = lambda artifact: static_site.Site(TARGET).add([artifact], "test")  # noqa: E731
        with concurrent.futures.ThreadPoolExecutor() as pool:
            self.assertEqual(list(pool.map(add, artifacts)), [1] * len(files))
        for page in ("test/simple/demo-package/index.html", "test/index.html", "test/sizes.csv", "test/SHA256SUMS"):
            with self.subTest(page):
                for number in range(4):
                    self.assertIn("demo_package-1.%d" % number, self.text(page))
        self.assertIn("demo-1.1-cpu_py311_h0_0.conda", self.text("test/conda/linux-64/repodata.json"))

        self.publish(0, "promote", TARGET, "1.3+cpu")
        self.publish(0, "prune", TARGET, "--keep", "1", "--channel", "test", says=["removed: demo_package-1.0"])
        there = static_site.Site(TARGET).paths("files")
        for number, kept in enumerate((False, False, False, True)):
            self.assertEqual(f"files/demo_package-1.{number}+cpu-py3-none-any.whl" in there, kept)
        self.assertIn("files/" + files[4].name, there)

        files[4].unlink()
        self.zip("2.6.0+cpu", content="other content")
        self.publish(
            3, "add", TARGET, self.dist, says=["error: another file libtorch-shared-with-deps-2.6.0+cpu.zip was"]
        )
        self.publish(4, "add", "s3://no-such-bucket", self.dist, says=["error: s3://no-such-bucket: ", "check"])
        self.environment(AWS_ENDPOINT_URL="http://127.0.0.1:1")
        self.publish(4, "promote", TARGET, says=[f"error: {TARGET}: ", "check the address, the network"])
