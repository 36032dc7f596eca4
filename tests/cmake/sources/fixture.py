# SPDX-License-Identifier: BSD-3-Clause
"""The modules of engine/sources, and what tests of its commands share: small sources made on the spot, pins and requests for
them, and a web server with faults."""

import http.server
import io
import json
import random
import subprocess
import sys
import tarfile

from box import ROOT, BoxTest, RepositoryTest, make_wheel, sha256

import servers
from github import GitHub

from engine.sources import fetch, unpack

COMMAND = [sys.executable, "-I", "-S", "-B", "-X", "utf8", str(ROOT / "engine"), "sources.fetch"]
# An address that nobody answers at, without asking any network.
NOBODY = "http://127.0.0.1:1"


def has_pip():
    """Looks for it, and does not run it: on a busy machine pip takes long to tell its version."""
    look = "import importlib.util, sys; sys.exit(not importlib.util.find_spec('pip'))"
    return not subprocess.run(["python3", "-c", look]).returncode


class CommandTest(BoxTest):
    """Runs fetch, unpack and patch as the build does, but in this process."""

    def setUp(self):
        super().setUp()
        self.cache, self.result_file, self.pins = self.box / "cache", self.box / "result.json", {}
        proxies = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
        self.environment(**dict.fromkeys([*proxies, *map(str.upper, proxies)]))

    def archive(self, path, inside="demo-1.0", filling=0):
        """Makes an archive with a folder; a candidate for it."""
        file = self.box / path
        file.parent.mkdir(parents=True, exist_ok=True)
        content = {"hello.txt": f"hello from {inside}\n".encode(), "below/deep.txt": b"deep\n"}
        content["filling"] = random.Random(7).randbytes(filling)
        with tarfile.open(file, "w", format=tarfile.GNU_FORMAT) as tar:
            for name, data in content.items():
                info = tarfile.TarInfo(f"{inside}/{name}")
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
        return {"version": "1.0", "filename": file.name, "sha256": sha256(file), "strip": 1}

    def wheel(self, folder, tags="py3-none-any", name="demo", **files):
        """Makes a wheel, which a folder or an index has; a candidate for it."""
        inside = {f"{name}-1.0.dist-info/{path}": text for path, text in files.items()}
        inside[f"{name}/include/{name}.h"] = "int demo;\n"
        file = make_wheel(self.box / folder / f"{name}-1.0-{tags}.whl", inside)
        candidate = {"version": "1.0", "filename": file.name, "sha256": sha256(file), "strip": 0}
        return {**candidate, "python-index": {"project": name}}

    def pin(self, name, *candidates, **more):
        self.pins[name] = {"license": "MIT", "homepage": "", "candidates": list(candidates), **more}

    def write_request(self, *asked, **request):
        """`asked`: the names of required sources, or entries of a request."""
        sources = [name if isinstance(name, dict) else {"name": name, "required": True} for name in asked]
        pins = self.write("pins.json", {"schema": 1, "sources": self.pins})
        request = {"pins": pins, "cache": self.cache, "work": self.box / "scratch", "sources": sources, **request}
        return self.write("request.json", request)

    def fetch(self, ends, *asked, says=(), **request):
        """Ends with this status, says these words, and leaves nothing half-made; `entries` becomes the result."""
        self.result_file.unlink(missing_ok=True)
        request = self.write_request(*asked, **request)
        self.run_main(ends, lambda: fetch.main(request, self.result_file), says=says)
        self.assertEqual(list(self.box.glob("scratch/fetch-*")), [])
        self.entries = json.loads(self.result_file.read_text())["sources"] if ends != 3 else {}

    def unpack(self, ends, name, folder, says=()):
        self.run_main(ends, lambda: unpack.main(self.result_file, name, folder), says=says)

    def serve(self, folder):
        """Serves a folder of the box, with faults: the address. `asked` becomes the requests: path, range."""
        self.asked = []
        return servers.serve(self, FaultyHandler, folder=self.box / folder, asked=self.asked)[0]


class FaultyHandler(http.server.BaseHTTPRequestHandler):
    """The first part of a path says how it is served: /good/, /truncated/ (less than Content-Length promises), /short/ (a
    Content-Length that is too small), /norange/ (no ranges)."""

    def do_GET(self):
        asked = self.headers.get("Range", "")
        self.server.asked.append(f"{self.path} {asked}")
        kind, _, path = self.path.partition("?")[0].lstrip("/").partition("/")
        file = self.server.folder / path.replace("%20", " ")
        if not path or not file.is_file():
            self.send_error(404)
            return
        data, code = file.read_bytes(), 200
        if asked.startswith("bytes=") and kind != "norange":
            data, code = data[int(asked[6:].split("-")[0]) :], 206
        self.send_response(code)
        self.send_header("Content-Length", str(len(data) // 2 if kind == "short" else len(data)))
        self.end_headers()
        if kind in ("truncated", "short"):
            data = data[: len(data) // 2]
        self.wfile.write(data)


class GitTest(RepositoryTest, CommandTest):
    pass


class GitHubTest(GitTest):
    """The stand-in for GitHub of tests/fixtures/github.py, over https and through a proxy."""

    def setUp(self):
        super().setUp()
        variables = (
            "SSL_CERT_FILE",
            "SSL_CERT_DIR",
            "CURL_CA_BUNDLE",
            "CMAKE_TLS_CAINFO",
            "GIT_SSL_CAINFO",
            "REQUESTS_CA_BUNDLE",
            "PIP_CERT",
        )
        self.hub = GitHub(self.box / "github")
        self.addCleanup(self.hub.stop)
        self.environment(**dict.fromkeys(variables), https_proxy=self.hub.proxy)

    def publish(self, name, *submodules, **files):
        """A repository with these files, and an archive of it as a release; its commit, which is not the tip of anything."""
        tree = self.box / "trees" / name
        commit = self.repository(tree, {f"{file}.txt": text for file, text in files.items()}, submodules)
        archive = self.release(name)
        archive.parent.mkdir(parents=True)
        self.git(tree, "archive", f"--output={archive}", "--prefix=outer-1.0/", commit)
        self.git(tree, "commit", "--quiet", "--allow-empty", "-m", "two")
        self.git(tree, "clone", "--quiet", "--bare", ".", self.hub.folder / f"repositories/{name}.git")
        return commit

    def release(self, name):
        return self.hub.folder / f"releases/{name}/v1.0/outer-1.0.tar.gz"
