# SPDX-License-Identifier: BSD-3-Clause
"""What the index says about each artifact, read from the artifact itself.

An artifact is a dictionary: file (below the folder), size, sha256; of a wheel also project, version, requires_python,
metadata and metadata_sha256; of a conda package also index, its info/index.json. BadArtifact says which one is wrong.
"""

import concurrent.futures
import email
import hashlib
import json
import os
import posixpath
import re
import zipfile

from archive import FREE, RATIO
from conda_tar import BadTar, entries, unpacked

# A file that is read into memory may have this many bytes, as in torchpkg (common/unpack_limits.h).
MOST_BYTES = 16 << 20
# So deep may JSON be nested, as in torchpkg (common/json.h).
DEEPEST = 100


class BadArtifact(Exception):
    pass


def text_of(pattern):
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value)


def is_list_of_texts(value):
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


# What info/index.json must have: clients refuse a whole channel for one record that they cannot read.
INDEX_JSON = {
    "name": text_of(r"[a-z0-9._-]+"),
    "version": text_of(r"[A-Za-z0-9._+!]+"),
    "build": text_of(r"[A-Za-z0-9._+!]+"),
    "subdir": text_of(r"[a-z0-9._-]+"),
    "build_number": lambda value: type(value) is int and value >= 0,
    "depends": is_list_of_texts,
    "constrains": is_list_of_texts,
}


def normalized(project):
    return re.sub(r"[-_.]+", "-", project).lower()


def sha256_of(path):
    digest = hashlib.sha256()
    with open(path, "rb") as stream:
        for chunk in iter(lambda: stream.read(1 << 20), b""):
            digest.update(chunk)
    return digest.hexdigest()


def check_zip(path):
    try:
        with zipfile.ZipFile(path) as archive:
            check_entries(archive.infolist(), path.stat().st_size)
            broken = archive.testzip()
    except BadArtifact:
        raise
    except Exception as error:  # decompressors have errors of their own
        raise BadArtifact("is damaged: %s" % error) from error
    if broken:
        raise BadArtifact("is damaged: the CRC of %s is wrong" % broken)


def check_entries(entries, size):
    """Readers differ in which of two they take. Overlapping ones may have terabytes."""
    most = FREE + RATIO * size
    if sum(entry.file_size for entry in entries) > most:
        raise BadArtifact("unpacks to more than %d MiB" % (most >> 20))
    names = [entry.filename for entry in entries]
    if len(set(names)) < len(names):
        raise BadArtifact("has a file twice: %s" % max(names, key=names.count))


def only(names, what):
    if len(names) > 1:
        raise BadArtifact("has more than one %s" % what)
    if not names:
        raise BadArtifact("has no %s" % what)
    return names[0]


def check_size(name, size):
    if size > MOST_BYTES:
        raise BadArtifact("has more than %d MiB of %s" % (MOST_BYTES >> 20, name))


def check_depth(name, value):
    """Python's own limit differs between versions, and between reading and writing."""
    level = [value]
    for _ in range(DEEPEST):
        level = [child for item in level if isinstance(item, (dict, list)) for child in children(item)]
    if level:
        raise BadArtifact("has an %s that is nested more than %d levels deep" % (name, DEEPEST))


def children(item):
    return item.values() if isinstance(item, dict) else item


def read_member(archive, name):
    check_size(name, archive.getinfo(name).file_size)
    return archive.read(name)


def wheel_facts(archive, artifact):
    """Adds what METADATA says. The file is called {project}-{version}[-{build}]-{tags}.whl."""
    names = [name for name in archive.namelist() if re.fullmatch(r"[^/]*\.dist-info/METADATA", name)]
    artifact["metadata"] = read_member(archive, only(names, "METADATA"))
    artifact["metadata_sha256"] = hashlib.sha256(artifact["metadata"]).hexdigest()
    fields = email.message_from_string(artifact["metadata"].decode(errors="replace"))
    name, artifact["version"] = fields["Name"] or "", fields["Version"] or ""
    artifact["requires_python"] = fields["Requires-Python"]
    artifact["project"] = normalized(name)
    parts = artifact["file"].split("-")
    if len(parts) < 5 or normalized(parts[0]) != normalized(name) or parts[1] != artifact["version"]:
        raise BadArtifact("has another name than its METADATA says: %s %s" % (name, artifact["version"]))
    if not re.fullmatch("[a-z0-9]|[a-z0-9][a-z0-9-]*[a-z0-9]", artifact["project"]):
        raise BadArtifact("has a METADATA with a name that no project can have: '%s'" % name)


def read_info(archive):
    """The text of info/index.json of a package whose zip is as its format asks."""
    metadata = json.loads(read_member(archive, "metadata.json"))
    if not isinstance(metadata, dict) or metadata.get("conda_pkg_format_version") != 2:
        raise BadArtifact("has a metadata.json that does not say that it is of format 2")
    info = only([name for name in archive.namelist() if re.fullmatch(r"info-[^/]*\.tar\.zst", name)], "info-*.tar.zst")
    for name in (info, info.replace("info-", "pkg-", 1)):
        if archive.getinfo(name).compress_type != zipfile.ZIP_STORED:
            raise BadArtifact("is compressed twice: %s" % name)
    try:
        # Another entry of that name, or below it, could be written through a link that came first.
        found = [entry for entry in entries(unpacked(archive.read(info), FREE)) if is_index_json(entry[0])]
    except BadTar as error:
        raise BadArtifact("has a wrong %s: %s" % (info, error)) from error
    name, kind, content = only(found, "info/index.json")
    if kind != b"0" or name != b"info/index.json":
        raise BadArtifact("has an info/index.json that is not a file, or is a link")
    check_size("info/index.json", len(content))
    return content


def is_index_json(name):
    return posixpath.normpath(b"/" + name + b"/").lstrip(b"/").split(b"/")[:2] == [b"info", b"index.json"]


def conda_facts(archive, artifact):
    """Adds what info/index.json says. The file is called after it, its folder after the platform."""
    artifact["index"] = index = json.loads(read_info(archive))
    if not isinstance(index, dict):
        raise BadArtifact("has an info/index.json that is not a JSON object")
    check_depth("info/index.json", index)
    for member, is_good in INDEX_JSON.items():
        if not is_good({"constrains": [], **index}.get(member)):
            raise BadArtifact("has no valid %s in its info/index.json: %s" % (member, index.get(member)))
    # Refuses NaN and lone surrogates, which Python reads but others do not.
    json.dumps(index, ensure_ascii=False, allow_nan=False).encode()
    expected = "%(subdir)s/%(name)s-%(version)s-%(build)s.conda" % index
    if artifact["file"] != expected:
        raise BadArtifact("has another name than its index.json says, or is in the wrong folder: %s" % expected)


def read_artifact(folder, path):
    if not path.name.isprintable():  # neither are bytes that are not UTF-8
        raise BadArtifact("%s has a name that no page can show" % path)
    artifact = {"file": path.relative_to(folder).as_posix(), "size": path.stat().st_size, "sha256": sha256_of(path)}
    add_facts = {".whl": wheel_facts, ".conda": conda_facts}.get(path.suffix)
    try:
        check_zip(path)
        if add_facts:
            with zipfile.ZipFile(path) as archive:
                add_facts(archive, artifact)
    except BadArtifact as error:
        raise BadArtifact("%s %s" % (path, error)) from error
    except (KeyError, RuntimeError, ValueError) as error:
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
