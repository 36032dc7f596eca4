# SPDX-License-Identifier: BSD-3-Clause
"""What was published is installed from there by real clients."""

import contextlib
import fcntl
import io
import pathlib
import threading
import urllib.error
import urllib.request
from unittest import mock

from box import make_wheel
from fixture import PublishTest

from refusing import refusing
from smoke import WORK, Handler, Server, choose, python_of

CONSUMER = pathlib.Path(__file__).parents[2] / "consumer/wheel"


class Smoke(PublishTest):
    def setUp(self):
        super().setUp()
        self.environment(PIP_NO_INDEX=None, PIP_CONFIG_FILE="/dev/null", PIP_INDEX_URL=None)
        files = {"torch/__init__.py": "__version__ = '9.1+cpu'\n", "torch/run.py": "def main():\n    print('help')\n"}
        files["torch-9.1+cpu.dist-info/entry_points.txt"] = "[console_scripts]\ntorchrun = torch.run:main\n"
        make_wheel(self.dist / "torch-9.1+cpu-py3-none-any.whl", files)
        self.write("a consumer/wheel_checks.py", "import torch\nprint('1 checks, 0 failed')\n")
        self.publish(0, "add", self.site, self.dist)

    def smoke(self, ends, says, *words):
        command = ("smoke", self.site, "--consumer", self.box / "a consumer", *words)
        self.run_python(ends, "operations/publish/publish.py", *map(str, command))
        for part in says:
            self.assertIn(part, self.text)

    def test_a_python_that_runs(self):
        """A wrapper of a version that is not in use does not count."""
        self.write("bin/python3.99", "#!/bin/sh\nexit 127\n", 0o755)
        self.environment(PATH=f"{self.box}/bin", TSB_PYTHON_399=None, HOME=str(self.box))
        self.assertIsNone(python_of("cp399"))
        python = self.write(".pyenv/versions/3.99.1/bin/python3.99", "#!/bin/sh\n", 0o755)
        self.assertEqual(python_of("cp399"), str(python))

    def test_wheel(self):
        name = "torch-9.1+cpu-py3-none-any.whl"
        self.smoke(
            0,
            [
                "installed torch-9.1+cpu",
                "+ torch==9.1+cpu",
                f"ok {name} with pip from test of",
                f"ok {name} with uv from test of",
            ],
        )

    def test_zip(self):
        """What is not the newest file is not tried."""
        self.zip("2.6.0+cpu")
        self.publish(0, "add", self.site, self.dist)
        latest = self.site / "test/libtorch-shared-with-deps-latest+cpu.zip"
        latest.unlink()
        latest.write_text("another")
        says = [f"{latest.name} is not the newest file", f"FAIL {latest.name} from test of"]
        self.smoke(1, says, "--kind", "zip")

    def test_a_client_that_hangs_up(self):
        for error, traces in ((BrokenPipeError(), 0), (ValueError(), 1)):
            with contextlib.redirect_stderr(io.StringIO()) as text:
                try:
                    raise error
                except type(error):
                    Server.handle_error(Server.__new__(Server), None, ("127.0.0.1", 1))
            self.assertEqual(text.getvalue().count("Traceback"), traces)

    def test_why_a_file_cannot_be_read(self):
        """Clients see our server's 502 alone."""
        refused = OSError("status code: 403 Forbidden, body: <Message>Access Denied.</Message>")
        with Server(("127.0.0.1", 0), Handler) as server, contextlib.redirect_stderr(io.StringIO()) as text:
            server.store = None
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
            with mock.patch("obstore.get", side_effect=refused), self.assertRaises(urllib.error.HTTPError) as raised:
                urllib.request.urlopen("http://127.0.0.1:%d/test/simple/torch/" % server.server_port)
            server.shutdown()
        raised.exception.close()
        self.assertEqual(
            (raised.exception.code, text.getvalue().splitlines()),
            (502, ["test/simple/torch/: HTTP 403 Forbidden: Access Denied."]),
        )

    def test_choice(self):
        entries = {}
        for name, kind, product, version, build, python in (
            ("a-1.0.whl", "wheel", "a wheel", "1.0", 1, "py3"),
            ("a-1.10.whl", "wheel", "a wheel", "1.10", 1, "py3"),
            ("a-1.10-2.whl", "wheel", "a wheel", "1.10", 2, "py3"),
            ("a-1.12.whl", "wheel", "a wheel", "1.12", 1, "py3"),
            ("a-1.11-cp399.whl", "wheel", "a wheel", "1.11", 1, "cp399"),
            ("linux-64/b-1.conda", "conda", "b conda", "1", 0, ""),
            ("debug-b-1.zip", "zip", "debug-b", "1", 1, ""),
            ("c-1.0+cpu.zip", "zip", "c", "1.0+cpu", 1, ""),
            ("c-1.1+cpu.zip", "zip", "c", "1.1+cpu", 1, ""),
            ("c-2.0+official.cpu.zip", "zip", "c", "2.0+official.cpu", 1, ""),
        ):
            facts = {"kind": kind, "product": product, "version": version, "python": python}
            facts["backend"] = version.partition("+")[2] and "cpu"
            facts.update({"yanked": "bad"} if version == "1.12" else {})
            entries[name] = {"name": name, "build": build, **facts}
        for kinds, patterns, chosen in (
            (("wheel", "conda"), [], {"a-1.10-2.whl", "linux-64/b-1.conda"}),
            (("zip",), [], {"c-1.1+cpu.zip", "c-2.0+official.cpu.zip"}),
            (("zip",), ["debug-*"], set()),
            (("wheel",), ["a-1.12.whl"], {"a-1.12.whl"}),
            (("wheel", "conda"), ["b-*.conda", "a-1.0.whl"], {"a-1.0.whl", "linux-64/b-1.conda"}),
        ):
            with self.subTest(chosen):
                self.assertEqual({entry["name"] for entry in choose(entries, kinds, patterns)}, chosen)

    def test_the_reason_of_the_storage(self):
        """The message has the reason of the storage, not the port of our server."""
        address = refusing(self)
        self.environment(
            AWS_ENDPOINT_URL=address, AWS_ALLOW_HTTP="true", AWS_ACCESS_KEY_ID="a", AWS_SECRET_ACCESS_KEY="a"
        )
        says = ["error: s3://packages/site: HTTP 403 Forbidden: Access Denied.", "the rights (AWS_...)"]
        self.publish(4, "smoke", "s3://packages/site", says=says)

    def test_errors(self):
        self.publish(
            3, "smoke", self.site, "--channel", "release", "torch-*", says=["the channel release has no file to check"]
        )
        with open(WORK / ".lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            threading.Timer(0.3, fcntl.flock, (lock, fcntl.LOCK_UN)).start()
            says = ["waiting for another smoke test", "the channel release has no file to check"]
            self.publish(3, "smoke", self.site, "--channel", "release", says=says)
        self.publish(3, "smoke", self.site, "--kind", "conda", says=["error: the channel test has no file to check"])
