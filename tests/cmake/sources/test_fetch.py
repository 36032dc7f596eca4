# SPDX-License-Identifier: BSD-3-Clause
"""Providers, mirrors and the cache: which one a file comes from, what is refused, and the messages."""

import errno
import json
import os
import shutil
import subprocess
from unittest import mock

from box import sha256
from fixture import COMMAND, NOBODY, CommandTest

from engine.sources import fetch
from engine.sources.run import Run

ZEROS = "0" * 64
VERIFIED = {"demo.tar", "demo.tar.ok"}


class Files(CommandTest):
    def test_each(self):
        """Whatever a server or a mirror gives, the cache has the right file or none, and exactly what is left is known."""
        candidate = self.archive("www/demo.tar", filling=300000)
        right_file = self.box / "www/demo.tar"
        right, size = candidate["sha256"], right_file.stat().st_size
        wrong = self.archive("bad mirror/demo/1.0/demo.tar", "evil-1.0", 300000)["sha256"]
        shutil.copytree(self.box / "www", self.box / "good mirror/demo/1.0")
        bad, good = ([f"{self.box}/{name} mirror"] for name in ("bad", "good"))
        server = self.serve("www")

        def truncated(kind, transfers):
            """When each of so many transfers brings half of the rest."""
            got = 0
            for _ in range(transfers):
                got += (size - got) // 2
            return f"truncated: got {got} of {size} bytes, from {server}/{kind}/demo.tar"

        refused = f"wrong sha256: expected {right}, got {wrong}, from "
        cached = (self.box / "bad mirror/demo/1.0/demo.tar").read_bytes()
        # What the cache has (None: as it was), how it is served, mirrors; status, words, what the cache has then.
        for before, kinds, mirrors, ends, says, left in (
            # A lost connection is asked again twice. Broken off again, the file has come further.
            ({}, ["truncated"], [], 4, [truncated("truncated", 3)], {"demo.tar.part"}),
            (None, ["truncated"], [], 4, [truncated("truncated", 6)], {"demo.tar.part"}),
            ({}, ["short"], [], 4, [truncated("short", 1)], set()),
            ({}, ["truncated", "good"], [], 0, [], VERIFIED),
            # What is left of something else does no harm, also where a server cannot go on.
            ({"demo.tar.part": b"the beginning of something else"}, ["norange"], [], 0, [], VERIFIED),
            ({"demo.tar.part": b"the beginning of something else"}, ["good"], [], 0, [], VERIFIED),
            # A wrong file in one mirror does not hide the right one in the next; one in the cache is not deleted.
            ({}, [], bad, 4, [f"{refused}{bad[0]}/demo/1.0/demo.tar", "the same hash, so the pin may be wrong"], set()),
            ({}, [], bad + good, 0, [refused, f"from mirror ({good[0]}/demo/1.0/demo.tar)"], VERIFIED),
            ({"demo.tar": cached}, [], good, 0, [refused], {*VERIFIED, "demo.tar.wrong"}),
            # What an earlier run that was killed has of it is not fetched again.
            ({"demo.tar.part": right_file.read_bytes()[:1000]}, ["good"], [], 0, [], VERIFIED),
        ):
            with self.subTest(kinds=kinds, mirrors=mirrors, before=before and list(before)):
                if before is not None:
                    shutil.rmtree(self.cache, ignore_errors=True)
                for name, content in (before or {}).items():
                    self.write(f"cache/demo/1.0/{name}").write_bytes(content)
                self.pin("demo", {**candidate, "size": size, "url": [f"{server}/{kind}/demo.tar" for kind in kinds]})
                self.fetch(ends, "demo", mirrors=mirrors, says=says)
                self.assertEqual(self.files("cache/demo/1.0"), left)
                if ends == 0:
                    self.assertEqual(sha256(self.cache / "demo/1.0/demo.tar"), right)
        self.assertEqual(self.asked[-1], "/good/demo.tar bytes=1000-")

    def test_http(self):
        """A mirror, and the archive of upstream, whose second address is asked when the first has nothing. A line says how far
        the fetch is, and why others were passed over; a mirror's path and query may hold a token."""
        self.pin("demo", self.archive("www/mirror/demo/1.0/demo.tar"))
        server, other = self.serve("www"), self.archive("www/other.tar", "other-2.0")
        urls = [f"{server}/good/no.tar", f"{server}/good/other.tar"]
        self.pin("other", {**other, "version": "2.0", "filename": "renamed.tar", "url": urls})
        mirror = f"{server}/.../other/2.0/renamed.tar"
        says = [
            f": demo 1.0 from mirror ({server}/.../demo/1.0/demo.tar)",
            f": other 2.0 from upstream ({urls[1]})",
            f"fetch: not from mirror: not there (HTTP 404), from {mirror} (other)",
            f"fetch: not from upstream: not there (HTTP 404), from {urls[0]} (other)",
            "fetch: 1 of 2: ",
            "fetch: 2 of 2: ",
        ]
        self.fetch(0, "demo", "other", mirrors=[f"{server}/good/mirror/"], says=says)
        self.assertTrue((self.cache / "other/2.0/renamed.tar").exists())
        self.assertEqual(self.entries["other"]["provider"], "upstream")
        # One line names all sources for which a provider fails in the same way.
        three = {**other, "filename": "three.tar", "url": urls[1:]}
        self.pin("three", three)
        shutil.rmtree(self.cache)
        says = ["fetch: not from mirror: cannot connect to 127.0.0.1 (other, three)"]
        self.fetch(0, "other", "three", mirrors=[NOBODY], says=says)
        # A query belongs behind the file.
        says = [f": demo 1.0 from mirror ({server}/.../demo/1.0/demo.tar)"]
        self.fetch(0, "demo", mirrors=[f"{server}/good/mirror/?token=s3cret"], says=says)
        self.assertNotIn("s3cret", self.text)
        self.assertIn("/good/mirror/demo/1.0/demo.tar?token=s3cret", self.asked[-1])
        shutil.rmtree(self.cache / "demo")
        self.fetch(4, "demo", mirrors=[f"{server}?token=s3cret"], providers=["mirror"], says=[f"{server}/.../demo"])
        self.assertNotIn("s3cret", self.text)

    def test_last_resort(self):
        """It waits until every provider was asked for the others, also a later provider."""
        old = {**self.archive("mirror/demo/1.0/old.tar"), "last_resort": True}
        new = {**self.archive("www/new.tar", "demo-2.0"), "version": "2.0"}
        self.pin("demo", old, {**new, "url": [f"{self.serve('www')}/good/new.tar"]})
        for offline, version in ((False, "2.0"), (True, "1.0")):
            shutil.rmtree(self.cache, ignore_errors=True)
            self.fetch(0, "demo", mirrors=[f"{self.box}/mirror"], offline=offline)
            self.assertEqual(self.entries["demo"]["version"], version)

    def test_two_at_once(self):
        """Both succeed, and the file was downloaded once."""
        candidate = self.archive("www/demo.tar", filling=300000)
        self.pin("demo", {**candidate, "url": [f"{self.serve('www')}/good/demo.tar"]})
        command = [*COMMAND, self.write_request("demo")]
        runs = [subprocess.Popen([*command, self.box / name], stderr=subprocess.DEVNULL) for name in "ab"]
        self.assertEqual([run.wait() for run in runs], [0, 0])
        for name in "ab":
            self.assertIn(f'"sha256": "{candidate["sha256"]}"', (self.box / name).read_text())
        self.assertEqual(len(self.asked), 1)


