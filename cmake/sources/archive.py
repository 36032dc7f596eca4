# SPDX-License-Identifier: BSD-3-Clause
"""Unpacks tar archives, zip files and Debian packages, and nothing of them outside the folder: no absolute name, no `..`, nothing
behind a link, no device, no setuid bit. What an archive asks for of that is an error. Where its links may lead, unpack.py
says."""

import io
import os
import re
import shutil
import stat
import subprocess
import tarfile
import tempfile
import time
import zipfile

from text import Failure, size_text
from tree import PATCH_LIST

# More than any source has; what is larger was made to fill a disk, and what is deeper to end whoever walks through it.
MOST_FILES, MOST_BYTES, MOST_FOLDERS = 2_000_000, 100 << 30, 100
# An archive of n bytes unpacks to FREE and RATIO * n at most, as in torchpkg (common/unpack_limits.h).
FREE, RATIO = 64 << 20, 100
# What stands before a tar's entry, such as its long name, is read into memory. It may have this many bytes.
MOST_BEFORE = 64 << 10


class Target:
    """The folder that an archive is unpacked to, or a commit."""

    def __init__(self, folder, archive_size):
        self.folder = folder
        self.most_bytes = min(MOST_BYTES, FREE + RATIO * archive_size)
        self.links, self.folders = set(), {""}
        self.files = self.bytes = 0

    def place(self, name):
        """The path for a name. Error: it is outside, behind a link, or this project's own."""
        parts = [part for part in name.split("/") if part not in ("", ".")]
        if name.startswith("/") or ".." in parts or "\0" in name:
            raise Failure(f"it has the name {name!r}, which is outside its folder")
        if len(parts) > MOST_FOLDERS:
            raise Failure(f"it has a name with more than {MOST_FOLDERS} folders: {name[:60]!r}...")
        if PATCH_LIST in parts:
            raise Failure(
                f"it has the name {name!r}: this project lists its patches under it; make the archive without it"
            )
        for end in range(1, len(parts)):
            if "/".join(parts[:end]) in self.links:
                raise Failure(f"it has the name {name!r}, which is behind a link")
        self.count_files(1)
        return os.path.join(self.folder, *parts), "/".join(parts)

    def count_files(self, number):
        self.files += number
        if self.files > MOST_FILES:
            raise Failure(f"it has more than {MOST_FILES} files")

    def is_new(self, folder):
        """Whether nothing was put into it yet. It counts then, with as many above it as it may take."""
        if folder in self.folders:
            return False
        self.count_files(folder.count("/") + 1)
        self.folders.add(folder)
        return True

    def expect(self, name, size):
        """Counts what git is going to write."""
        self.count(size)
        _, below = self.place(name)
        self.is_new(os.path.dirname(below))

    def make_room(self, name):
        """The path for a file or a link, where nothing is any more."""
        path, below = self.place(name)
        if self.is_new(os.path.dirname(below)):
            os.makedirs(os.path.dirname(path), exist_ok=True)
        elif os.path.lexists(path):
            os.remove(path)
            self.links.discard(below)
        return path, below

    def add_folder(self, name):
        path, below = self.place(name)
        if below in self.links:
            raise Failure(f"it has the name {name!r}, which is a link and a folder")
        self.count_files(below.count("/"))
        os.makedirs(path, exist_ok=True)

    def count(self, size):
        self.bytes += size
        if self.bytes > self.most_bytes:
            raise Failure(f"it unpacks to more than {size_text(self.most_bytes)}")

    def add_file(self, name, content, size, mode, seconds):
        self.count(size)
        path, _ = self.make_room(name)
        with open(
            path, "xb", buffering=0, opener=lambda path, flags: os.open(path, flags, mode & 0o755 | 0o600)
        ) as file:
            shutil.copyfileobj(content, file, 1 << 20)
            if file.tell() != size:
                raise Failure(f"{name} ends early")
            os.utime(file.fileno(), (seconds, seconds))

    def add_link(self, name, to):
        path, below = self.make_room(name)
        os.symlink(to, path)
        self.links.add(below)

    def add_hard_link(self, name, to):
        origin, below = self.place(to)
        if below in self.links or not os.path.isfile(origin):
            raise Failure(f"{name} is a link to {to!r}, which is not a file of it")
        self.count(os.path.getsize(origin))
        path, _ = self.make_room(name)
        shutil.copy2(origin, path)


