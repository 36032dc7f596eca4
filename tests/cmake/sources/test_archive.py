# SPDX-License-Identifier: BSD-3-Clause
"""Each kind of archive comes out with its files, modes, times and links, by each Python."""

import gzip
import io
import os
import shutil
import subprocess
import tarfile
import unittest
import zipfile
from unittest import mock

from box import sha256
from fixture import BoxTest

from engine.failure import Failure
from engine.sources import unpack

TIME = 1704067200
FILTERS = hasattr(tarfile, "data_filter")


def member(name, mode=0o644, **more):
    info = tarfile.TarInfo(name)
    info.mode, info.mtime, info.uid = mode, TIME, 12345
    for attribute, value in more.items():
        setattr(info, attribute, value)
    return info


class Archives(BoxTest):
    def tar(self, *members):
        made = io.BytesIO()
        with tarfile.open(fileobj=made, mode="w") as tar:
            for info in members:
                info.size = 4 if info.isreg() else 0
                tar.addfile(info, io.BytesIO(b"text"))
        return made.getvalue()

    def deb(self, name, data):
        """A Debian package with these two files."""
        entries = ((b"debian-binary", b"2.0\n"), (name, data + b"\n" * (len(data) % 2)))
        body = b"".join(b"%-16s%-12d%-6d%-6d%-8s%-10d`\n" % (n, 0, 0, 0, b"100644", len(d)) + d for n, d in entries)
        return b"!<arch>\n" + body

    def unpack(self, content, kind="archive"):
        path, self.out = self.write("a file", content), self.box / "below/out"
        entry = {"status": "ok", "kind": kind, "archive": str(path), "sha256": sha256(path)}
        unpack.unpack_source(entry, str(self.out))

    def check_tar(self):
        program, link = member("d/program", 0o4775), member("d/up", type=tarfile.SYMTYPE, linkname="../d/program")
        hard = member("d/hard", 0o775, type=tarfile.LNKTYPE, linkname="d/program")
        self.unpack(self.tar(member("d", 0o700, type=tarfile.DIRTYPE), program, link, hard, member("e/f", 0o400)))
        status = os.stat(self.out / "d/program")
        self.assertEqual((status.st_mode & 0o7777, status.st_mtime, status.st_uid), (0o755, TIME, os.geteuid()))
        self.assertEqual(os.readlink(self.out / "d/up"), "../d/program")
        self.assertEqual(os.stat(self.out / "e/f").st_mode & 0o777, 0o600)
        self.assertEqual(self.files("below/out"), {"d/program", "d/up", "d/hard", "e/f"})

    def test_tar(self):
        self.check_tar()

    @unittest.skipUnless(FILTERS, "this Python has none, so that test_tar tests it")
    def test_python_without_filters(self):
        real = tarfile.TarFile.extractall

        def without(tar, path, members=None):
            return real(tar, path, members, filter="fully_trusted")

        with mock.patch.object(tarfile, "data_filter"), mock.patch("tarfile.TarFile.extractall", without):
            del tarfile.data_filter
            self.check_tar()

    def test_compressed(self):
        self.unpack(gzip.compress(self.tar(member("a"))))
        self.assertEqual((self.out / "a").read_text(), "text")

    def test_zip(self):
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w") as file:
            for name, mode in (("a", 0o100664), ("program", 0o100775)):
                info = zipfile.ZipInfo(f"d/{name}", (2024, 1, 1, 0, 0, 0))
                info.external_attr = mode << 16
                file.writestr(info, "text")
        for kind in ("wheel", "archive"):
            self.unpack(made.getvalue(), kind)
            modes = [os.stat(self.out / "d" / name).st_mode & 0o7777 for name in ("a", "program")]
            self.assertEqual(modes, [0o644, 0o755])
        # A tar that ends with a zip is a tar.
        info = member("a.zip", size=len(made.getvalue()))
        tar = io.BytesIO()
        with tarfile.open(fileobj=tar, mode="w") as file:
            file.addfile(info, io.BytesIO(made.getvalue()))
        self.unpack(tar.getvalue())
        self.assertEqual(os.listdir(self.out), ["a.zip"])

    def test_debian_packages(self):
        data = self.tar(member("usr/include/a.h"))
        kinds = {b"data.tar": data, b"data.tar.gz": gzip.compress(data)}
        if shutil.which("zstd"):
            kinds[b"data.tar.zst"] = subprocess.run(["zstd", "-c"], input=data, stdout=subprocess.PIPE).stdout
        for name, content in kinds.items():
            self.unpack(self.deb(name, content), "deb")
            self.assertEqual(self.files("below/out"), {"usr/include/a.h"}, name)

    def test_what_cannot_be_unpacked(self):
        whole = self.tar(member("a"))
        for words, content, kind in (
            ("a file cannot be unpacked: ", b"no archive", "archive"),
            ("a file cannot be unpacked: ", whole[:700], "archive"),
            *[("a file cannot be unpacked: .*outside", self.tar(member("../a")), "archive")] * FILTERS,
            ("it has no data.tar in it", self.deb(b"control.tar", whole), "deb"),
        ):
            with self.subTest(content[:20]), self.assertRaisesRegex(Failure, words):
                self.unpack(content, kind)
