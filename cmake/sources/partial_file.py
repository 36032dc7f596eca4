# SPDX-License-Identifier: BSD-3-Clause
"""Files that appear under their name only when they are complete and on the disk, as those of torchpkg do
(packaging/torchpkg/src/common/partial_file.h): the name until then, `<name>.partial-<random>`, and the lock are the same, so
either removes what the other left when it was killed. A name that would be too long is shortened.

    python3 partial_file.py <file> <place>    copies a file
"""

import contextlib
import fcntl
import os
import secrets
import shutil
import signal
import sys

MARK = ".partial-"
MOST_BYTES = 255  # of a name


ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def interrupted(number, _):
    for later in ENDING:  # what is half-made is removed meanwhile
        signal.signal(later, signal.SIG_IGN)
    raise KeyboardInterrupt(number)


def run_interruptible(main):
    """Ends the process with what main() returns. SIGTERM and SIGHUP end it as Ctrl-C does: by an exception, which removes what
    is half-made, and with 128 + the number."""
    for number in ENDING:
        if signal.getsignal(number) != signal.SIG_IGN:  # below nohup
            signal.signal(number, interrupted)
    try:
        status = main()
    except KeyboardInterrupt as interrupt:
        # A child that runs already, and that subprocess does not know yet: it was interrupted while it started it.
        with contextlib.suppress(OSError):
            with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as children:
                for child in children.read().split():
                    os.kill(int(child), signal.SIGKILL)
        # Threads that wait for a server or a child would be waited for.
        with contextlib.suppress(OSError):  # a terminal that is gone
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(128 + interrupt.args[0])
    sys.exit(status)


def lock(descriptor):
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def beginning_of(name):
    """How the partial names of a file begin: as it is called, or as much of that as leaves room for the rest."""
    encoded = os.fsencode(name)
    end = min(len(encoded), MOST_BYTES - len(MARK) - 8)
    while end < len(encoded) and encoded[end] & 0xC0 == 0x80:  # in the middle of a letter
        end -= 1
    return os.fsdecode(encoded[:end]) + MARK


def open_to_lock(path):
    """For writing, as NFS asks of who locks a file; a file of another user's may only be read."""
    flags = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        return os.open(path, os.O_RDWR | flags)
    except OSError:
        return os.open(path, os.O_RDONLY | flags)


def remove_stale(folder, beginning):
    """Removes partial files that nobody holds: a run was killed. Nothing in a folder that cannot be listed."""
    names = []
    with contextlib.suppress(OSError):
        names = [name for name in os.listdir(folder) if name.startswith(beginning)]
    for name in names:
        path = os.path.join(folder, name)
        with contextlib.suppress(OSError):
            descriptor = open_to_lock(path)
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
            if claim(descriptor):
                return path, descriptor
            os.close(descriptor)
        except FileExistsError:
            continue
        except KeyboardInterrupt:
            remove(path)
            raise


def remove(path):
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)


def sync_folder(folder):
    """Writes the names in it to the disk. Some file systems cannot do that for a folder, and some folders cannot be read."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextlib.contextmanager
def partial_file(path):
    """A file for `path`, open for bytes. It gets its name at the end of the block, and is removed when that ends with an error."""
    folder, name = os.path.split(os.path.abspath(path))
    beginning = beginning_of(name)
    remove_stale(folder, beginning)
    partial, descriptor = create(folder, beginning)
    try:
        with open(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(descriptor)
            os.replace(partial, path)
    except BaseException:
        remove(partial)
        raise
    sync_folder(folder)


def write_text(path, text):
    with partial_file(path) as stream:
        stream.write(text.encode())


def copy(file, place):
    with open(file, "rb") as source, partial_file(place) as stream:
        shutil.copyfileobj(source, stream, 1 << 20)


def main():
    try:
        copy(*sys.argv[1:])
    except OSError as error:
        return "cannot write %s: %s" % (sys.argv[2], error)
    return 0


if __name__ == "__main__":
    run_interruptible(main)