def refuse_sparse(*_):
    raise Failure("it has a sparse file, which no source needs: pack it without")


class Member(tarfile.TarInfo):
    """Python takes a damaged header, except the first one, for the archive's end, and reads what stands before an entry, and the
    map of a sparse file, into memory."""

    _proc_sparse = _proc_gnusparse_00 = _proc_gnusparse_01 = _proc_gnusparse_10 = refuse_sparse

    @classmethod
    def frombuf(cls, *words):
        member = super().frombuf(*words)
        before = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE)
        if member.size < 0:  # all that follows would be read for it
            raise Failure("it has an entry of a negative size")
        if member.type in before + (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK) and member.size > MOST_BEFORE:
            raise Failure(f"it has more than {size_text(MOST_BEFORE)} about one entry")
        return member

    @classmethod
    def fromtarfile(cls, tar):
        try:
            return super().fromtarfile(tar)
        except (tarfile.TruncatedHeaderError, tarfile.InvalidHeaderError) as error:
            raise tarfile.ReadError(str(error)) from None


def unpack_tar(file, target, mode="r:*"):
    with tarfile.open(fileobj=file, mode=mode, tarinfo=Member) as tar:
        for member in tar:
            if member.isdir():
                target.add_folder(member.name)
            elif member.isreg():
                target.add_file(member.name, tar.extractfile(member), member.size, member.mode, member.mtime)
            elif member.issym():
                target.add_link(member.name, member.linkname)
            elif member.islnk():
                target.add_hard_link(member.name, member.linkname)
            else:
                raise Failure(f"{member.name!r} is a device or a pipe")


def unpack_zip(file, target):
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            mode = info.external_attr >> 16
            if info.is_dir():
                target.add_folder(info.filename)
                continue
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
                raise Failure(f"{info.filename!r} is a link or a device")
            with archive.open(info) as content:
                seconds = time.mktime((*info.date_time, 0, 0, -1))
                target.add_file(info.filename, content, info.file_size, mode or 0o644, seconds)


def unpack_deb(file, target):
    """The files of a Debian package are in a tar archive inside an ar archive."""
    if file.read(8) != b"!<arch>\n":
        raise Failure("it is not a Debian package")
    while True:
        header = file.read(60)
        if len(header) < 60 or not header[48:58].strip().isdigit():
            raise Failure("it has no data.tar in it")
        name, size = header[:16].decode("ascii", "replace").strip(" /"), int(header[48:58])
        if name.startswith("data.tar"):
            break
        file.seek(size + size % 2, os.SEEK_CUR)
    data = file.read(size)
    if not name.endswith(".zst"):
        unpack_tar(io.BytesIO(data), target)
        return
    # Through a pipe: what comes out of a few bytes may not fit into memory.
    with tempfile.TemporaryFile() as packed:
        packed.write(data)
        packed.seek(0)
        command = ["zstd", "-dcq"]
        with subprocess.Popen(command, stdin=packed, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as zstd:
            try:
                unpack_tar(zstd.stdout, target, "r|")
                for block in iter(lambda: zstd.stdout.read(1 << 20), b""):  # what follows the tar's end
                    target.count(len(block))
                if zstd.wait():
                    raise Failure("its data.tar.zst is damaged")
            finally:
                zstd.kill()


def unpack_archive(file, kind, folder):
    """Unpacks an open file. Error: why it cannot be unpacked."""
    target = Target(folder, os.fstat(file.fileno()).st_size)
    os.makedirs(folder, exist_ok=True)
    file.seek(0)
    try:
        if kind == "deb":
            unpack_deb(file, target)
        elif kind == "wheel" or file.read(2) == b"PK":  # zipfile.is_zipfile looks at the end: a tar may end with a zip
            unpack_zip(file, target)
        else:
            file.seek(0)
            unpack_tar(file, target)
    except Failure:
        raise
    except Exception as error:  # Python's modules raise two dozen kinds for what is damaged
        raise Failure(re.sub(r"\[Errno \d+\] ", "", str(error)) or type(error).__name__) from None
