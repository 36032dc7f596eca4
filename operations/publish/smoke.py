# SPDX-License-Identifier: BSD-3-Clause
"""Installs published files as users do, with pip, uv, a conda client, and a zip by its latest name. Then it runs the
same checks as a build does on a packed file: packaging/consumer_check."""

import contextlib
import fcntl
import fnmatch
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request

import obstore
from choice import age, of_backend
from obstore.exceptions import BaseError
from packaging.version import Version
from static_site import Site

from engine.failure import Failure
from engine.folders import PROJECT as ROOT
from engine.folders import Folders
from engine.sources.tree import digest
from engine.text import in_words, say, without_password

WORK = ROOT / "build/publish/smoke"


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves a folder or a bucket over HTTP."""

    def do_GET(self):
        path = urllib.parse.unquote(self.path.partition("?")[0]).lstrip("/")
        try:
            found = obstore.get(self.server.store, path + "index.html" if path.endswith("/") else path)
        except (BaseError, OSError) as error:
            is_missing = isinstance(error, FileNotFoundError)
            if not is_missing:  # clients say only that this server failed
                say("%s: %s" % (path, in_words(error)))
            self.send_error(404 if is_missing else 502)
            return
        kind = "text/html" if path.endswith(("/", ".html")) else "application/octet-stream"
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(found.meta["size"]))
        self.end_headers()
        if self.command == "GET":
            for chunk in found.stream(min_chunk_size=1 << 20):
                self.wfile.write(chunk)

    do_HEAD = do_GET

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *words):
        """Clients may hang up early, as rattler does once it knows that a file is missing."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(*words)


@contextlib.contextmanager
def address_of(target):
    """Yields the address at which clients read the target. Serves a folder or a bucket meanwhile."""
    if re.match("https?://", target):
        yield target.rstrip("/")
        return
    with Server(("127.0.0.1", 0), Handler) as server:
        server.store = Site(target).store
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield "http://127.0.0.1:%d" % server.server_port
        server.shutdown()


def opened(url):
    try:
        return urllib.request.urlopen(url, timeout=60)
    except urllib.error.HTTPError as error:
        raise Failure("%s: %s %s" % (without_password(url), error.code, error.reason)) from error


def read_url(url):
    with opened(url) as answer:
        return answer.read()


def python_of(tag):
    """The interpreter for a tag such as cp312, or None. For a tag such as py3, the running one."""
    found = re.fullmatch(r"cp(\d)(\d+)", tag)
    if not found:
        return sys.executable
    name = "python%s.%s" % found.groups()
    places = pathlib.Path.home().glob(".pyenv/versions/%s.%s.*/bin/%s" % (*found.groups(), name))
    for python in (os.environ.get("TSB_PYTHON_%s%s" % found.groups()), shutil.which(name), *map(str, places)):
        # pyenv's wrappers are also on the PATH for versions that are not active, and then fail.
        if python and subprocess.run([python, "-c", ""], stderr=subprocess.DEVNULL).returncode == 0:
            return python
    return None


def choose(entries, kinds, patterns):
    """The newest entries of each product and backend; wheels only for Pythons that this machine has."""
    groups = {}
    for name, entry in sorted(entries.items()):
        names = name, name.rpartition("/")[2]
        wanted = (
            "yanked" not in entry
            and not patterns
            or any(fnmatch.fnmatchcase(one, pattern) for pattern in patterns for one in names)
        )
        usable = entry["kind"] != "wheel" or python_of(entry["python"])
        if entry["kind"] in kinds and wanted and usable and not entry["product"].startswith("debug-"):
            groups.setdefault((entry["product"], of_backend(entry), entry["python"]), []).append(entry)
    newest = [max(map(age, group)) for group in groups.values()]
    return [entry for group, best in zip(groups.values(), newest) for entry in group if age(entry) == best]


