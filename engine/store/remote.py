# SPDX-License-Identifier: BSD-3-Clause
"""The remote store: a second store, which many machines share. Each entry is one archive,
`<package>/<fingerprint>.tar.zst`, in a folder, on a server that accepts PUT (http, https), or in a bucket (s3). The
archive has only the entry's files, the list of their hashes first, without times and owners.

A build does not need it: on an error it prints one line and continues.
"""

import concurrent.futures
import contextlib
import datetime
import json
import mmap
import os
import pathlib
import re
import sys
import tarfile
import time

from engine.failure import FULL, Failure
from engine.folders import PROJECT
from engine.sources.archive import as_a_users
from engine.sources.run import READ_ONLY, run_folder
from engine.store import entry as local
from engine.text import in_words, say, without_password

TOOLS = PROJECT / "build/remote-tools"
SUFFIX = ".tar.zst"
# Archive names. "#" marks a file that a killed upload left in a folder.
ARCHIVE = rf"[0-9a-f]{{64}}{re.escape(SUFFIX)}(#[0-9]+)?"
PART = 32 << 20  # bytes; an object on S3 has at most 10,000 parts
ASK_AGAIN, NOTE = 600, "remote-{}.failed"  # seconds until the next try, and the file that marks a failure
OWN_FAULTS = (*FULL, *READ_ONLY)  # of this machine, not of the archive


class Refused(Failure):
    """A failed request to the remote store: its address and the reason."""


def check_name(folder, member):
    """Error: tarfile.TarError for a member that would be written outside the folder, or is not a file, link or folder.
    Debian 12's Python has no extraction filters."""
    place = os.path.join(folder, member.name)
    above = os.path.realpath(os.path.dirname(place))
    if os.path.commonpath([above, folder]) != folder or os.path.lexists(place):
        raise tarfile.TarError(f"{member.name} would be written elsewhere")
    if not (member.isfile() or member.issym() or member.isdir()):
        raise tarfile.TarError(f"{member.name} is not a file")


