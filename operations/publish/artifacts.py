# SPDX-License-Identifier: BSD-3-Clause
"""Reads the facts about each artifact from the artifact itself.

An artifact is a dictionary: name (with the platform's folder for a conda package), path, size in bytes, sha256, kind
(wheel, conda or zip), product, version, backend, python, and beside, the bills of materials and statements that
accompany it. A wheel also has project, requires_python, metadata and metadata_sha256; a conda package index, its
info/index.json; a zip latest. One that lacks a feature although nobody has chosen that has off, {feature: why}.
A Failure names a faulty one.
"""

import concurrent.futures
import email
import hashlib
import io
import json
import os
import pathlib
import re
import tarfile
import zipfile

import zstandard
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from engine.failure import Failure
from engine.sources.tree import digest_of
from engine.text import say

# Names that are safe in addresses, object stores and tables. PyTorch's contain a "+".
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+!-]*")
# For libtorch-2.6.0+cpu.zip: libtorch-2.6.0+cpu.cdx.json, libtorch-2.6.0+cpu.zip.intoto.json and its signature.
BESIDE = re.compile(r"(\.zip|\.whl|\.conda)?\.(cdx|spdx|intoto)\.json(\.[A-Za-z0-9.]+)?")
BACKEND = re.compile(r"(cpu|cu\d+|cuda\d*|rocm\d+(?:\.\d+)*|aarch64)(?![a-z0-9])")


def stem(name):
    """The part of the name that an artifact and the files beside it share."""
    return re.sub(r"(\.zip|\.whl|\.conda)?(\.(cdx|spdx|intoto)\.json.*)?$", "", name)


def bad(what):
    """Error about a file that cannot be published."""
    return Failure(what, "build the file again, or remove it")


def only(archive, pattern, what):
    """The content of the only file whose name matches. Error: Failure."""
    names = [name for name in archive.namelist() if re.fullmatch(pattern, name)]
    if len(names) != 1:
        raise bad("has %s %s" % ("more than one" if names else "no", what))
    return archive.read(names[0])


def features_off(features):
    return {name: feature["reason"] for name, feature in features.items() if "remedy" in feature}


def build_of(parts):
    """The build number in the parts of a wheel's name; 1 without one."""
    return int(re.match(r"\d+", parts[2])[0]) if len(parts) == 6 else 1


def wheel_facts(archive, artifact):
    """Adds the facts in METADATA. A wheel is named {project}-{version}[-{build}]-{tags}.whl. Both may spell the version in
    different ways: 0.4.20 is 0.04.20."""
    artifact["metadata"] = only(archive, r"[^/]*\.dist-info/METADATA", "METADATA")
    artifact["metadata_sha256"] = hashlib.sha256(artifact["metadata"]).hexdigest()
    fields = email.message_from_string(artifact["metadata"].decode(errors="replace"))
    name, artifact["version"] = fields["Name"] or "", fields["Version"] or ""
    artifact["requires_python"] = fields["Requires-Python"]
    artifact["project"] = canonicalize_name(name)
    parts = artifact["name"].split("-")
    same = len(parts) > 4 and canonicalize_name(parts[0]) == artifact["project"]
    if not same or Version(parts[1]) != Version(artifact["version"]):
        raise bad("is not named after its METADATA: %s %s" % (name, artifact["version"]))
    artifact["version"] = str(Version(artifact["version"]))
    artifact.update(kind="wheel", product=name + " wheel", python=parts[-3], build=build_of(parts))


def conda_facts(archive, artifact):
    """Adds the facts in info/index.json, after which the file and its folder, the platform, are named."""
    info = only(archive, r"info-[^/]*\.tar\.zst", "info-*.tar.zst")
    with zstandard.ZstdDecompressor().stream_reader(info) as stream:
        with tarfile.open(fileobj=io.BufferedReader(stream), mode="r|") as tar:
            names = ("info/index.json", "info/about.json")
            texts = {file.name: json.load(tar.extractfile(file)) for file in tar if file.name in names}
    index = texts.get(names[0])
    if index is None:
        raise bad("has no info/index.json")
    expected = "%(subdir)s/%(name)s-%(version)s-%(build)s.conda" % index
    if artifact["name"] != expected:
        raise bad("is not named after its index.json, or is in the wrong folder: expected %s" % expected)
    python = re.search(r"(?:^|_)py(\d+)(?:_|$)", index["build"])
    artifact.update(index=index, kind="conda", product=index["name"] + " conda", version=index["version"])
    artifact["build"] = index["build_number"]
    artifact["off"] = features_off(texts.get(names[1], {}).get("extra", {}).get("features", {}))
    artifact["python"] = "cp" + python[1] if python else ""


