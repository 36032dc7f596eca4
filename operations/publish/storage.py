# SPDX-License-Identifier: BSD-3-Clause
"""A folder or a bucket, with what only one of them has: a lock, and conditional writes."""

import contextlib
import fcntl
import mimetypes
import pathlib
import re
import subprocess
import time

import obstore
from obstore.exceptions import NotFoundError
from obstore.store import LocalStore, from_url

from engine.failure import Failure
from engine.text import say, size_text

CHUNK = 8 << 20


def chunks_of(path, size):
    """Yields the file in chunks, and prints the progress every ten seconds."""
    done, said = 0, time.monotonic()
    with open(path, "rb") as stream:
        while chunk := stream.read(CHUNK):
            yield chunk
            done += len(chunk)
            if time.monotonic() - said > 10:
                said = time.monotonic()
                say("  %s of %s (%d %%)" % (size_text(done), size_text(size), 100 * done // size))


class Storage:
    def __init__(self, target, create=False):
        """`create`: make the folder if it is missing. Error: Failure."""
        self.target, self.folder = target, None
        if re.match(r"[a-z0-9+]+://", target):
            self.store = from_url(target)
            return
        self.folder = pathlib.Path(target).absolute()
        if create:
            self.folder.mkdir(parents=True, exist_ok=True)
        if not self.folder.is_dir():
            raise Failure("there is no folder %s: add files to it first" % target)
        self.store = LocalStore(self.folder)

    @contextlib.contextmanager
    def lock(self):
        """Lets only one process at a time change a folder. Does nothing for a bucket."""
        if not self.folder:
            yield
            return
        with open(self.folder / ".lock", "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def read(self, path):
        """(content, ETag), or (None, None) if there is no such file."""
        try:
            found = obstore.get(self.store, path)
            return bytes(found.bytes()), found.meta["e_tag"]
        except (NotFoundError, FileNotFoundError):
            return None, None

    def paths(self, prefix):
        return {meta["path"]: meta["size"] for batch in obstore.list(self.store, prefix) for meta in batch}

    def attributes(self, path, cache):
        kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
        return None if self.folder else {"Content-Type": kind, "Cache-Control": cache}

    def write(self, path, content, tag=None):
        """Writes a file if its ETag is still `tag`; for None, if there is no such file. Errors: AlreadyExistsError,
        PreconditionError."""
        mode = {"e_tag": tag} if tag else "create"
        if self.folder and tag:
            mode = "overwrite"
        attributes = self.attributes(path, "no-cache")
        content = content if isinstance(content, bytes) else content.encode()
        obstore.put(self.store, path, content, mode=mode, attributes=attributes, use_multipart=False)

    def is_there(self, path, size):
        try:
            return obstore.head(self.store, path)["size"] == size
        except (NotFoundError, FileNotFoundError):
            return False

    def upload(self, file, path):
        """Uploads a file that never changes, unless it is there. Returns whether it was not."""
        if self.is_there(path, file["size"]):
            return False
        say("uploading %s, %s" % (file["name"], size_text(file["size"])))
        attributes = self.attributes(path, "public, max-age=31536000, immutable")
        if file["size"] > CHUNK:
            obstore.put(self.store, path, chunks_of(file["path"], file["size"]), attributes=attributes)
        else:
            obstore.put(self.store, path, file["path"].read_bytes(), attributes=attributes, use_multipart=False)
        return True

    def to_disk(self):
        """Without this a power cut could leave a page, but not the files that it names."""
        if self.folder:
            subprocess.run(["sync", "--file-system", self.folder], check=True)

    def copy(self, path, place):
        """Copies within the storage. In a folder this makes a hard link, but not twice: rename() would do nothing."""
        target = self.folder and self.folder / place
        if not (target and target.exists() and target.samefile(self.folder / path)):
            obstore.copy(self.store, path, place)
