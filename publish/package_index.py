# SPDX-License-Identifier: BSD-3-Clause
"""Wheels in a package index, pypi+https://host/path, by uv. An index is one channel; releases need a second index."""

import html
import os
import pathlib
import re
import subprocess
import tempfile
import urllib.parse
import urllib.request

from artifacts import build_of, normalized
from choice import chosen
from text import Failure, counted, say
from tree import digest

UV = pathlib.Path(__file__).resolve().parents[1] / "build/publish-tools/bin/uv"


def links(url):
    """Yields the text and address of each link on a page."""
    with urllib.request.urlopen(url, timeout=60) as page:
        text = page.read().decode()
    for target, name in re.findall(r'<a\s[^>]*href="([^"]+)"[^>]*>([^<]+)</a>', text):
        yield html.unescape(name).strip(), urllib.parse.urljoin(url, html.unescape(target))


class PackageIndex:
    def __init__(self, target, release=None):
        """`release`: the index of the releases. Its pages lie as those of this one, which uv's variable names."""
        self.address = target[len("pypi+") :].rstrip("/") + "/"
        self.simple = (os.environ.get("UV_PUBLISH_CHECK_URL") or self.address + "simple/").rstrip("/") + "/"
        self.release = release and PackageIndex(release)
        if self.release:
            is_below = self.simple.startswith(self.address)
            self.release.simple = self.release.address + (self.simple[len(self.address) :] if is_below else "simple/")

    def upload(self, files):
        """Uploads new files, and returns their number. Error: Failure, also for a different file of the same name."""
        command = [UV, "publish", "--publish-url", self.address, "--check-url", self.simple, *files]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            causes = [line.strip() for line in done.stderr.splitlines() if re.match(r"error:|  cause:", line)]
            what = "; ".join(dict.fromkeys(causes[:1] + causes[-1:])) or "status %d" % done.returncode
            raise Failure("uv publish %s (its keys are UV_PUBLISH_TOKEN, or _USERNAME and _PASSWORD)" % what)
        say(done.stderr.rstrip())
        return done.stderr.count("\nUploading ")

    def add(self, artifacts, _channel):
        wheels = [artifact["path"] for artifact in artifacts if artifact["kind"] == "wheel"]
        if len(wheels) < len(artifacts):
            others = counted(len(artifacts) - len(wheels), "other file")
            say("a package index takes only wheels; left out: %s" % others)
        return self.upload(wheels) if wheels else 0

    def entries(self):
        """{name: entry} as in a site's files.json, but only with the facts in the file names."""
        found = {}
        for project, page in links(self.simple):
            for name, url in links(page):
                parts = name.split("-")
                if name.endswith(".whl") and len(parts) > 4:
                    facts = {"kind": "wheel", "version": parts[1], "python": parts[-3], "product": normalized(project)}
                    facts["build"] = build_of(parts)
                    found[name] = {"name": name, "backend": parts[1].partition("+")[2], "url": url, **facts}
        return found

    def promote(self, words):
        if not self.release:
            raise Failure("a package index is one channel: name the index of the releases by --to pypi+https://...")
        entries = self.entries()
        names = sorted(chosen(entries, words) - set(self.release.entries()))
        with tempfile.TemporaryDirectory() as folder:
            for name in names:
                url, file = entries[name]["url"], pathlib.Path(folder, name)
                with urllib.request.urlopen(url, timeout=60) as answer, file.open("wb") as stream:
                    hash_of_file = digest(answer, stream)
                if url.partition("#sha256=")[2] not in ("", hash_of_file):
                    raise Failure("%s does not have the hash that its index lists" % name)
            if names:
                self.release.upload([pathlib.Path(folder, name) for name in names])
        return names

    def prune(self, *_):
        raise Failure("package indexes have no common command for removing files: use the index's own pages")
