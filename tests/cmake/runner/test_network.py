# SPDX-License-Identifier: BSD-3-Clause
"""No network for a command: a namespace, a proxy that refuses, and the messages about downloads."""

import os
import socket
import time

from fixture import RunnerTest, run_command

from engine.runner.network import downloads_in

PIN_IT = "remedy: pin what it wants, or switch it off: docs/adding-a-package.md#it-wants-to-download\n"
FORBID = "echo 0 >/proc/sys/user/max_net_namespaces && "

# A log: the downloads in it.
LOGS = {
    "-- Found x\n[1/2] Building CXX object a.o\nx.c:1: error: no\n": [],
    "six build: refused a download: http://a\n-- b\nsix build: refused a download: http://a\n"
    "six build: refused a download: http://c": ["http://a", "http://c"],
    "six build: refused a download: https://a.org\nsix build: refused a download: https://a.or\n"
    "    error: downloading 'https://a.org/six.tar.gz' failed\n": ["https://a.or", "https://a.org/six.tar.gz"],
    # git, alone and under ExternalProject and with submodules.
    "Cloning into 'six'...\nfatal: transport 'https' not allowed\n": ["a git repository by https for six"],
    "fatal: transport 'ssh' not allowed\n": ["a git repository by ssh"],
    "Cloning into 'six'...\nfatal: transport 'https' not allowed\nCMake Error at six-gitclone.cmake:39 (message):\n"
    "  Failed to clone repository: 'https://a.org/six'\n": ["https://a.org/six"],
    "Cloning into 'six'...\nfatal: transport 'https' not allowed\nCMake Error at six-gitclone.cmake:55 (message):\n"
    "  Failed to clone repository:\n\n    'https://a.org/six'\n\n": ["https://a.org/six"],
    "Cloning into '/b/six'...\nfatal: transport 'https' not allowed\n"
    "fatal: clone of 'https://a.org/six' into submodule path '/b/six' failed\n": ["https://a.org/six"],
    "could not find git for clone of six\n": ["a git repository for six"],
    "ERROR: Could not find a version that satisfies the requirement six==1.11.0 (from versions: none)\n"
    "ERROR: No matching distribution found for six==1.11.0\n": ["six==1.11.0"],
    "curl: (6) Could not resolve host: example.org\n": ["example.org"],
    "  socket.gaierror: [Errno -3] Temporary failure in name resolution\n": [
        "socket.gaierror: [Errno -3] Temporary failure in name resolution"
    ],
}


