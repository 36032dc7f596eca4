# SPDX-License-Identifier: BSD-3-Clause
"""What the index says about each artifact, read from the artifact itself.

An artifact is a dictionary: file (below the folder), size, sha256; of a wheel also project, version, requires_python,
metadata and metadata_sha256; of a conda package also index, its info/index.json. BadArtifact says which one is wrong.
"""

import concurrent.futures
import ctypes
import email
import hashlib
import io
import json
import os
import re
import tarfile
import zipfile

# The info/ of a conda package unpacks to no more than this many bytes.
MOST_BYTES = 256 << 20


class BadArtifact(Exception):
    pass


def normalized(project):
    return re.sub(r"[-_.]+", "-", project).lower()


def sha256_of(path):
    digest = hashlib.sha256()
    with open(path, "rb") as stream:
        for chunk in iter(lambda: stream.read(1 << 20), b""):
            digest.update(chunk)
    return digest.hexdigest()


def only(archive, pattern, what):
    """The content of the one file with such a name."""
    names = [name for name in archive.namelist() if re.fullmatch(pattern, name)]
    if len(names) != 1:
        raise BadArtifact("has %s %s" % ("more than one" if names else "no", what))
    return archive.read(names[0])


def wheel_facts(archive, artifact):
    """Adds what METADATA says. The file is called {project}-{version}[-{build}]-{tags}.whl."""
    artifact["metadata"] = only(archive, r"[^/]*\.dist-info/METADATA", "METADATA")
    artifact["metadata_sha256"] = hashlib.sha256(artifact["metadata"]).hexdigest()
    fields = email.message_from_string(artifact["metadata"].decode(errors="replace"))
    name, artifact["version"] = fields["Name"] or "", fields["Version"] or ""
    artifact["requires_python"] = fields["Requires-Python"]
    artifact["project"] = normalized(name)
    parts = artifact["file"].split("-")
    if len(parts) < 5 or normalized(parts[0]) != normalized(name) or parts[1] != artifact["version"]:
        raise BadArtifact("has another name than its METADATA says: %s %s" % (name, artifact["version"]))


def unpacked(frame):
    """What is in a Zstandard frame. Python reads them since 3.14 only."""
    try:
        library = ctypes.CDLL("libzstd.so.1")
    except OSError as error:
        raise OSError("%s (it reads conda packages)" % error) from error
    text, size = ctypes.c_char_p, ctypes.c_size_t
    library.ZSTD_decompress.argtypes, library.ZSTD_decompress.restype = (text, size, text, size), size
    library.ZSTD_isError.argtypes = (size,)
    output = ctypes.create_string_buffer(MOST_BYTES)
    length = library.ZSTD_decompress(output, MOST_BYTES, frame, len(frame))
    if library.ZSTD_isError(length):
        raise BadArtifact("has an info/ that is damaged, or unpacks to more than %d MiB" % (MOST_BYTES >> 20))
    return memoryview(output)[:length].tobytes()


def conda_facts(archive, artifact):
    """Adds what info/index.json says. The file is called after it, its folder after the platform."""
    info = unpacked(only(archive, r"info-[^/]*\.tar\.zst", "info-*.tar.zst"))
    with tarfile.open(fileobj=io.BytesIO(info)) as tar:
        artifact["index"] = index = json.load(tar.extractfile("info/index.json"))
    expected = "%(subdir)s/%(name)s-%(version)s-%(build)s.conda" % index
    if artifact["file"] != expected:
        raise BadArtifact("has another name than its index.json says, or is in the wrong folder: %s" % expected)


def read_artifact(folder, path):
    """Error: BadArtifact for one that is damaged, or has another name than its content says."""
    artifact = {"file": path.relative_to(folder).as_posix(), "size": path.stat().st_size, "sha256": sha256_of(path)}
    add_facts = {".whl": wheel_facts, ".conda": conda_facts}.get(path.suffix)
    try:
        with zipfile.ZipFile(path) as archive:
            broken = archive.testzip()
            if broken:
                raise BadArtifact("is damaged: the CRC of %s is wrong" % broken)
            if add_facts:
                add_facts(archive, artifact)
    except BadArtifact as error:
        raise BadArtifact("%s %s" % (path, error)) from error
    except (EOFError, KeyError, RuntimeError, TypeError, ValueError, tarfile.TarError, zipfile.BadZipFile) as error:
        raise BadArtifact("%s is damaged: %s" % (path, error)) from error
    return artifact


def files_in(folder, suffix):
    """Not by glob(), which finds nothing in a folder that it cannot read."""
    return [path for path in folder.iterdir() if path.suffix == suffix and path.is_file()]


def read_artifacts(folder, files):
    pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
    try:
        return list(pool.map(lambda path: read_artifact(folder, path), sorted(files)))
    finally:
        pool.shutdown(wait=False)  # who interrupts this does not wait for gigabytes
