# SPDX-License-Identifier: BSD-3-Clause
"""A network whose proxy shows certificates of its own CA: one variable makes fetch, git and pip trust it, git's own settings
hold, and each thing that is wrong with proxy or CA is named, with what to set."""

import os
import shutil
from unittest import mock

from box import sha256
from fixture import GitHubTest, has_pip

HAS_PIP = has_pip()
BOTH = ["archive", "repository"]
ALL = [*BOTH, "wheel"] if HAS_PIP else BOTH


class CompanyNetwork(GitHubTest):
    def setUp(self):
        super().setUp()
        commit = self.publish("owner/outer", outer="outer\n")
        url = "https://github.com/owner/outer/releases/download/v1.0/outer-1.0.tar.gz"
        file = {"filename": "outer-1.0.tar.gz", "sha256": sha256(self.release("owner/outer")), "strip": 1, "url": [url]}
        self.pin("archive", {"version": "1.0", **file})
        hosts = {"repository": "https://github.com", "elsewhere": "https://somewhere.example", "site": self.hub.site}
        for name, host in hosts.items():
            self.pin(name, {"version": "1.0", "commit": commit, "git": f"{host}/owner/outer.git"})
        self.pin("wheel", self.wheel("github/index/demo"))
        # An index behind the same proxy.
        unset = dict.fromkeys(("PIP_NO_INDEX", "PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_PROXY"))
        self.environment(PIP_CONFIG_FILE=os.devnull, PIP_INDEX_URL="https://gitlab.com/index/", **unset)

    def check(self, *rows):
        """Fetches from an empty cache. Rows: what is tried, status, sources, variables, words."""
        for what, ends, names, variables, says in rows:
            with self.subTest(what), mock.patch.dict(os.environ, variables):
                shutil.rmtree(self.cache, ignore_errors=True)
                self.fetch(ends, *names, says=says, providers=["upstream", "git", "python-index"])
                self.assertNotIn("s3cret", self.text)

    def test_trust(self):
        distrust = "the certificate of github.com is not trusted: set SSL_CERT_FILE to a file with your network's CA"
        says = [f"upstream: {distrust}", f"git: {distrust}"]
        if HAS_PIP:
            says.append("python-index: the certificate of the index is not trusted: set SSL_CERT_FILE")
        unread = "the file with trusted CAs cannot be read: correct SSL_CERT_FILE"
        none = {"SSL_CERT_FILE": f"{self.box}/no such file"}
        self.check(
            ("no CA", 4, ALL, {}, says),
            ("SSL_CERT_FILE", 0, ALL, {"SSL_CERT_FILE": self.hub.ca}, []),
            ("CURL_CA_BUNDLE", 0, BOTH, {"CURL_CA_BUNDLE": self.hub.ca}, []),
            ("CMAKE_TLS_CAINFO", 0, BOTH, {"CMAKE_TLS_CAINFO": self.hub.ca}, []),
            ("a file that is not there", 4, BOTH, none, [f"upstream: {unread}", f"git: {unread}"]),
            ("git's variable", 0, ["repository"], {"GIT_SSL_CAINFO": self.hub.ca}, []),
        )

    def test_what_only_git_was_told(self):
        own = f'[http "https://github.com/"]\n\tsslCAInfo = "{self.hub.ca}"\n\tproxy = {self.hub.proxy}\n'
        instead = f'[url "{self.hub.site}/"]\n\tinsteadOf = https://somewhere.example/\n'
        others = "/etc/ssl/certs/ca-certificates.crt"
        asked = ["git: the certificate of 127.0.0.1 is not trusted"]  # not of the host in the pins
        for what, ends, name, text, ca, says in (
            ("git's configuration", 0, "repository", own, others, []),
            ("another address", 0, "elsewhere", instead, self.hub.ca, []),
            ("another address, not trusted", 4, "elsewhere", instead, others, asked),
        ):
            configuration = str(self.write("gitconfig", text))
            variables = {"GIT_CONFIG_GLOBAL": configuration, "SSL_CERT_FILE": ca, "https_proxy": ""}
            self.check((what, ends, [name], variables, says))

    def test_proxy(self):
        os.environ["SSL_CERT_FILE"] = self.hub.ca
        nobody, unknown = "http://me:s3cret@127.0.0.1:1", "http://nobody.invalid:3128"
        # Not each libcurl tells the port.
        nobody_says = [
            "upstream: cannot connect to the proxy 127.0.0.1:1: correct https_proxy, or unset it",
            "git: cannot connect to the proxy 127.0.0.1",
        ]
        unknown_says = [
            "upstream: cannot resolve the proxy nobody.invalid:3128: correct https_proxy",
            "git: cannot resolve the proxy nobody.invalid: correct https_proxy",
        ]
        not_for_it = {"no_proxy": "127.0.0.1", "https_proxy": "http://127.0.0.1:1"}
        self.check(
            ("no proxy there", 4, BOTH, {"https_proxy": nobody}, nobody_says),
            ("a proxy without an address", 4, BOTH, {"https_proxy": unknown}, unknown_says),
            ("a refused host", 4, ["elsewhere"], {}, ["the proxy refuses somewhere.example (HTTP 502)"]),
            ("no proxy for this host", 0, ["site"], not_for_it, []),
        )
        self.hub.password = "me:s3cret"
        asks = "the proxy asks for a password (HTTP 407): set https_proxy to http://user:password@host:port"
        with_password = {"https_proxy": self.hub.proxy.replace("http://", "http://me:s3cret@")}
        self.check(
            ("a proxy with a password", 4, BOTH, {}, [f"upstream: {asks}", f"git: {asks}"]),
            ("the password", 0, ALL, with_password, []),
        )