def zip_facts(archive, artifact):
    """Adds the facts in the name, <product>-<version>[-<build>][-<tags>].zip."""
    found = re.fullmatch(
        r"(.+?)-(\d[^-]*)(?:-(\d\d?))?((?:-[a-z0-9]+)*)\.zip", artifact["name"]
    )  # debug-torch-2.6.0+cpu-2-cp312-cp312.zip
    if not found:
        raise bad("has another name than <product>-<version>.zip")
    product, version, build, tags = found.groups()
    for name in set(archive.namelist()) & {"libtorch/build-version"}:
        inside = archive.read(name).decode(errors="replace").strip()
        if Version(inside) != Version(version):
            raise bad("is not named after its %s: %s" % (name, inside))
    python = re.search(r"-(cp\d+)", tags)
    artifact.update(kind="zip", product=product + tags, version=version, build=int(build or 1))
    artifact["python"] = python[1] if python else ""
    artifact["latest"] = "%s-latest%s%s.zip" % (product, re.sub(r"^[^+]*", "", version), tags)


def backend_of(artifact):
    build = artifact["index"]["build"] if artifact["kind"] == "conda" else artifact["version"].partition("+")[2]
    found = BACKEND.search(build)
    return found[1] if found else ""


def read_artifact(folder, path):
    """Reads an artifact. Error: Failure, if it is damaged, or its name does not match its content."""
    artifact = {"name": path.relative_to(folder).as_posix(), "path": path, "size": path.stat().st_size}
    artifact["sha256"] = digest_of(path)
    add_facts = {".whl": wheel_facts, ".conda": conda_facts, ".zip": zip_facts}[path.suffix]
    try:
        if not NAME.fullmatch(path.name):
            raise bad("has a character in its name that is none of letters, digits and -._+!")
        with zipfile.ZipFile(path) as archive:
            broken = archive.testzip()
            if broken:
                raise bad("is damaged: the CRC of %s is wrong" % broken)
            add_facts(archive, artifact)
            for name in {"libtorch/manifest.json", "torch/manifest.json"} & set(archive.namelist()):
                for package in json.loads(archive.read(name)).get("packages", []):
                    artifact.setdefault("off", {}).update(features_off(package.get("features", {})))
        if not artifact.get("off"):
            artifact.pop("off", None)
        Version(artifact["version"])
    except Failure as error:
        raise bad("%s %s" % (path, error.what)) from error
    except InvalidVersion as error:
        version = str(error).partition(": ")[2].strip("'")
        raise bad("%s has a version that PEP 440 does not allow: %s" % (path, version)) from error
    except (EOFError, KeyError, RuntimeError, TypeError, ValueError) as error:
        raise bad("%s is damaged: %s" % (path, error)) from error
    except (tarfile.TarError, zipfile.BadZipFile, zstandard.ZstdError) as error:
        raise bad("%s is damaged: %s" % (path, error)) from error
    checks = path.with_name(path.name + ".checks.json")
    try:
        if checks.exists():
            artifact["not_run"] = json.loads(checks.read_text())["not_run"]
    except (KeyError, TypeError, ValueError) as error:
        raise bad("%s is damaged: %s" % (checks, error)) from error
    artifact["backend"] = backend_of(artifact)
    beside = [file for file in path.parent.iterdir() if file.name.startswith(path.stem)]
    beside = sorted(file for file in beside if BESIDE.fullmatch(file.name[len(path.stem) :]))
    prefix = artifact["name"][: -len(path.name)]
    artifact["beside"] = [
        {"name": prefix + file.name, "path": file, "size": file.stat().st_size, "sha256": digest_of(file)}
        for file in beside
    ]
    return artifact


def files_in(folder, *suffixes):
    """The files with these suffixes. glob() would find nothing in an unreadable folder; this raises PermissionError."""
    return [path for path in folder.iterdir() if path.suffix in suffixes and path.is_file()]


def artifacts_of(place):
    """[(folder, path)] of the artifacts in a folder such as dist or dist/linux-64, or of one file. Error: Failure."""
    if not place.exists():
        raise Failure("there is no %s: build a preset first, or name what you have built" % place)
    if not place.is_dir():
        if place.suffix not in (".whl", ".zip", ".conda"):
            raise bad("%s is not a wheel, a zip or a conda package" % place)
        return [(place.parents[1] if place.suffix == ".conda" else place.parent, place)]
    platforms = []
    for path in filter(pathlib.Path.is_dir, place.iterdir()):
        if path.is_symlink():
            say("left out: %s is a link to a folder, whose packages could appear twice" % path)
        else:
            platforms.append(path)
    files = files_in(place, ".zip", ".whl") + [file for folder in platforms for file in files_in(folder, ".conda")]
    pairs = [(place, file) for file in files] + [(place.parent, file) for file in files_in(place, ".conda")]
    if not pairs:
        raise Failure("%s has no wheel, zip or conda package" % place)
    return sorted(pairs)


def read_artifacts(places):
    """The artifacts in these folders and files. Error: Failure."""
    found = [pair for place in places for pair in artifacts_of(place.absolute())]
    pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
    try:
        artifacts = list(pool.map(lambda pair: read_artifact(*pair), found))
    finally:
        pool.shutdown(wait=False)  # an interrupt does not wait until gigabytes are read
    names = {}
    for artifact in artifacts:
        other = names.setdefault(artifact["name"], artifact)
        if other["sha256"] != artifact["sha256"]:
            raise bad("%s and %s differ, but have the same name" % (other["path"], artifact["path"]))
    return list(names.values())
