# SPDX-License-Identifier: BSD-3-Clause
"""Compares which files the packed artifacts of a stand-in have with the lists in file_lists/<family>/.

    file_lists.py <dist folder> <family> [--write]

One list for each artifact. What differs from machine to machine is left open: the Python, the platform, build IDs and
hashes in names. --write makes the lists of what is there, after a change of an artifact that is wanted. Packages for
conda are read by zstandard, which has to be in PYTHONPATH. Exits with 1 if something differs.
"""

import argparse
import pathlib
import re
import stat
import sys
import tarfile
import zipfile

OPEN = [
    (r"\.build-id/[0-9a-f]{2}/[0-9a-f]+", ".build-id/BUILD_ID"),
    (r"(?<![a-z])(cpython-|cp|py|python)3\.?\d+", r"\1PYTHON"),
    (r"(manylinux|linux)_\d+_\d+_", r"\1_GLIBC_"),
    (r"(?<=h)[0-9a-f]{7}(?=_\d+)", "HASH"),
    (r"(?<=-)[0-9a-f]{8}(?=\.so)", "HASH"),
]


def left_open(name):
    for pattern, replacement in OPEN:
        name = re.sub(pattern, replacement, name)
    return name


def members(artifact):
    """The lines of a list: paths, and what a symlink leads to."""
    if artifact.suffix == ".conda":
        import zstandard

        with zipfile.ZipFile(artifact) as archive:
            for part in (name for name in archive.namelist() if name.endswith(".tar.zst")):
                stream = zstandard.ZstdDecompressor().stream_reader(archive.open(part))
                for member in tarfile.open(fileobj=stream, mode="r|"):
                    yield member.name + (f" -> {member.linkname}" if member.issym() else "")
        return
    with zipfile.ZipFile(artifact) as archive:
        for member in archive.infolist():
            link = stat.S_ISLNK(member.external_attr >> 16)
            yield member.filename + (f" -> {archive.read(member).decode()}" if link else "")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dist", type=pathlib.Path)
    parser.add_argument("family")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    lists = pathlib.Path(__file__).parent / "file_lists" / arguments.family
    differences = 0
    artifacts = [p for p in arguments.dist.rglob("*") if p.suffix in (".zip", ".whl", ".conda")]
    for artifact in sorted(artifacts):
        found = sorted({left_open(member) for member in members(artifact) if not member.endswith("/")})
        path = lists / (left_open(artifact.name) + ".txt")
        if arguments.write:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f"{member}\n" for member in found))
        expected = path.read_text().splitlines() if path.exists() else []
        for member in sorted(set(expected) ^ set(found)):
            print(f"{artifact.name}: {'lacks' if member in expected else 'has also'} {member}")
            differences += 1
    if not artifacts:
        print(f"there is no artifact in {arguments.dist}")
    return 1 if differences or not artifacts else 0


if __name__ == "__main__":
    sys.exit(main())