class Remote:
    def __init__(self, address):
        sys.path.append(str(TOOLS))
        try:
            import obstore.store
            import zstandard
        except ImportError as error:
            raise Failure(
                f"TSB_STORE_REMOTE needs the Python modules obstore and zstandard: {error} in {TOOLS}\n"
                "  run ./bootstrap.sh --install-only with TSB_STORE_REMOTE in the environment, or unset it"
            ) from None
        self.obstore, self.zstandard = obstore, zstandard
        self.address = address.rstrip("/")
        self.shown = without_password(self.address)

    def opened(self, size=0):
        """A client of the store. `size`: bytes to transfer. Timeout: under 0.5 MB a second, or 14 s without data."""
        if "://" not in self.address:
            if not os.path.isdir(self.address):  # misspelt, or a disk that is not mounted
                raise OSError("there is no such folder")
            return self.obstore.store.LocalStore(self.address)
        client = {"allow_http": True, "connect_timeout": "5s", "timeout": f"{14 + size // 500000}s"}
        retry = {"max_retries": 2, "retry_timeout": datetime.timedelta(seconds=10)}
        return self.obstore.store.from_url(self.address, client_options=client, retry_config=retry)

    def ask(self, function):
        """Calls the function in its own thread, so that an interrupt does not wait for the server. Error: Refused."""
        try:
            return concurrent.futures.ThreadPoolExecutor(1).submit(function).result()
        except Exception as error:  # from obstore or the disk
            raise Refused(f"{self.shown}: {in_words(error)}") from error

    def size_of(self, path):
        """The size of an archive in bytes, or None if there is none."""
        try:
            return self.ask(lambda: self.obstore.head(self.opened(), path)["size"])
        except Refused as refusal:
            if isinstance(refusal.__cause__, FileNotFoundError):
                return None
            raise

    def answer(self):
        """One line for the doctor: whether the store answers."""
        try:
            self.size_of("-")
        except Refused as refusal:
            return f"{refusal}; builds continue without it"
        return f"{self.shown} answers"

    def archives(self):
        """(address, size in bytes, upload time) of each archive. Error: Failure."""
        if self.address.startswith("http"):
            todo = "run this on the server, with its folder as --store"
            raise Failure(f"{self.shown}: a web server does not list its files\n  {todo}")
        found = self.ask(lambda: [item for part in self.obstore.list(self.opened()) for item in part])
        return [
            (f"{self.address}/{item['path']}", item["size"], item["last_modified"].timestamp())
            for item in found
            if re.fullmatch("[^/]+/" + ARCHIVE, item["path"])
        ]

    def remove(self, path):
        self.ask(lambda: self.obstore.delete(self.opened(), path))
        return True

    def get(self, path, size, place):
        with open(place, "wb") as file:
            self.ask(lambda: file.writelines(self.obstore.get(self.opened(size), path).stream()))

    def put(self, path, place):
        """Uploads a file. Every kind of store shows an object only when it is complete."""
        size = os.path.getsize(place)
        with open(place, "rb") as file:
            content, options = file, {"chunk_size": PART, "max_concurrency": 4}
            if self.address.startswith("http"):  # one request; mmap, since it may not fit in memory
                content, options = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ), {"use_multipart": False}
            self.ask(lambda: self.obstore.put(self.opened(size), path, content, **options))

    def pack(self, entry, place):
        with open(os.path.join(entry, local.LIST), encoding="utf-8") as file:
            listed = json.load(file)

        def plain(member):
            member.uid = member.gid = member.mtime = 0
            member.uname = member.gname = ""
            return member

        compressor = self.zstandard.ZstdCompressor(threads=-1)
        with open(place, "wb") as file, compressor.stream_writer(file) as packed:
            with tarfile.open(fileobj=packed, mode="w|") as tar:
                for path in [local.LIST, *sorted({**listed["files"], **listed["folders"]})]:
                    tar.inodes.clear()  # no hard links
                    tar.add(os.path.join(entry, path), path, recursive=False, filter=plain)

    def unpack(self, place, folder):
        """Unpacks an archive into a new folder. Returns what is wrong with it, or ""."""
        os.mkdir(folder)
        try:
            with open(place, "rb") as file, self.zstandard.ZstdDecompressor().stream_reader(file) as unpacked:
                with tarfile.open(fileobj=unpacked, mode="r|") as tar:
                    # Newer Pythons refuse absolute links, which entries may have.
                    tar.extraction_filter = lambda member, _: member
                    for member in tar:
                        check_name(os.path.realpath(folder), member)
                        tar.extract(as_a_users(member), folder)
        except (self.zstandard.ZstdError, tarfile.TarError, ValueError, EOFError) as error:
            return f"it cannot be unpacked: {error}"
        except OSError as error:
            if error.errno in OWN_FAULTS:
                raise
            return f"it cannot be unpacked: {error.strerror}"
        return ""

    @contextlib.contextmanager
    def taken(self, entry, path, size):
        """Downloads an entry into a temporary folder. Yields the folder and what is wrong with it."""
        above, name = os.path.split(entry)
        with run_folder(above, name + ".partial-", local.PARTIAL) as partial:
            archive, made = os.path.join(partial, "archive"), os.path.join(partial, "made")
            self.get(path, size, archive)
            yield made, self.unpack(archive, made) or local.fault_of(made, name)

    def attempt(self, verb, entry, action):
        """Calls action(entry, path of its archive). An error is one line, and ends tries for ASK_AGAIN seconds."""
        package, name = entry.split(os.sep)[-2:]
        note = pathlib.Path(entry).parents[1] / NOTE.format(verb)
        with contextlib.suppress(OSError):
            if time.time() - note.stat().st_mtime < ASK_AGAIN:
                return
        try:
            action(entry, f"{package}/{name}{SUFFIX}")
        except Exception as error:  # no error of the remote store stops a build
            text = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else error
            say(f"store: cannot {verb} {text}; the build continues without it")
            with contextlib.suppress(OSError):
                note.parent.mkdir(parents=True, exist_ok=True)
                note.touch()

    def fetch(self, entry, path):
        """Copies an entry from the remote store to the local one, if it exists and is not damaged."""
        size = self.size_of(path)
        if size is None:
            return
        with self.taken(entry, path, size) as (made, fault):
            if fault:
                say(f"store: {self.shown}/{path} is damaged: {fault}\n  The package is built, and replaces it.")
            else:
                local.set_modes(made)
                local.place(made, entry)

    def fill(self, entry, path, built=False):
        """Uploads a local entry, unless the remote store has it. `built`: this machine has just built the package, so
        an archive that exists may be damaged, and is checked."""
        size = self.size_of(path)
        if size is not None and built:
            with self.taken(entry, path, size) as (_, fault):
                size = None if fault else size
        if size is None and os.path.exists(os.path.join(entry, local.LIST)):
            above, name = os.path.split(entry)
            with local.in_use(entry), run_folder(above, name + ".partial-", local.PARTIAL) as partial:
                archive = os.path.join(partial, "archive")
                self.pack(entry, archive)
                self.put(path, archive)

    def replace(self, entry, path):
        self.fill(entry, path, built=True)


def configured():
    """The store that TSB_STORE_REMOTE names. None: it is not set, or TSB_OFFLINE excludes it."""
    address = os.environ.get("TSB_STORE_REMOTE", "")
    if not address or ("://" in address and os.environ.get("TSB_OFFLINE") == "ON"):
        return None
    return Remote(address)
