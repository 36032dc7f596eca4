# SPDX-License-Identifier: BSD-3-Clause
"""Some members of a wheel instead of all: by ranges where the index has them, else out of the whole wheel."""

import contextlib
import hashlib
import http.server
import io
import os
import random
import socket
import unittest
import zipfile

from fixture import CommandTest, has_pip

import servers

from engine.sources import wheel_members

FILE = "demo-1.0-py3-none-any.whl"
MEMBERS = {
    "demo/lib/libdemo.so": 500_000,
    "demo/lib/libother.so": 900_000,
    "demo/include/a.h": 10,
    "demo/include/below/b.h": 20,
    "demo-1.0.dist-info/METADATA": 0,
    "demo-1.0.dist-info/WHEEL": 0,
    "demo-1.0.dist-info/RECORD": 0,
}
WANTED = ["demo/lib/libdemo.so", "demo/include/*"]


def make_wheel():
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, size in MEMBERS.items():
            wheel.writestr(name, random.Random(name).randbytes(size))
        wheel.writestr("demo-1.0.dist-info/METADATA.json", "{}")
    return content.getvalue()


def part_of(data, patterns):
    """The wheel of these members; the ranges that were read for them."""
    read, ranges = io.BytesIO(), []

    def blocks(begin, end):
        ranges.append((begin, end))
        for start in range(begin, end, 1000):  # not at the members' borders
            yield data[start : min(end, start + 1000)]

    members = wheel_members.read_directory(lambda begin, end: data[begin:end], len(data))
    wheel_members.write_members(blocks, wheel_members.choose(members, patterns), read)
    return read.getvalue(), ranges


class Members(unittest.TestCase):
    def test_members(self):
        data = make_wheel()
        part, ranges = part_of(data, WANTED)
        self.assertEqual(len(ranges), 2)
        self.assertLess(sum(end - begin for begin, end in ranges), len(data) / 2)
        with zipfile.ZipFile(io.BytesIO(part)) as wheel, zipfile.ZipFile(io.BytesIO(data)) as whole:
            self.assertIsNone(wheel.testzip())
            self.assertEqual(wheel.namelist(), ["demo/lib/libdemo.so", "demo/include/a.h", "demo/include/below/b.h"])
            for name in wheel.namelist():
                self.assertEqual(wheel.read(name), whole.read(name))

    def test_faults(self):
        cases = {
            "it has no member 'demo/bin/*'": (make_wheel(), ["demo/bin/*"]),
            "it has no central directory": (b"<html>" * 10, WANTED),
            "its central directory is damaged": (make_wheel().replace(b"PK\x01\x02", b"PK\x00\x00"), WANTED),
        }
        for words, (data, patterns) in cases.items():
            with self.subTest(words), self.assertRaisesRegex(wheel_members.NotAWheel, words.replace("*", "[*]")):
                part_of(data, patterns)


class Index(http.server.BaseHTTPRequestHandler):
    """A package index with one wheel; `ranges`: whether it answers with parts of it."""

    def do_GET(self):
        begin, end, status = 0, None, 200
        if self.path == "/simple/demo/":
            data = f'<a href="/{FILE}#sha256={self.server.sha256}">{FILE}</a>'.encode()
        elif self.path == f"/{FILE}":
            data = self.server.wheel
            if self.command == "GET":
                self.server.asked.append(self.headers.get("Range", "all"))
            if "Range" in self.headers and self.server.ranges:
                begin, _, last = self.headers["Range"].removeprefix("bytes=").partition("-")
                begin, end, status = int(begin), int(last) + 1, 206
        else:
            self.send_error(404)
            return
        body = data[begin:end]
        self.send_response(status)
        self.send_header("Content-Type", "text/html" if self.path.endswith("/") else "application/zip")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Accept-Ranges", "bytes" if self.server.ranges else "none")
        self.send_header("Content-Range", f"bytes {begin}-{begin + len(body) - 1}/{len(data)}")
        self.end_headers()
        if self.command == "GET":
            with contextlib.suppress(ConnectionError):  # fetch hangs up when the whole file comes instead of a part
                self.wfile.write(body)

    do_HEAD = do_GET


@unittest.skipUnless(has_pip(), "pip is not installed")
class FromIndex(CommandTest):
    def setUp(self):
        super().setUp()
        with zipfile.ZipFile(io.BytesIO(make_wheel())) as plain, zipfile.ZipFile(self.box / FILE, "w") as wheel:
            for name in MEMBERS:
                text = plain.read(name)
                if name.endswith("METADATA"):
                    text = "Metadata-Version: 2.1\nName: demo\nVersion: 1.0\n"
                elif name.endswith("WHEEL"):
                    text = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
                wheel.writestr(name, text)
        data = (self.box / FILE).read_bytes()
        facts = {"wheel": data, "sha256": hashlib.sha256(data).hexdigest(), "asked": [], "ranges": True}
        address, self.server = servers.serve(self, Index, **facts)
        part, _ = part_of(data, WANTED)
        index = {"project": "demo"}
        whole = {"version": "1.0", "filename": FILE, "sha256": self.server.sha256, "python-index": index}
        name, sha256 = FILE.replace(".whl", ".part.whl"), hashlib.sha256(part).hexdigest()
        index = {**index, "file": FILE, "members": WANTED}
        self.pin("demo", {**whole, "filename": name, "sha256": sha256, "python-index": index}, whole)
        unset = {name: None for name in os.environ if name.startswith("PIP_")}
        self.environment(
            **{**unset, "PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": f"{address}/simple", "PIP_NO_CACHE_DIR": "1"}
        )

    def test_ranges(self):
        self.fetch(0, "demo", says=["demo 1.0 from python-index (demo==1.0)"])
        self.assertNotIn("all", self.server.asked)
        self.unpack(0, "demo", self.box / "out")
        self.assertEqual(self.files("out"), {"demo/lib/libdemo.so", "demo/include/a.h", "demo/include/below/b.h"})

    def test_index_without_ranges(self):
        self.server.ranges = False
        self.fetch(0, "demo", says=["demo 1.0 from python-index (demo==1.0)"])
        self.assertTrue(self.entries["demo"]["archive"].endswith(FILE))
        self.unpack(0, "demo", self.box / "out")
        self.assertEqual(self.files("out"), set(MEMBERS))

    def test_other_wheel(self):
        self.pins["demo"]["candidates"][0]["sha256"] = "0" * 64
        del self.pins["demo"]["candidates"][1]
        self.fetch(4, "demo", says=[f"wrong sha256: expected {'0' * 64}"])

    def test_no_such_wheel(self):
        for candidate in self.pins["demo"]["candidates"]:
            candidate["python-index"]["file"] = "demo-1.0-py3-none-other.whl"
        self.pins["demo"]["candidates"][1]["python-index"]["version"] = "1.1"
        self.fetch(4, "demo", says=["the index has no demo-1.0-py3-none-other.whl", "the index has no demo 1.1"])

    def test_no_index(self):
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))
            self.environment(PIP_INDEX_URL=f"http://127.0.0.1:{closed.getsockname()[1]}/simple")
            self.fetch(4, "demo", says=["cannot connect to the index"])
