# SPDX-License-Identifier: BSD-3-Clause
"""The remote store: a second level behind the store of this machine, for many machines. Each entry is one archive,
`<package>/<fingerprint>.tar.zst`, in a folder, on a server that takes PUT (http, https), or in a bucket (s3). The archive has
the entry's files alone, the list of their hashes first, without times and owners.

Nobody needs it to build: one line says what goes wrong with it, and the build goes on without it.
"""

import concurrent.futures
import contextlib
import datetime
import errno
import json
import mmap
import os
import pathlib
import re
import sys
import tarfile
import time

import entry as local
from archive import as_a_users
from run import run_folder
from text import Failure, first_line, say, without_password

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "build/remote-tools"
SUFFIX = ".tar.zst"
# Names of archives; with "#" what a killed upload into a folder left.
ARCHIVE = rf"[0-9a-f]{{64}}{re.escape(SUFFIX)}(#[0-9]+)?"
PART = 32 << 20  # bytes of an upload to S3, of which an object has at most 10,000
ASK_AGAIN, NOTE = 600, "remote-{}.failed"  # seconds after a failure, which a file of the store notes
OWN_FAULTS = (errno.ENOSPC, errno.EDQUOT, *local.NO_RIGHT)  # of this machine, and not of what is unpacked


class Refused(Failure):
    """What the remote store, or the way to it, does not do: its address and why."""


def in_words(error):
    """Errors of obstore name the address with its password, in the first line, and have the causes in many further ones."""
    text = str(error)
    match = re.search(r"status code: (\d+ [A-Za-z ]*[a-z])", text)
    if match:
        return f"HTTP {match[1]}"
    match = re.search(r'(?:message|error): "([^"]+)"|InvalidCertificate\(\s*(\w+)', text)
    if match:
        return match[1] or f"its certificate is not trusted: {match[2]}"
    if "kind: Timeout" in text:
        return "no answer in time"
    return re.sub(r"\S+://\S+", "it", first_line(text)).rpartition(" - ")[2]


def check_name(folder, member):
    """Error: what would be written outside the folder, or is neither file nor link nor folder. (Debian 12's Python has no filters.)"""
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
        """`size`: of what will be transferred. Slower than 0.5 MB a second, or silent for 14 s, counts as no answer."""
        if "://" not in self.address:
            return self.obstore.store.LocalStore(self.address, mkdir=True)
        client = {"allow_http": True, "connect_timeout": "5s", "timeout": f"{14 + size // 500000}s"}
        retry = {"max_retries": 2, "retry_timeout": datetime.timedelta(seconds=10)}
        return self.obstore.store.from_url(self.address, client_options=client, retry_config=retry)

    def ask(self, function):
        """What the function returns, in a thread of its own: an interrupt does not wait for a server. Error: Refused."""
        try:
            return concurrent.futures.ThreadPoolExecutor(1).submit(function).result()
        except Exception as error:  # of obstore, or of the disk
            raise Refused(f"{self.shown}: {in_words(error)}") from error

    def size_of(self, path):
        """The size of an archive; None: there is none."""
        try:
            return self.ask(lambda: self.obstore.head(self.opened(), path)["size"])
        except Refused as refusal:
            if isinstance(refusal.__cause__, FileNotFoundError):
                return None
            raise

    def answer(self):
        """Whether it answers, for the doctor."""
        try:
            self.size_of("-")
        except Refused as refusal:
            return f"{refusal}; builds go on without it"
        return f"{self.shown} answers"

    def archives(self):
        """(address, size, time of the upload) of each."""
        if self.address.startswith("http"):
            todo = "run this where its folder is, with the folder as --store"
            raise Failure(f"{self.shown}: a plain web server does not list what it has\n  {todo}")
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
        """All stores give an object its name when it is whole."""
        size = os.path.getsize(place)
        with open(place, "rb") as file:
            content, options = file, {"chunk_size": PART, "max_concurrency": 4}
            if self.address.startswith("http"):  # one request with the whole of it, which stays on the disk
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
        """What is wrong with the archive; empty: nothing."""
        os.mkdir(folder)
        try:
            with open(place, "rb") as file, self.zstandard.ZstdDecompressor().stream_reader(file) as unpacked:
                with tarfile.open(fileobj=unpacked, mode="r|") as tar:
                    tar.extraction_filter = lambda member, _: member  # newer Pythons'; absolute links are in the list
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
        """The remote's files of an entry, in a folder beside it, and what is wrong with them."""
        above, name = os.path.split(entry)
        with run_folder(above, name + ".partial-", local.PARTIAL) as partial:
            archive, made = os.path.join(partial, "archive"), os.path.join(partial, "made")
            self.get(path, size, archive)
            yield made, self.unpack(archive, made) or local.fault_of(made, name)

    def attempt(self, verb, entry, action):
        """action(entry, path of its archive). One line says what goes wrong, and for a while nothing is attempted."""
        package, name = entry.split(os.sep)[-2:]
        note = pathlib.Path(entry).parents[1] / NOTE.format(verb)
        with contextlib.suppress(OSError):
            if time.time() - note.stat().st_mtime < ASK_AGAIN:
                return
        try:
            action(entry, f"{package}/{name}{SUFFIX}")
        except Exception as error:  # whatever it is: the machine builds without it
            text = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else error
            say(f"store: cannot {verb} {text}; the build goes on without it")
            with contextlib.suppress(OSError):
                note.parent.mkdir(parents=True, exist_ok=True)
                note.touch()

    def fetch(self, entry, path):
        """Places the remote's entry in the store of this machine, if it is there and whole."""
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
        """Puts an entry of this machine into the remote store, unless it is there. `built`: since none could be taken, so what
        is there now is another machine's, or damaged."""
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
    """The one that TSB_STORE_REMOTE names; None: there is none, or no network."""
    address = os.environ.get("TSB_STORE_REMOTE", "")
    if not address or ("://" in address and os.environ.get("TSB_OFFLINE") == "ON"):
        return None
    return Remote(address)
