# SPDX-License-Identifier: BSD-3-Clause
"""Compares which files the packed artifacts of a stand-in have with the table file_lists/<family>.txt.

    file_lists.py <dist folder> <family> [--write]

The table gives each artifact a letter, then the files of each folder behind the letters of the artifacts that have them;
@/ is the folder of libtorch in any of them. What differs from machine to machine is left open: the Python, the platform,
build IDs and hashes in names. --write makes the table of what is there, after a change of an artifact that is wanted.
Packages for conda are read by zstandard, which has to be in PYTHONPATH. Exits with 1 if something differs.
"""

import argparse
import collections
import pathlib
import re
import stat
import string
import sys
import tarfile
import textwrap
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
    """The paths in it, and what a symlink leads to."""
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


def files_of(artifact):
    top = "libtorch/" if "libtorch" in artifact.name else "torch/"
    if artifact.suffix == ".conda":
        top = "lib/pythonPYTHON/site-packages/torch/"
    names = {left_open(member) for member in members(artifact) if not member.endswith("/")}
    return {"@/" + name[len(top) :] if name.startswith(top) else name for name in names}


def read(table):
    """{artifact: its files}"""
    letters, lists = {}, collections.defaultdict(set)
    for line in table.read_text().splitlines() if table.exists() else []:
        some, word, rest = line.split(" ", 2)
        if word == "=":
            letters[some] = rest
            continue
        for letter in some:
            lists[letters[letter]] |= {word[1:] + name for name in rest.split(", ")}
    return lists


def write(table, found):
    letters = dict(zip(sorted(found), string.ascii_letters))
    lines = [f"{letter} = {name}" for name, letter in letters.items()]
    folders = collections.defaultdict(list)
    for file in sorted(set().union(*found.values())):
        path = file.partition(" -> ")[0]
        folder = path[: path.rfind("/") + 1]
        some = "".join(letter for name, letter in letters.items() if file in found[name])
        folders[folder, some].append(file[len(folder) :])
    for (folder, some), names in sorted(folders.items()):
        joined = ", ".join(name.replace(" ", "\0") for name in names)
        for part in textwrap.wrap(joined, 100, break_long_words=False, break_on_hyphens=False):
            lines.append(f"{some} :{folder} " + part.rstrip(",").replace("\0", " "))
    table.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dist", type=pathlib.Path)
    parser.add_argument("family")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--whole", action="store_true", help="no artifact of the table may be missing")
    arguments = parser.parse_args()
    table = pathlib.Path(__file__).parent / f"file_lists/{arguments.family}.txt"
    artifacts = sorted(p for p in arguments.dist.rglob("*") if p.suffix in (".zip", ".whl", ".conda"))
    found = {left_open(artifact.name): files_of(artifact) for artifact in artifacts}
    if arguments.write:
        write(table, found)
    differences, lists = 0, read(table)
    for name, files in found.items():
        for file in sorted(files ^ lists[name]):
            print(f"{name}: {'has also' if file in files else 'lacks'} {file}")
            differences += 1
    if not artifacts:
        print(f"there is no artifact in {arguments.dist}")
    for name in sorted(lists.keys() - found.keys()) if arguments.whole else ():
        print(f"{name} is not in {arguments.dist}")
        differences += 1
    return 1 if differences or not artifacts else 0


if __name__ == "__main__":
    sys.exit(main())
