# SPDX-License-Identifier: BSD-3-Clause
"""Packs a folder for a prefix into a conda package (format 2).

    pack_conda.py --root PREFIX --output DIST [--placeholder TEXT]

info/paths.json, files and has_prefix are written, the rest of info/ is taken as it is; index.json names the file,
DIST/<subdir>/<name>-<version>-<build>.conda. The placeholder is the prefix inside the scripts of bin/, which a client
replaces. The bytes depend only on names, content, executable bits and SOURCE_DATE_EPOCH. Needs
zstandard.

Not by conda-package-streaming, which writes the time of day into each package, and a copy of all files beside it.
"""

import argparse
import concurrent.futures
import hashlib
import io
import json
import os
import pathlib
import sys
import tarfile
import time
import zipfile

import zstandard

from engine.elf_needs import files_in
from engine.failure import Failure
from engine.partial_file import partial_file

DEFAULT_TIME = 315532800  # 1980-01-01, as in our other archives
# Jobs of 8 MiB keep all processors busy to the end, and each looks back over a 32nd of the window.
LEVEL = 19
COMPRESSION = {"job_size": 8 << 20, "overlap_log": 4, "write_checksum": True}
WRITTEN = ("info/paths.json", "info/files", "info/has_prefix", "info/index.json")


def path_facts(root, name, placeholder):
    """What paths.json says about a file or link. A link has the hash of what it leads to, if that is inside."""
    path = root / name
    digest, link = hashlib.sha256(), path.is_symlink()
    if path.is_file() and root in path.resolve().parents:
        with open(path, "rb") as stream:
            for chunk in iter(lambda: stream.read(1 << 20), b""):
                digest.update(chunk)
    facts = {"_path": name, "path_type": "softlink" if link else "hardlink"}
    if placeholder and name.startswith("bin/"):
        facts.update(prefix_placeholder=placeholder, file_mode="text")
    return {**facts, "sha256": digest.hexdigest(), "size_in_bytes": 0 if link else path.stat().st_size}


def info_files(root, names, placeholder, date):
    """The text of the files in info/ that are written here, by their names."""
    with concurrent.futures.ThreadPoolExecutor() as pool:
        paths = list(pool.map(lambda name: path_facts(root, name, placeholder), names))
    index = json.loads((root / "info/index.json").read_text(encoding="utf-8"))
    index.update({} if date is None else {"timestamp": date * 1000})
    texts = {
        "info/index.json": json.dumps(index, indent=2) + "\n",
        "info/paths.json": json.dumps({"paths": paths, "paths_version": 1}, indent=2) + "\n",
        "info/files": "".join(name + "\n" for name in names),
    }
    if placeholder:  # for clients of before paths.json
        row = '"%(prefix_placeholder)s" %(file_mode)s "%(_path)s"\n'
        texts["info/has_prefix"] = "".join(row % path for path in paths if "file_mode" in path)
    return texts


class Counted:
    """A stream to write to, of which engine/one_run/screen.py shows how far it is."""

    def __init__(self, stream, name, size):
        self.stream, self.name, self.size, self.done, self.shown = stream, name, size, 0, 0

    def write(self, data):
        self.done += len(data)
        percent = min(self.done * 100 // max(self.size, 1), 100)
        if percent > self.shown and "TORCH_SUPERBUILD_RUN" in os.environ:
            print(f"tsb_progress: {self.name}, {percent} %", file=sys.stderr, flush=True)
        self.shown = percent
        return self.stream.write(data)


def add_tar(package, name, zip_date, size, fill):
    """Adds <name>.tar.zst, with what fill(tar) adds, about `size` bytes, to a zip."""
    # At least one thread beside: without any, the input is not cut, and the bytes are others.
    threads = len(os.sched_getaffinity(0))
    compressor = zstandard.ZstdCompressor(
        compression_params=zstandard.ZstdCompressionParameters.from_level(LEVEL, threads=threads, **COMPRESSION)
    )
    entry = zipfile.ZipInfo(name + ".tar.zst", zip_date)
    entry.external_attr = 0o644 << 16
    with package.open(entry, "w", force_zip64=True) as stream, compressor.stream_writer(stream, closefd=False) as zstd:
        stream = Counted(zstd, name, size)
        with tarfile.open(fileobj=stream, mode="w|", format=tarfile.PAX_FORMAT, bufsize=1 << 20) as tar:
            fill(tar)


def add_file(tar, root, name, date, text=None):
    """Adds a file or link; with a text, a file that is not in the folder."""
    path = root / name
    entry = tarfile.TarInfo(name)
    entry.mtime, entry.uname, entry.gname = date, "root", "root"
    if text is not None:
        entry.size = len(text)
        tar.addfile(entry, io.BytesIO(text))
    elif path.is_symlink():
        entry.type, entry.linkname, entry.mode = tarfile.SYMTYPE, os.readlink(path), 0o777
        tar.addfile(entry)
    else:
        state = path.stat()
        entry.size, entry.mode = state.st_size, 0o755 if state.st_mode & 0o111 else 0o644
        with open(path, "rb") as stream:
            tar.addfile(entry, stream)


def pack(root, dist, placeholder):
    """Writes the package, which appears when it is complete. Error: OSError."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    date = int(epoch) if epoch else None
    time_of_files = DEFAULT_TIME if date is None else date
    zip_date = max(time.gmtime(time_of_files)[:6], (1980, 1, 1, 0, 0, 0))
    index = json.loads((root / "info/index.json").read_text(encoding="utf-8"))
    stem = "%(name)s-%(version)s-%(build)s" % index
    names = files_in(root)
    files = [name for name in names if not name.startswith("info/")]
    texts = info_files(root, files, placeholder, date)

    def add_files(tar):
        for name in files:
            add_file(tar, root, name, time_of_files)

    def add_info(tar):
        for name in sorted({name for name in names if name.startswith("info/") and name not in WRITTEN} | set(texts)):
            add_file(tar, root, name, time_of_files, texts[name].encode() if name in texts else None)

    output = dist / index["subdir"] / (stem + ".conda")
    output.parent.mkdir(parents=True, exist_ok=True)
    with partial_file(output) as stream, zipfile.ZipFile(stream, "w") as package:
        package.writestr(zipfile.ZipInfo("metadata.json", zip_date), '{"conda_pkg_format_version": 2}')
        add_tar(package, "pkg-" + stem, zip_date, sum((root / name).lstat().st_size for name in files), add_files)
        add_tar(package, "info-" + stem, zip_date, 0, add_info)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", required=True, type=pathlib.Path)
    parser.add_argument("--output", required=True, type=pathlib.Path)
    parser.add_argument("--placeholder", default="")
    options = parser.parse_args()
    try:
        pack(options.root.resolve(), options.output, options.placeholder)
    except OSError as error:
        raise Failure("the conda package cannot be written: %s" % error, "check permissions and free space") from None