def run_check(name, package, consumer, environment, **values):
    """Runs packaging/consumer_check, on what the environment names. Returns whether it passed."""
    values = {"PACKAGE": package, "CONSUMER": consumer, **values}
    definitions = ["-DTSB_%s=%s" % item for item in values.items() if item[1]]
    environment = {**os.environ, "TSB_OFFLINE": "", **environment}
    command = [
        sys.executable,
        "-ISB",
        ROOT / "engine",
        ROOT / "packaging/run_consumer.py",
        WORK / name,
        shutil.which("cmake"),
        *definitions,
    ]
    pipe = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(command, env=environment, **pipe) as process:
        for line in process.stdout:
            if not line.startswith("tsb_progress:"):  # only for the phase runner
                print(line, end="", flush=True)
    return process.returncode == 0


def check_wheel(index, entry, options):
    python = python_of(entry["python"])
    release = Version(entry["version"]).base_version  # a nightly has its release's dependencies
    pinned = Folders(os.environ.get("TSB_ADDITIONS")).find("releases/%s/wheel_check" % release)
    uv = ROOT / "build/publish-tools/bin/uv"
    for client, program in (("pip", ""), ("uv", uv)):
        yield (
            "%s with %s" % (entry["name"], client),
            run_check(
                "wheel-" + client,
                entry["name"],
                options.consumer,
                {"TSB_PUBLISHED": index, "TSB_EXTRA_INDEX": options.extra_index_url or ""},
                UV=program,
                PYTHON=python,
                PINNED=pinned,
                MODULES=ROOT / "build/remote-tools",
            ),
        )


def check_conda(channel, entry, options):
    needed = [re.fullmatch(r"(__(?!glibc|unix|linux)\w+) >=([\d.]+).*", text) for text in entry["index"]["depends"]]
    driver = next(("%s=%s" % found.groups() for found in needed if found), "")
    tools = ROOT / "build/publish-tools"
    values = {"TOOLS": tools, "TOOLS_PYTHON": sys.executable, "DRIVER": driver}
    package = entry["name"].split("/")[1]
    yield entry["name"], run_check("conda", package, options.consumer, {"TSB_PUBLISHED": channel}, **values)


def check_zip(base, entry, options):
    file = WORK / entry["latest"]
    with opened(base + "/" + urllib.parse.quote(entry["latest"])) as answer, file.open("wb") as stream:
        hash_of_file = digest(answer, stream)
    sums = read_url(base + "/" + urllib.parse.quote(entry["latest"]) + ".sha256").decode().split()
    good = sums[0] == hash_of_file == entry["sha256"]
    if not good:
        say("%s is not the newest file, %s" % (entry["latest"], entry["name"]))
    yield entry["latest"], good and run_check("zip", file, options.consumer, {})
    file.unlink()


@contextlib.contextmanager
def alone():
    """Lets only one smoke test run in a checkout, since all use the same folder."""
    WORK.mkdir(parents=True, exist_ok=True)
    with open(WORK / ".lock", "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another smoke test in this checkout")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


@alone()
def smoke(options):
    """Returns 0 if all chosen files work, else 1. Error: Failure."""
    checks = {"wheel": check_wheel, "conda": check_conda, "zip": check_zip}
    with address_of(options.target) as address:
        base = "%s/%s" % (address, options.channel)
        if re.match("https?://", options.target):
            files = json.loads(read_url(base + "/files.json"))["files"]
        else:  # not through a server of our own, which could not say why S3 refuses
            files = Site(options.target).files_of(options.channel)
        chosen = choose(files, options.kind or checks, options.patterns)
        if not chosen:
            raise Failure(
                "the channel %s has no file to check, or only wheels for Pythons that this machine lacks"
                % options.channel
            )
        places = {"wheel": base + "/simple/", "conda": base + "/conda", "zip": base}
        checked = [checks[entry["kind"]](places[entry["kind"]], entry, options) for entry in chosen]
        results = [result for check in checked for result in check]
    for name, good in results:
        print(
            "%s %s from %s of %s" % ("ok" if good else "FAIL", name, options.channel, without_password(options.target))
        )
    return 0 if all(good for _, good in results) else 1
