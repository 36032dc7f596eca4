# SPDX-License-Identifier: BSD-3-Clause
"""Unpacks a zip or a wheel as unzip does: with symlinks and executable files, which zipfile alone leaves out, and with
an error where CMake only warns: a wrong CRC, a file that is cut off.

unpack.py <archive> <folder>: prints what is wrong with the archive, and exits with 1.
"""

import os
import stat
import sys
import zipfile
import zlib


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


def main():
    archive, folder = sys.argv[1:]
    try:
        unpack(archive, folder)
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        sys.exit(f"{archive}: {error}")


if __name__ == "__main__":
    main()
