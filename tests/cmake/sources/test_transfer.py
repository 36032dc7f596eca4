# SPDX-License-Identifier: BSD-3-Clause
"""What went wrong, in this project's words, from those of libcurl with OpenSSL and GnuTLS, of git and of Python; and who gets
a password."""

import contextlib
import os
import socketserver
import threading
import time
from unittest import mock

from fixture import BoxTest

from engine.model.plan import shown
from engine.sources import download, transfer
from engine.text import without_password


class Words(BoxTest):
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
            "all_proxy": "http://me:s3/c@ret@other:1/",
        }
        with mock.patch.dict(os.environ, environment, clear=True):
            self.assertEqual(transfer.proxy_of("https://outside.test/a"), "proxy.test:3128")
            self.assertEqual(transfer.proxy_of("http://outside.test/a"), "other:1")
            self.assertIsNone(transfer.proxy_of("https://inside.test/a"))
        for url, variable in (
            ("https://outside.test/a", "https_proxy"),
            ("http://outside.test/a", "all_proxy"),
        ):
            with mock.patch.dict(os.environ, environment, clear=True):
                self.assertEqual(transfer.proxy_variable(url), variable)
        with mock.patch.dict(os.environ, {"HTTP_PROXY": "x"}, clear=True):
            self.assertEqual(transfer.proxy_variable("http://outside.test/a"), "HTTP_PROXY")
            self.assertEqual(transfer.proxy_variable("https://outside.test/a"), "https_proxy")


class Passwords(BoxTest):
    def test_not_shown(self):
        for password in ("s3cret", "s3@cret", "s3/c@ret", "s3?c#ret", "s3\ncret"):
            self.assertEqual(without_password(f"https://me:{password}@host/a"), "https://host/a")
        self.assertEqual(without_password("file://me:s3cret@/folder"), "file:///folder")
        self.assertEqual(without_password("https://host/a?token=s3cret"), "https://host/a?...")
        self.assertEqual(without_password("/folder/a@b?c"), "/folder/a@b?c")
        self.assertEqual(shown("http://me:s3@c/r?e#t@mirror/a"), "http://mirror (f408457c)")

    def test_only_for_the_host(self):
        request = download.request_for("https://me:s3%20cret@host.test/a b", 0)
        self.assertEqual(request.full_url, "https://host.test/a%20b")
        self.assertEqual(request.unredirected_hdrs, {"Authorization": "Basic bWU6czMgY3JldA=="})
        self.assertNotIn("Authorization", request.headers)

    def test_of_netrc(self):
        """Others may read it, as curl and git allow. One that cannot be used is named."""
        file = self.write(".netrc", "machine host.test login me password s3cret\n")
        self.environment(HOME=str(self.box), NETRC=None)
        request = download.request_for("https://host.test/a", 0)
        self.assertEqual(request.unredirected_hdrs, {"Authorization": "Basic bWU6czNjcmV0"})
        self.assertEqual(download.request_for("https://other.test/a", 0).unredirected_hdrs, {})
        own = download.request_for("https://me:s3%20cret@host.test/a", 0)
        self.assertEqual(own.unredirected_hdrs, {"Authorization": "Basic bWU6czMgY3JldA=="})
        for content in (b"machine", b"machine host.test login m\xe9 password s3cret\n"):
            file.write_bytes(content)
            with mock.patch("engine.sources.download.say") as say:
                self.assertEqual(download.request_for("https://host.test/a", 0).unredirected_hdrs, {})
            self.assertIn(f"{file} cannot be used", say.call_args[0][0])


class Servers(BoxTest):
    """What no server should answer, and addresses that cannot be used."""

    def ask(self, answer, drip=0, **environment):
        """What download says when a server gives this answer to each request, and then this many bytes one by one; the file
        is self.part."""

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                while self.rfile.readline().strip():
                    pass
                self.wfile.write(answer)
                with contextlib.suppress(BrokenPipeError):
                    for _ in range(drip):
                        self.wfile.write(b"x")
                        time.sleep(0.05)

        with socketserver.TCPServer(("127.0.0.1", 0), Handler) as server:
            threading.Thread(target=server.serve_forever, args=(0.01,)).start()
            try:
                return self.download(f"http://127.0.0.1:{server.server_address[1]}/a", **environment)
            finally:
                server.shutdown()

    def download(self, url, **environment):
        self.part = self.box / "part"
        with mock.patch.dict(os.environ, environment), mock.patch.object(download, "PAUSES", (0, 0)):
            target = mock.Mock(part=str(self.part))
            return download.download(mock.Mock(unreachable={}), url, target, "demo", without_password(url))

    def test_slow(self):
        """It is given up, so that the next address is asked, which goes on with what has arrived."""
        with mock.patch.object(download, "SILENCE", 0.2):
            said = self.ask(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", drip=20)
        self.assertRegex(said, "too slow: [0-9]+ bytes in 0 seconds, from http://127.0.0.1")
        self.assertTrue(self.part.read_text().startswith("x"))

    def test_redirects_that_lead_nowhere(self):
        for place in (b"/a", b"file:///etc/passwd"):
            said = self.ask(b"HTTP/1.1 302 F\r\nLocation: " + place + b"\r\nContent-Length: 0\r\n\r\n")
            self.assertIn("it redirects in a circle, or to what is not http or https (HTTP 302)", said)

    def test_what_is_no_address(self):
        for place in ("http://[::1/x", "http://a..b/x", "http://host:port/x"):
            self.assertIn("or http_proxy is not an address: correct it", self.download(place))
            redirect = f"HTTP/1.1 302 F\r\nLocation: {place}\r\nContent-Length: 0\r\n\r\n"
            self.assertIn("or http_proxy is not an address: correct it", self.ask(redirect.encode()))
        for proxy in ("http:/me:s3cret@proxy:1", "http://[::1", "http://proxy:port"):
            said = self.download("http://host.test/x", http_proxy=proxy, no_proxy="")
            self.assertRegex(said, "or http_proxy is not an address: correct it|the proxy .*: correct http_proxy")
            self.assertNotIn("s3cret", said)