class Mirrors(CommandTest):
    def workers(self):
        """The workers of a run in this process, with the mirror of the box."""
        request = {"work": "", "cache": f"{self.cache}", "providers": ["mirror"], "mirrors": [f"{self.box}/mirror"]}
        return fetch.Workers(Run(request, str(self.box)), {"sources": self.pins}, 1)

    def test_offline(self):
        self.pin("demo", {**self.archive("mirror/demo/1.0/demo.tar"), "url": [f"{NOBODY}/demo.tar"]})
        right = self.pins["demo"]["candidates"][0]["sha256"]
        line, mirrors = "demo 1.0 from mirror", [f"{self.box}/nothing here", f"{self.box}/mirror"]
        self.fetch(0, "demo", offline=True, mirrors=mirrors, says=[line])
        file = self.cache / "demo/1.0/demo.tar"
        expected = {"archive": str(file), "sha256": right, "strip": 1, "license": "MIT"}
        self.assertEqual(self.entries["demo"], {**self.entries["demo"], **expected})

        # The cache of one machine serves another one that has nothing else. The report has where, with its comma.
        here = self.cache.rename(self.box / "cache, mine")
        self.cache = self.box / "another cache"
        self.fetch(0, "demo", offline=True, mirrors=[here])
        origin = json.loads((self.box / "scratch/origins.json").read_text())["demo"]["from"]
        self.assertEqual(origin, f"mirror ({here}/demo/1.0/demo.tar)")
        file = self.cache / "demo/1.0/demo.tar"
        self.assertEqual(sha256(file), right)

        # Nothing is tried when it is there: no provider is left that could have it.
        self.fetch(0, "demo", offline=True)
        self.assertNotIn("demo 1.0 from", self.text)

        # Not hashed again while size and time stay, which only a change of the same size and time shows.
        status = file.stat()
        file.write_bytes(os.urandom(status.st_size))
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
        self.fetch(0, "demo", offline=True)
        os.utime(file, (1, 1))
        self.fetch(4, "demo", offline=True, says=[f"wrong sha256: expected {right}, got"])

    def test_cache_that_cannot_be_written(self):
        """What is in it counts, also without a memory of it; what is not cannot be fetched."""
        self.pin("demo", self.archive("mirror/demo/1.0/demo.tar"))
        self.pin("other", self.archive("mirror/other/1.0/other.tar"))
        self.fetch(0, "demo", mirrors=[f"{self.box}/mirror"])
        shutil.rmtree(self.cache / ".locks")
        read_only = OSError(errno.EROFS, "Read-only file system")
        for memory in (True, False):
            with (
                mock.patch("os.makedirs", side_effect=read_only),
                mock.patch("engine.sources.cache.write_text", side_effect=read_only),
            ):
                workers = self.workers()
                self.assertEqual(workers.fetch("demo")["status"], "ok", memory)
                self.assertIn("Read-only file system", workers.fetch("other")["reason"])
            (self.cache / "demo/1.0/demo.tar.ok").unlink(missing_ok=True)

    def test_disk(self):
        """The cache is named, not the mirror."""
        self.pin("demo", self.archive("mirror/demo/1.0/demo.tar"))
        full = OSError(errno.ENOSPC, "No space left on device", "what was read")
        with mock.patch("shutil.copyfileobj", side_effect=full):
            reason = self.workers().fetch("demo")["reason"]
        self.assertEqual(reason, f"{self.cache}/demo/1.0/demo.tar.part: No space left on device")

    def test_all_missing(self):
        """One run names everything that is missing and what helps."""
        for name in ("one", "two", "three"):
            archive = {"version": "1.0", "filename": f"{name}.tar", "sha256": "a" * 64, "strip": 1}
            git = {"version": "2.0", "commit": "b" * 40, "git": f"{NOBODY}/{name}.git"}
            self.pin(name, {**archive, "url": [f"{NOBODY}/{name}.tar"]}, git)
        optional = {"name": "three", "required": False, "needed_by": "feature THREE"}
        asked = [{"name": name, "required": True, "needed_by": f"package {name}"} for name in ("one", "two")]
        says = [
            "2 required sources are missing",
            *(f"{name} 1.0, needed by package {name}" for name in ("one", "two")),
            *(f"file: {self.cache}/{name}/1.0/{name}.tar" for name in ("one", "two")),
            f"mirror: no folder {self.box}/no mirror",
            "htps://mirror.test is neither an absolute path nor an address with http, https or file",
            "upstream: cannot connect to 127.0.0.1",
            "git: cannot connect to 127.0.0.1",
            "three 1.0 is not available, so feature THREE is off",
            *("TSB_SOURCES", "TSB_SOURCE_MIRROR", "TSB_LOCAL_<name>"),
        ]
        self.fetch(4, *asked, optional, mirrors=[f"{self.box}/no mirror", "htps://mirror.test"], says=says)
        self.assertEqual(self.entries["one"]["status"], "missing")
        self.assertNotIn("sources, 0 MB", self.text)
        # Only what is not required is missing: that is not a failure.
        self.fetch(0, optional, offline=True, says=["upstream: TSB_OFFLINE is set"])
        says = [
            "1 required source is missing",
            "one of these: unset TSB_OFFLINE, so that fetch may download, or put one",
        ]
        self.fetch(4, "one", offline=True, says=says)

    def test_a_full_cache(self):
        """No feature is switched off for that, as for a source that nobody has."""
        self.pin("demo", self.archive("mirror/demo/1.0/demo.tar"))
        full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "a cache")
        says = ["fetch: a cache: No space left on device free some space, or set TSB_SOURCES to another folder"]
        with mock.patch.object(fetch, "fetch_source", side_effect=full):
            self.fetch(3, {"name": "demo", "required": False}, says=says)


class Requests(CommandTest):
    def test_what_cannot_be_used(self):
        self.pin("demo", {"version": "1.0", "filename": "demo.tar", "sha256": ZEROS, "strip": 1})
        none, broken = f"{self.box}/none.json", self.write("broken.json", '{"sources": ')
        for asked, request, words in (
            (["demos"], {}, "pins.json has no pin for 'demos'"),
            (["demo"], {"pins": none}, f"{none} is missing"),
            (["demo"], {"pins": broken}, f"{broken} is not valid JSON"),
        ):
            with self.subTest(words):
                self.fetch(3, *asked, says=[words], **request)
