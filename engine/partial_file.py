# SPDX-License-Identifier: BSD-3-Clause
"""Files that appear under their name only when they are complete and on the disk. Until then the name is
`<name>.partial-<random>`, and the file is locked, so that a later run can remove what a killed one left.
"""

import contextlib
import fcntl
import os
import pathlib
import secrets
import shutil
import signal
import sys

MARK = ".partial-"
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def interrupted(number, _):
    for later in ENDING:  # what is half-made is removed meanwhile
        signal.signal(later, signal.SIG_IGN)
    raise KeyboardInterrupt(number)


def run_interruptible(main):
    """Ends the process with what main() returns. SIGTERM and SIGHUP end it as Ctrl-C does: by an exception, which removes what
    is half-made, and with 128 + the number; so does a reader of its output that ends, such as head."""
    for number in ENDING:
        if signal.getsignal(number) != signal.SIG_IGN:  # below nohup
            signal.signal(number, interrupted)
    try:
        status = main()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 128 + signal.SIGPIPE
    except KeyboardInterrupt as interrupt:
        # The children of other threads, such as git or pip.
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
        file = open(f"{path}{MARK}{secrets.token_hex(4)}", "xb")
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
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(stream.name)
            raise
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
            shutil.copyfileobj(source, stream, 1 << 20)
        yield