class Network(RunnerTest):
    def setUp(self):
        super().setUp()
        # A server of this machine that would take every connection.
        self.server = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(self.server.close)
        self.port = self.server.getsockname()[1]
        # For this process only: several may be tested at once.
        own = os.getpid()
        self.proxy = f"127.{own // 65536 % 255}.{own // 256 % 256}.{own % 256}:20001"
        self.connect = ["bash", "-c", f"exec 3<>/dev/tcp/127.0.0.1/{self.port}"]

    def run_without_network(self, command, *options):
        return self.run_phase(command, "--no-network", self.proxy, *options)

    def ask(self, line, then="exit 22"):
        """Asks the proxy, as curl and others do."""
        path = self.proxy.replace(":", "/")
        return [
            "bash",
            "-c",
            f"exec 3<>/dev/tcp/{path} && printf '{line}\\r\\nHost: x\\r\\n\\r\\n' >&3 && cat <&3; {then}",
        ]

    def has_namespace(self):
        return "an empty network namespace" in self.log_text()

    def test_a_namespace_has_nothing_but_itself(self):
        self.assertEqual(self.run_phase(self.connect).returncode, 0, "the server answers")
        result = self.run_without_network(self.connect)
        if not self.has_namespace():
            self.skipTest("no namespace here")
        self.assertNotEqual(result.returncode, 0)
        self.assertEqual(self.run_without_network("test $(tail -n +3 /proc/net/dev | wc -l) = 1").returncode, 0)
        # Its own 127.0.0.1 works.
        own = "import socket; s = socket.create_server(('127.0.0.1', 0)); socket.create_connection(s.getsockname())"
        self.assertEqual(self.run_without_network(["python3", "-c", own]).returncode, 0, self.log_text())

    def test_everybody_stays_who_they_are(self):
        before, during = self.folder / "before", self.folder / "during"
        before.touch()
        script = f"id -u; id -g; touch '{during}'; stat -c %u:%g '{before}' '{during}'; grep CapEff /proc/self/status"
        outside = run_command(["sh", "-c", script])
        self.assertEqual(self.run_without_network(script).returncode, 0)
        self.assertIn(outside.stdout, self.log_text())

    def test_what_is_asked_for_is_refused_and_named(self):
        for options in [], ["--host-namespace"]:
            started = time.monotonic()
            result = self.run_without_network(self.ask("CONNECT example.org:443 HTTP/1.1"), *options)
            self.assertLess(time.monotonic() - started, 30)
            self.assertEqual(result.returncode, 22)
            self.assertIn("HTTP/1.1 403 ", self.log_text())
            self.assertIn(
                f"demo build failed (exit 22)\nlog: {self.log}\ndemo build tried to download, but "
                f"only fetch uses the network: https://example.org\n{PIN_IT}",
                result.stdout,
            )
            by_proxy = "a proxy that refuses downloads, no namespace" in self.log_text()
            self.assertNotEqual(by_proxy, self.has_namespace())
        self.assertFalse(self.has_namespace(), "a setting asks for it")

    def test_a_machine_that_allows_no_namespace_has_the_proxy(self):
        # In a user namespace of its own, where a limit may be set.
        if run_command(["unshare", "-r", "sh", "-c", FORBID + "true"]).returncode:
            self.skipTest("no user namespace here")
        get = f"import urllib.request; urllib.request.urlopen('http://127.0.0.1:{self.port}/')"
        command = ["env", f"http_proxy=http://{self.proxy}", "python3", "-c", get]
        words = self.words(command, "--no-network", self.proxy)
        result = run_command(["unshare", "-r", "sh", "-c", FORBID + 'exec "$0" "$@"', *words])
        self.assertEqual(result.returncode, 1)
        self.assertIn("demo build: no network namespace for this user: ", self.log_text())
        self.assertIn("only fetch uses the network: http://127.0.0.1:", result.stdout)

    def test_a_failure_long_after_a_download_is_shown_too(self):
        ask = self.ask("GET http://example.org/a.tar HTTP/1.1", "seq 100; echo the reason; exit 1")
        result = self.run_without_network(ask)
        self.assertIn("\nthe reason\n", result.stdout)
        self.assertIn("only fetch uses the network: http://example.org/a.tar\n", result.stdout)

    # Squid listens at all addresses of the machine, and would fetch what this proxy is to refuse.
    def test_another_listener_at_the_proxys_address_is_an_error(self):
        self.proxy = f"127.0.0.1:{self.port}"
        result = self.run_without_network(["touch", self.folder / "ran"], "--host-namespace")
        self.assertEqual(result.returncode, 4)
        self.assertIn(f"cannot listen at {self.proxy}: Address already in use\n", result.stdout)
        self.assertIn("remedy: end the program that listens at that port", result.stdout)
        self.assertFalse((self.folder / "ran").exists())

    def test_requests(self):
        for request, what in {
            "CONNECT github.com:443 HTTP/1.1": "https://github.com",
            "CONNECT github.com:8443 HTTP/1.1": "https://github.com:8443",
            "GET http://a.org/b?c=d HTTP/1.0": "http://a.org/b?c=d",
            "GET http://a\033[2J\001 HTTP/1.1": "http://a\\x01",
            "": "something that is not HTTP",
            "\x16\x03\x01": "something that is not HTTP",
        }.items():
            self.run_without_network(self.ask(request))
            self.assertIn(f"demo build: refused a download: {what}\n", self.log_text())

    def test_who_says_nothing_does_not_hold_it_up(self):
        silent = "exec 3<>/dev/tcp/" + self.proxy.replace(":", "/") + "; sleep 3"
        started = time.monotonic()
        self.assertEqual(self.run_without_network(["bash", "-c", silent]).returncode, 0)
        self.assertLess(time.monotonic() - started, 30)
        self.assertIn("refused a download: something that is not HTTP\n", self.log_text())

    def test_the_downloads_that_a_log_tells_of(self):
        for log, wanted in LOGS.items():
            with self.subTest(log):
                self.assertEqual(list(downloads_in(log)), wanted)
