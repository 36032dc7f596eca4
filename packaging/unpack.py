# SPDX-License-Identifier: BSD-3-Clause
"""Unpacks a zip or a wheel as unzip does: with symlinks and executable files, which zipfile alone leaves out, and with
an error where CMake only warns: a wrong CRC, a file that is cut off.

unpack.py <archive> <folder>: says what is wrong with the archive.
"""

import os
import stat
import zipfile
import zlib

from engine.failure import Failure


def unpack(archive, folder):
    """Raises zipfile.BadZipFile, zlib.error or EOFError when the archive is damaged."""
    with zipfile.ZipFile(archive) as opened:
        for entry in opened.infolist():
            mode = entry.external_attr >> 16
            if stat.S_ISLNK(mode):
                os.symlink(opened.read(entry).decode(), os.path.join(folder, entry.filename))
            else:
                path = opened.extract(entry, folder)
                if stat.S_ISREG(mode):
                    os.chmod(path, stat.S_IMODE(mode))


def main(archive, folder):
    try:
        unpack(archive, folder)
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise Failure(
            f"{archive} does not pass its checks: it cannot be unpacked: {error}", "remove it, and pack it again"
        ) from None
