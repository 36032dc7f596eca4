# SPDX-License-Identifier: BSD-3-Clause
"""Files that appear under their name only when they are complete and on the disk, as those of torchpkg do
(packaging/torchpkg/src/common/partial_file.h): the name until then, `<name>.partial-<random>`, and the lock are the same, so
either removes what the other left when it was killed.

    python3 partial_file.py <file> <place>    copies a file
"""

import contextlib
import fcntl
import os
import secrets
import shutil
import sys

MARK = ".partial-"


def lock(descriptor):
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def remove_stale(folder, beginning):
    """Removes partial files that nobody holds: a run was killed."""
    for name in os.listdir(folder):
        if name.startswith(beginning):
            path = os.path.join(folder, name)
            with contextlib.suppress(OSError):
                descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
                try:
                    lock(descriptor)
                    if os.fstat(descriptor).st_nlink > 0:
                        os.unlink(path)
                finally:
                    os.close(descriptor)


def claim(descriptor):
    """Whether a new file is ours: another run may have taken it for a stale one. Where a file system has no locks it is,
    since nothing is taken for stale there."""
    try:
        lock(descriptor)
    except BlockingIOError:
        return False
    except OSError:
        pass
    return os.fstat(descriptor).st_nlink > 0


def create(folder, beginning):
    """A new file that this process holds: its path and its descriptor."""
    while True:
        path = os.path.join(folder, beginning + secrets.token_hex(4))
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
        except FileExistsError:
            continue
        if claim(descriptor):
            return path, descriptor
        os.close(descriptor)


def sync_folder(folder):
    """Writes the names in it to the disk. Some file systems cannot do that for a folder."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def partial_file(path):
    """A file for `path`, open for bytes. It gets its name at the end of the block, and is removed when that ends with an error."""
    folder, name = os.path.split(os.path.abspath(path))
    remove_stale(folder, name + MARK)
    partial, descriptor = create(folder, name + MARK)
    try:
        with open(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(descriptor)
            os.replace(partial, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(partial)
        raise
    sync_folder(folder)


def write_text(path, text):
    with partial_file(path) as stream:
        stream.write(text.encode())


def copy(file, place):
    with open(file, "rb") as source, partial_file(place) as stream:
        shutil.copyfileobj(source, stream, 1 << 20)


if __name__ == "__main__":
    try:
        copy(*sys.argv[1:])
    except OSError as error:
        sys.exit("cannot write %s: %s" % (sys.argv[2], error))
