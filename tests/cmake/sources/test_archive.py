# SPDX-License-Identifier: BSD-3-Clause
"""Nothing of an archive gets outside its folder, whatever the archive asks for."""

import io
import lzma
import os
import resource
import shutil
import subprocess
import tarfile
import unittest
import zipfile

from box import sha256
from fixture import BoxTest

import archive
import unpack
from text import Failure


def member(name, kind=tarfile.REGTYPE, link="", mode=0o644):
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.mode = kind, link, mode
    info.mtime = 1704067200
    info.size = 4 if kind == tarfile.REGTYPE else 0
    return info


def link(name, to):
    return member(name, tarfile.SYMTYPE, to)


class Unpacking(BoxTest):
    def tar(self, *members):
        path = self.box / "a.tar"
        with tarfile.open(path, "w", format=tarfile.GNU_FORMAT) as tar:
            for info in members:
                tar.addfile(info, io.BytesIO(b"text"))
        return path

    def unpack(self, path, kind="archive"):
        self.out = self.box / "below/out"
        shutil.rmtree(self.out.parent, ignore_errors=True)
        unpack.unpack_source(
            {"status": "ok", "kind": kind, "archive": str(path), "sha256": sha256(path)}, str(self.out)
        )

    def refused(self, words, *members):
        with self.assertRaisesRegex(Failure, words):
            self.unpack(self.tar(*members))
        self.assertEqual(set(self.box.rglob("*")), {self.box / "a.tar", self.box / "below"})

    def test_what_is_allowed(self):
        hard = member("d/hard", tarfile.LNKTYPE, "d/program")
        self.unpack(
            self.tar(member("d/program", mode=0o4755), link("d/up", "../d/program"), link("to nothing", "x"), hard)
        )
        program = self.out / "d/program"
        self.assertEqual(os.stat(program).st_mode & 0o7777, 0o755)
        self.assertEqual(os.stat(program).st_mtime, 1704067200)
        self.assertEqual(os.readlink(self.out / "d/up"), "../d/program")
        self.assertEqual(os.stat(self.out / "d/hard").st_nlink, 1)

    def test_later_entries_replace_earlier_ones(self):
        self.unpack(self.tar(link("a", "b"), member("a"), member("a")))
        self.assertFalse((self.out / "a").is_symlink())

    def test_names_outside(self):
        for name in ("../ESC", "d/../../ESC", "/tmp/ESC", "./../ESC"):
            self.refused("outside its folder", member(name))

    def test_links_outside(self):
        for to in ("..", "../below/out/a", "/etc", "./../x"):
            self.refused("its link 'l' to '.*' may lead out", link("l", to))
            self.refused("its link 'd/l' to '.*' may lead out", link("d/l", f"../{to}" if to[0] == "." else to))
        self.refused("'l/ESC', which is behind a link", link("l", "../.."), member("l/ESC"))
        self.refused("which is a link and a folder", link("l", ".."), member("l", tarfile.DIRTYPE))

    def test_chains_of_links_outside(self):
        deep = member("a/b/c", tarfile.DIRTYPE)
        self.refused("'l' to .* may lead out", deep, link("a/b/c/d", "../../../a"), link("l", "a/b/c/d/../../.."))
        # Another source may be placed there, and have a link to its own top at x.
        self.refused("'l' to .* may lead out", link("l", "third_party/other/x/../../.."))

    def test_hard_links_outside(self):
        self.refused("outside its folder", member("h", tarfile.LNKTYPE, "/etc/hostname"))
        self.refused("is not a file of it", member("h", tarfile.LNKTYPE, "not there"))
        self.refused("is not a file of it", link("l", "/etc/hostname"), member("h", tarfile.LNKTYPE, "l"))

    def test_names_of_this_project(self):
        self.refused("the name 'd/.tsb-patches': this project lists its patches under it", member("d/.tsb-patches"))
        self.refused("the name '.tsb-patches'", link(".tsb-patches", "x"))

    def test_devices(self):
        for kind in (tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE):
            self.refused("'x' is a device or a pipe", member("x", kind))

    def test_what_would_fill_a_disk(self):
        self.addCleanup(setattr, archive, "MOST_BYTES", archive.MOST_BYTES)
        archive.MOST_BYTES = 7
        self.refused("it unpacks to more than 1 kB", member("a"), member("b"))
        hard = [member(f"h{number}", tarfile.LNKTYPE, "a") for number in range(2)]
        self.refused("it unpacks to more than 1 kB", member("a"), *hard)
        archive.MOST_BYTES = 100
        self.addCleanup(setattr, archive, "MOST_FILES", archive.MOST_FILES)
        archive.MOST_FILES = 1
        self.refused("more than 1 files", member("a"), member("b"))
        archive.MOST_FILES = 5
        self.refused("more than 5 files", member("a/b/c/d/e/f"))
        self.refused("more than 5 files", member("a/b/c/d/e/f", tarfile.DIRTYPE))

    def test_ratio(self):
        path = self.box / "a.tar.gz"
        with tarfile.open(path, "w:gz") as tar:
            info = member("zeros")
            info.size = 100 << 20
            with open("/dev/zero", "rb") as zeros:
                tar.addfile(info, zeros)
        with self.assertRaisesRegex(Failure, r"it unpacks to more than 7\d\.\d MB"):
            self.unpack(path)

    def test_what_stands_before_an_entry(self):
        """Python reads it into memory."""
        for kind in (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK):
            before, path = member("x", kind), self.box / "a.tar"
            before.size = 100 << 10
            tar = self.tar(member("a")).read_bytes()
            path.write_bytes(tar[:1024] + before.tobuf() + b"1" * before.size + tar)
            with self.assertRaisesRegex(Failure, "it has more than 66 kB about one entry"):
                self.unpack(path)

    def test_sparse_files(self):
        """The map of one may be far larger than the archive; it is not read."""
        old, tar = member("x", tarfile.GNUTYPE_SPARSE), self.tar(member("a")).read_bytes()
        old = bytearray(old.tobuf(tarfile.GNU_FORMAT))
        old[482] = 1  # the map goes on behind the header
        old[148:156] = b"%06o\0 " % (sum(old[:148]) + 8 * 32 + sum(old[156:]))
        variants = [bytes(old) + (b"0".zfill(11) + b"\0") * 42 + b"\1".ljust(8, b"\0")]
        for headers in (
            {"GNU.sparse.major": "1", "GNU.sparse.minor": "0"},
            {"GNU.sparse.map": "0,0", "GNU.sparse.size": "0"},
            {"GNU.sparse.size": "0", "GNU.sparse.offset": "0", "GNU.sparse.numbytes": "0"},
        ):
            info = member("x")
            info.pax_headers = headers
            variants.append(info.tobuf(tarfile.PAX_FORMAT) + b"999999999\n")
        for variant in variants:
            path = self.write("a.tar", variant)
            with self.assertRaisesRegex(Failure, "it has a sparse file, which no source needs"):
                self.unpack(path)
        negative = bytearray(tar)
        negative[124:136] = b"\xff" * 11 + b"\0"
        negative[148:156] = b"%06o\0 " % (sum(negative[:148]) + 8 * 32 + sum(negative[156:512]))
        with self.assertRaisesRegex(Failure, "an entry of a negative size"):
            self.unpack(self.write("a.tar", bytes(negative)))

    def test_depth(self):
        self.unpack(self.tar(member("d/" * 99 + "a")))
        self.refused("it has a name with more than 100 folders: 'd/d/", member("d/" * 100 + "a"))
        self.refused("it has a name with more than 100 folders: 'd/d/", member("d/" * 100 + "d", tarfile.DIRTYPE))

    def test_damage(self):
        whole = self.tar(member("a"), member("b")).read_bytes()
        for damaged in (b"", b"no archive", whole[:700], whole[:1100] + b"x" + whole[1101:], whole[:1024]):
            path = self.box / "damaged.tar"
            path.write_bytes(damaged)
            if damaged == whole[:1024]:  # no end of the archive, but nothing is lost
                self.unpack(path)
                continue
            with self.assertRaises(Failure):
                self.unpack(path)

    def test_damage_that_python_has_other_errors_for(self):
        late, long_name = member("a"), member("././@LongLink", tarfile.GNUTYPE_LONGNAME)
        late.mtime, long_name.size = 1 << 64, 1
        encrypted = io.BytesIO()
        with zipfile.ZipFile(encrypted, "w") as file:
            file.writestr("a", "text")
        encrypted = bytearray(encrypted.getvalue())
        encrypted[6] |= 1
        encrypted[encrypted.index(b"PK\1\2") + 8] |= 1
        names = 2000 * (long_name.tobuf(tarfile.GNU_FORMAT) + b"a".ljust(512, b"\0"))
        large = member("a")
        large.size = 200000
        compressed = bytearray(lzma.compress(large.tobuf() + os.urandom(200192)))
        compressed[len(compressed) // 2] ^= 255
        for words, content in (
            ("timestamp out of range", self.tar(late).read_bytes()),
            ("is encrypted", encrypted),
            ("recursion", names + self.tar(member("a")).read_bytes()),
            ("Corrupt input data", compressed),
        ):
            path = self.box / "damaged"
            path.write_bytes(content)
            with self.assertRaisesRegex(Failure, words):
                self.unpack(path)

    def test_a_zip_file_at_the_end(self):
        inner = io.BytesIO()
        with zipfile.ZipFile(inner, "w") as file:
            file.writestr("inner", "text")
        info = member("a.zip")
        info.size = len(inner.getvalue())
        path = self.box / "a.tar"
        with tarfile.open(path, "w") as tar:
            tar.addfile(info, io.BytesIO(inner.getvalue()))
        self.unpack(path)
        self.assertEqual(os.listdir(self.out), ["a.zip"])

    def test_zip_files(self):
        path = self.box / "a.whl"
        with zipfile.ZipFile(path, "w") as file:
            file.writestr("d/a.txt", "text")
        self.unpack(path, "wheel")
        self.assertEqual((self.out / "d/a.txt").read_text(), "text")
        for name, mode, words in (("../ESC", 0o100644, "outside"), ("l", 0o120777, "is a link or a device")):
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            with zipfile.ZipFile(path, "w") as file:
                file.writestr(info, "..")
            with self.assertRaisesRegex(Failure, words):
                self.unpack(path, "wheel")

    def package(self, name, data):
        """A Debian package with these two files."""
        entries = ((b"debian-binary", b"2.0\n"), (name, data))
        body = b"".join(b"%-16s%-12d%-6d%-6d%-8s%-10d`\n" % (n, 0, 0, 0, b"100644", len(d)) + d for n, d in entries)
        path = self.box / "a.deb"
        path.write_bytes(b"!<arch>\n" + body)
        return path

    def test_debian_packages(self):
        data = self.tar(member("usr/include/a.h")).read_bytes()
        self.unpack(self.package(b"data.tar", data), "deb")
        self.assertTrue((self.out / "usr/include/a.h").exists())
        with self.assertRaisesRegex(Failure, "has no data.tar in it"):
            self.unpack(self.package(b"control.tar", data), "deb")

    @unittest.skipUnless(shutil.which("zstd"), "zstd is not installed")
    def test_debian_packages_with_zstd(self):
        def zstd(data):
            return subprocess.run(["zstd", "-c"], input=data, stdout=subprocess.PIPE).stdout

        data = self.tar(member("usr/include/a.h")).read_bytes()
        self.unpack(self.package(b"data.tar.zst", zstd(data)), "deb")
        self.assertTrue((self.out / "usr/include/a.h").exists())
        cut = self.package(b"data.tar.zst", zstd(data + bytes(1 << 18))[:-3])
        with self.assertRaisesRegex(Failure, "its data.tar.zst is damaged"):
            self.unpack(cut, "deb")
        # More than fits into memory.
        large = self.package(b"data.tar.zst", zstd(data + bytes(300 << 20)))
        most = resource.getrlimit(resource.RLIMIT_AS)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_AS, most)
        resource.setrlimit(resource.RLIMIT_AS, (256 << 20, most[1]))
        with self.assertRaisesRegex(Failure, r"it unpacks to more than \d\d\.\d MB"):
            self.unpack(large, "deb")
