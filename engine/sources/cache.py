# SPDX-License-Identifier: BSD-3-Clause
"""The source cache: a folder of plain files, `<cache>/<source>/<version>/<file>`, so it serves as a mirror as it is.

Beside a file stands `<file>.ok`, which says what was verified, and the file's size and time at that moment; a file that did
not change since is not hashed again. Nor is a git pack with another time, as in a copied cache, unpacked again when it
still has the SHA-256 that it had then: that takes a second instead of half a minute. This memory only saves time: a file
that comes out of a mirror is always verified, and so is every file when it is unpacked. A cache that cannot be written serves
as it is; it only gets no such memory.
"""

import contextlib
import json
import os

from engine.partial_file import write_text
from engine.sources import git
from engine.sources.run import READ_ONLY
from engine.sources.tree import digest, digest_of
from engine.text import say


class Download:
    """A candidate in one form: its place in the cache, and what it is verified by: `{"sha256", "size"}` for an archive,
    `{"commit", "complete"}` for a git pack."""

    def __init__(self, file, proof):
        self.file, self.proof = file, proof
        self.part = file + ".part"


def downloads(cache, name, candidate):
    """What a candidate is available as, by its form: "archive", "pack"."""
    folder = os.path.join(cache, name, candidate["version"])
    found = {}
    if "sha256" in candidate:
        proof = {"sha256": candidate["sha256"], "size": candidate.get("size", 0)}
        found["archive"] = Download(os.path.join(folder, candidate["filename"]), proof)
    if "git" in candidate:
        proof = {"commit": candidate["commit"], "complete": candidate.get("complete", False)}
        found["pack"] = Download(os.path.join(folder, f"{name}-{candidate['commit']}.pack"), proof)
    return found


def fault_of(path, proof, origin, scratch, wrong):
    """Why a file's content is not what is pinned, or an empty string. `scratch`: a folder that is not there, for git. `wrong`: to
    which the hash of a whole file is added that is another one."""
    with open(path, "rb") as file:
        if "commit" in proof:
            reason = git.fault_of_pack(file, proof["commit"], proof["complete"], scratch)
            return reason and f"not the commit {proof['commit']}: {reason}, from {origin}"
        actual = digest(file)
        size = file.tell()
    if actual == proof["sha256"]:
        return ""
    if size < proof["size"]:
        return f"truncated: got {size} of {proof['size']} bytes, from {origin}"
    wrong.add(actual)
    return f"wrong sha256: expected {proof['sha256']}, got {actual}, from {origin}"


def memory_of(path):
    try:
        with open(path + ".ok", encoding="utf-8") as file:
            record = json.load(file)
        return record if isinstance(record, dict) else {}
    except (OSError, ValueError):
        return {}


def remember(download, provider):
    status = os.stat(download.file)
    record = {"download": download.proof, "size": status.st_size, "time": status.st_mtime_ns, "provider": provider}
    if "commit" in download.proof:
        record["sha256"] = digest_of(download.file)
    try:
        write_text(download.file + ".ok", json.dumps(record))
    except OSError as error:
        if error.errno not in READ_ONLY:
            raise


def put_aside(path):
    """A file that is not what it should be: kept under another name, and the memory of it goes. False: it cannot be moved."""
    try:
        os.replace(path, path + ".wrong")
    except OSError:
        return False
    with contextlib.suppress(FileNotFoundError):
        os.remove(path + ".ok")
    return True


def holds(download, scratch, wrong):
    """Whether the file is there and verified, and what is wrong with one that is there."""
    try:
        status = os.stat(download.file)
    except FileNotFoundError:
        return False, ""
    record = memory_of(download.file)
    if record.get("download") == download.proof:
        if (record.get("size"), record.get("time")) == (status.st_size, status.st_mtime_ns):
            return True, ""
        if "sha256" in record and digest_of(download.file) == record["sha256"]:
            remember(download, record.get("provider", "cache"))
            return True, ""
    reason = fault_of(download.file, download.proof, download.file, scratch, wrong)
    if reason:
        aside = (
            f"It was moved aside to {download.file}.wrong" if put_aside(download.file) else "It cannot be moved aside"
        )
        say(f"fetch: {reason}\n  {aside}; another provider is asked.")
        return False, f"cache: {reason}"
    remember(download, "cache")
    return True, ""


def accept(download, provider, origin, scratch, wrong):
    """Verifies what was downloaded and gives it its final name; why not, if it is wrong, which removes it."""
    reason = fault_of(download.part, download.proof, origin, scratch, wrong)
    if reason:
        os.remove(download.part)
        return reason
    os.replace(download.part, download.file)
    remember(download, provider)
    return ""
