# SPDX-License-Identifier: BSD-3-Clause
"""Locks that the kernel holds; a run of fetch: its settings, its folder, and what it has found out about hosts."""

import collections
import contextlib
import errno
import fcntl
import os
import re
import shutil
import tempfile
import threading

from engine.text import say

READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)


@contextlib.contextmanager
def locked(path, holder="", read_only=False):
    """Holds the lock of a file, which may be made for that, and which the kernel gives back when the process ends. Says who has it
    before it waits. `read_only`: without one where nothing can be written, since nobody changes anything there."""
    folder = os.path.dirname(path)
    with contextlib.ExitStack() as stack:
        try:
            os.makedirs(folder, exist_ok=True)
            file = stack.enter_context(open(path, "a"))
        except OSError as error:
            if not (read_only and error.errno in READ_ONLY):
                raise
        else:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say(f"{holder or f'another run is at work in {folder}'}, waiting for it")
                fcntl.flock(file, fcntl.LOCK_EX)
        yield


def remove_dead_runs(work, pattern):
    """What runs left that were killed, in folders whose names begin with the pattern: nobody holds their lock any more."""
    for name in os.listdir(work):
        run = os.path.join(work, name)
        if re.match(pattern, name) and os.path.isdir(run):
            with open(os.path.join(run, "alive"), "a") as file, contextlib.suppress(BlockingIOError):
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(run, ignore_errors=True)


@contextlib.contextmanager
def run_folder(work, prefix, pattern=""):
    """A folder <prefix>... for this run, removed at the end. The folders of dead runs begin with the pattern, else the prefix."""
    os.makedirs(work, exist_ok=True)
    with locked(os.path.join(work, "runs.lock")):
        remove_dead_runs(work, pattern or prefix)
        folder = tempfile.mkdtemp(prefix=prefix, dir=work)
        alive = open(os.path.join(folder, "alive"), "a")
        fcntl.flock(alive, fcntl.LOCK_EX)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        alive.close()


class Run:
    def __init__(self, request, folder):
        self.folder = folder
        self.work = request["work"]
        self.cache = request["cache"]
        self.offline = request.get("offline", False)
        self.mirrors = request.get("mirrors") or []
        self.providers = request["providers"]
        self.local = request.get("local") or {}
        self.python = request.get("python", "python3")
        self.apt_etc = request.get("apt_etc", "/etc/apt")
        self.os_release = request.get("os_release", "/etc/os-release")
        self.answers = {}
        self.unreachable = {}
        self.wrong = collections.defaultdict(set)  # of each source, hashes of files that are not what is pinned
        self.locks = {}
        self.lock = threading.Lock()

    def path(self, *names):
        """A folder of this run, empty."""
        folder = os.path.join(self.folder, *names)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        return folder

    def once(self, key, ask):
        """What `ask()` says, which is asked once in a run for a key, so that a machine without a network loses seconds."""
        with self.lock:
            lock = self.locks.setdefault(key, threading.Lock())
        with lock:
            if key not in self.answers:
                self.answers[key] = ask()
            return self.answers[key]
