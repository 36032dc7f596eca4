# SPDX-License-Identifier: BSD-3-Clause
"""The content of a folder: its files with their SHA-256, and which of them can be executed, as `sha256sum -z` prints them, sorted.
Links are followed; what is of git is left out, and so is the list of patches of a tree that a build made. docs/sources.md has
the command with which anybody gets the same."""

import concurrent.futures
import glob
import hashlib
import os

PATCH_LIST = ".tsb-patches"  # what is in a tree: patches.py
LEFT_OUT = (b".git", PATCH_LIST.encode())


def files_of(folder):
    """The files below a folder, as paths (bytes) below it. A link that leads back up is not followed."""

    def below(place, prefix, ancestors):
        with os.scandir(place) as entries:
            for entry in entries:
                if entry.name in LEFT_OUT:
                    continue
                if entry.is_dir():
                    status = os.stat(entry.path)
                    if (status.st_dev, status.st_ino) not in ancestors:
                        key = (status.st_dev, status.st_ino)
                        yield from below(entry.path, prefix + entry.name + b"/", ancestors | {key})
                elif entry.is_file():
                    yield prefix + entry.name

    status = os.stat(folder)
    return list(below(os.fsencode(folder), b"", frozenset([(status.st_dev, status.st_ino)])))


def prebuilt_files(folder, patterns):
    """What is taken from a folder of the user's that holds an installed copy of a source instead of the source, as paths below
    it. Such a folder may be a whole prefix with other people's files, so the pin has patterns of what is the source's, the
    first of which is only there when it is installed. Empty: the folder is a source tree."""
    found = []
    for pattern in patterns:
        paths = glob.glob(os.path.join(glob.escape(folder), pattern))
        paths = [os.path.relpath(path, folder) for path in sorted(paths) if not os.path.isdir(path)]
        if not found and not paths:
            return []
        found += paths
    return list(dict.fromkeys(found))


def digest(file, copy=None):
    """The SHA-256 of an open file, which is copied on the way to another one."""
    found = hashlib.sha256()
    for block in iter(lambda: file.read(1 << 20), b""):
        found.update(block)
        if copy:
            copy.write(block)
    return found.hexdigest()


def digest_of(path, copy=None):
    with open(path, "rb") as file:
        return digest(file, copy)


def on_all_cores(function, names):
    """function(name) of each, in order."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(function, names))


def line_of(folder, name, copy=None):
    """The line of a file below the folder, which is copied on the way to an open one. The mark of `sha256sum -b` stands before
    the name of a file that its owner may execute."""
    with open(os.path.join(folder, name), "rb") as file:
        mark = b"*" if os.fstat(file.fileno()).st_mode & 0o100 else b" "
        return digest(file, copy).encode() + b" " + mark + b"./" + name + b"\0"


def is_executable(line):
    return line.partition(b" ")[2].startswith(b"*")


def sums(folder, names):
    """The lines of these files below the folder."""
    top = os.fsencode(folder)
    return b"".join(sorted(on_all_cores(lambda name: line_of(top, name), names)))


def digest_of_folder(folder, names=None):
    """The SHA-256 of these lines; without names, of all files."""
    return hashlib.sha256(sums(folder, files_of(folder) if names is None else names)).hexdigest()


def read_sums(path):
    """(name, line) of each file in what `sums` returned."""
    with open(path, "rb") as file:
        for line in file.read().split(b"\0")[:-1]:
            yield line.partition(b"./")[2], line + b"\0"
