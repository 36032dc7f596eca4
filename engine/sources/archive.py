# SPDX-License-Identifier: BSD-3-Clause
"""Unpacks tar archives, zip files and Debian packages with Python's own readers. What is unpacked was verified by its hash."""

import os
import shutil
import subprocess
import tarfile
import time
import zipfile

from engine.failure import Failure


def as_a_users(member):
    """A tar's member with the owner and the modes that an ordinary user's files have."""
    member.uid, member.gid, member.uname, member.gname = os.geteuid(), os.getegid(), "", ""
    member.mode = 0o755 if member.isdir() else member.mode & 0o755 | 0o600
    return member


def unpack_tar(path, folder):
    # Pythons before 3.9.17, 3.10.12 and 3.11.4 have no filters.
    options = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
    with tarfile.open(path) as tar:
        tar.extractall(folder, members=map(as_a_users, tar), **options)


def unpack_zip(path, folder):
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            place = archive.extract(info, folder)
            if not info.is_dir():
                os.chmod(place, (info.external_attr >> 16 or 0o644) & 0o755 | 0o600)
                seconds = time.mktime((*info.date_time, 0, 0, -1))
                os.utime(place, (seconds, seconds))


def tool(*command, output=None):
    """Runs a program, which writes to `output`; without one, what it prints."""
    if not shutil.which(command[0]):
        raise Failure(f"the tool '{command[0]}' is not installed")
    return subprocess.run(command, stdout=output or subprocess.PIPE, check=True).stdout


def unpack_deb(path, folder):
    """The files of a Debian package are in a tar archive inside an ar archive."""
    names = [name for name in tool("ar", "t", path).decode().split() if name.startswith("data.tar")]
    if not names:
        raise Failure("it has no data.tar in it")
    data = f"{path}.{names[0]}"
    with open(data, "wb") as output:
        tool("ar", "p", path, names[0], output=output)
    if data.endswith(".zst"):
        tool("zstd", "--decompress", "--quiet", data)
        data = data[: -len(".zst")]
    unpack_tar(data, folder)


def unpack_archive(path, kind, folder):
    """Unpacks a file, beside which there may be others. Error: why it cannot be unpacked."""
    with open(path, "rb") as file:
        is_zip = file.read(2) == b"PK"  # zipfile.is_zipfile looks at the end: a tar may end with a zip
    unpack = unpack_deb if kind == "deb" else unpack_zip if is_zip else unpack_tar
    try:
        unpack(path, folder)
    except (
        tarfile.TarError,
        zipfile.BadZipFile,
        subprocess.CalledProcessError,
        EOFError,
        OSError,
        ValueError,
    ) as error:
        raise Failure(str(error)) from None
