# SPDX-License-Identifier: BSD-3-Clause
# ruff: noqa: I001 (the fixture makes the others found)
"""What went wrong, in this project's words, from those of libcurl with OpenSSL and GnuTLS, of git and of Python; and who gets
a password."""

import os
import unittest
from unittest import mock

from fixture import SourcesTest

import download
import transfer
from text import without_password


class Words(SourcesTest):
    def test_another_hosts_certificate(self):
        for words in (
            "SSL: no alternative certificate subject name matches target host name 'mirror.test'",
            "SSL: certificate subject name (other.test) does not match target host name 'mirror.test'",
            "certificate verify failed: Hostname mismatch, certificate is not valid for 'mirror.test'.",
        ):
            reason = transfer.fault_in_words("https://mirror.test/file", words)
            self.assertIn("the certificate that mirror.test shows is another host's", reason)

    def test_proxies(self):
        environment = {
            "https_proxy": "http://me:s3cret@proxy.test:3128",
            "no_proxy": "inside.test",
            "all_proxy": "other:1",
        }
        with mock.patch.dict(os.environ, environment, clear=True):
            self.assertEqual(transfer.proxy_of("https://outside.test/a"), "proxy.test:3128")
            self.assertEqual(transfer.proxy_of("http://outside.test/a"), "other:1")
            self.assertEqual(transfer.proxy_of("https://inside.test/a"), "")


class Passwords(SourcesTest):
    def test_not_shown(self):
        self.assertEqual(without_password("https://me:s3cret@host/a@b"), "https://host/a@b")
        self.assertEqual(without_password("/folder/a@b"), "/folder/a@b")

    def test_only_for_the_host(self):
        request = download.request_for("https://me:s3%20cret@host.test/a b", 0)
        self.assertEqual(request.full_url, "https://host.test/a%20b")
        self.assertEqual(request.unredirected_hdrs, {"Authorization": "Basic bWU6czMgY3JldA=="})
        self.assertNotIn("Authorization", request.headers)

    def test_of_netrc(self):
        file = self.box / "netrc"
        file.write_text("machine host.test login me password s3cret\n")
        file.chmod(0o600)
        with mock.patch.dict(os.environ, NETRC=str(file)):
            request = download.request_for("https://host.test/a", 0)
            self.assertEqual(request.unredirected_hdrs, {"Authorization": "Basic bWU6czNjcmV0"})
            self.assertEqual(download.request_for("https://other.test/a", 0).unredirected_hdrs, {})
            own = download.request_for("https://me:s3%20cret@host.test/a", 0)
            self.assertEqual(own.unredirected_hdrs, {"Authorization": "Basic bWU6czMgY3JldA=="})
        file.write_text("machine")  # not a reason to stop
        with mock.patch.dict(os.environ, NETRC=str(file)):
            self.assertEqual(download.request_for("https://host.test/a", 0).unredirected_hdrs, {})


if __name__ == "__main__":
    unittest.main()
