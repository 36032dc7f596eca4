# SPDX-License-Identifier: BSD-3-Clause
"""Files that appear under their name only when they are complete and on the disk. Until then the name is
`<name>.partial-<random>`, and the file is locked, so that a later run can remove what a killed one left.
"""

import contextlib
import fcntl
import os
import pathlib

MARK = ".partial-"


def lock(file):
    """Whether a file is ours now. Where a file system has no locks, a new file is."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


def remove_stale(folder, beginning):
    """Removes partial files that nobody holds: a run was killed."""
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            if name.startswith(beginning):
                with contextlib.suppress(OSError), open(os.path.join(folder, name), "r+b") as file:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    os.unlink(file.name)


def create(path):
    """A new file that this process holds; another run may have taken one for stale before it was locked."""
    while True:
        file = open(f"{path}{MARK}{os.urandom(4).hex()}", "xb")
        if lock(file) and os.fstat(file.fileno()).st_nlink:
            return file
        file.close()


@contextlib.contextmanager
def partial_file(path):
    """A file for `path`, open for bytes. It gets its name at the end of the block, and is removed when that ends with an error."""
    folder, name = os.path.split(os.path.abspath(path))
    remove_stale(folder, name + MARK)
    with create(path) as stream:
        try:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
            os.replace(stream.name, path)
        finally:  # of two names of one file a rename leaves both
            with contextlib.suppress(FileNotFoundError):
                os.unlink(stream.name)
    # The name. Some file systems cannot do that for a folder.
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def write_text(path, text):
    with partial_file(path) as stream:
        stream.write(text.encode())


def write_changed(path, text):
    """Writes a file, and its folder. One that is the same already keeps its time."""
    path = pathlib.Path(path)
    if not path.exists() or path.read_bytes() != text.encode():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, text)


@contextlib.contextmanager
def copied(file, place):
    """A copy of a file, on the same disk a second name of it. It is at its place at the end of the block, as a partial file is."""
    with open(file, "rb") as source, partial_file(place) as stream:
        try:
            os.link(file, stream.name + "-link")
            os.replace(stream.name + "-link", stream.name)
            os.fsync(source.fileno())
        except OSError:
            import shutil  # which takes long to be read

            shutil.copyfileobj(source, stream, 1 << 20)
        yield
