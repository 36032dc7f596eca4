#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds a preset twice, from nothing, and compares what comes out, byte for byte.

    tools/bench/build_twice.py --preset cpu-all --work /var/tmp/twice
    tools/bench/build_twice.py --compare FOLDER OTHER-FOLDER

The two builds are in folders of different names and lengths, one with blanks, by users of different names, in different
time zones, languages and umasks, each with a store of its own and without a compiler cache. Only the sources are shared:
fetch them before (the target fetch), or let the first build do it. Checks are left out; the workflow has them.

Exit code 0: all files are the same. 1: they are not; the first difference of each file is printed, in a zip the entry and
the byte in it.
"""

import argparse
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import time
import zipfile

PROJECT = os.path.abspath(f"{__file__}/../../..")
BUILDS = (
    ("one", {"USER": "first", "LANG": "C.UTF-8", "TZ": "UTC"}, 0o022),
    ("a second, longer one", {"USER": "second", "LANG": "de_DE.UTF-8", "TZ": "Asia/Tokyo"}, 0o077),
)


def copy_project(folder):
    names = subprocess.run(["git", "-C", PROJECT, "ls-files", "-z"], stdout=subprocess.PIPE, check=True).stdout
    for name in os.fsdecode(names).split("\0"):
        if name and os.path.exists(os.path.join(PROJECT, name)):
            place = os.path.join(folder, name)
            os.makedirs(os.path.dirname(place), exist_ok=True)
            shutil.copy(os.path.join(PROJECT, name), place)


def build(preset, folder, variables, umask):
    tree = os.path.join(folder, "tree")
    os.makedirs(folder)  # a new one: nothing of the user's is removed
    old = os.umask(umask)
    copy_project(tree)
    home = os.path.join(folder, "home")
    os.makedirs(home)
    sources = os.environ.get("TSB_SOURCES") or os.path.expanduser("~/.cache/torch-superbuild/sources")
    environment = dict(os.environ, HOME=home, TSB_SOURCES=sources, TSB_STORE=os.path.join(folder, "store"), **variables)
    environment.update(CCACHE_DISABLE="1", SCCACHE_RECACHE="1")
    start = time.monotonic()
    for command in (
        ["cmake", "--preset", preset],
        ["cmake", "--build", "--preset", preset],
        ["cpack", "--preset", preset],
    ):
        if subprocess.run(command, cwd=tree, env=environment).returncode != 0:
            sys.exit("%s failed in %s" % (" ".join(command), tree))
    os.umask(old)
    print("%s: %.0f s" % (folder, time.monotonic() - start))
    return os.path.join(tree, "build", preset, "packed")


def first_byte(one, other):
    """Where two byte strings begin to differ; None when they do not."""
    if one == other:
        return None
    for at, (a, b) in enumerate(zip(one, other)):
        if a != b:
            return at
    return min(len(one), len(other))


def around(data, at):
    return data[max(0, at - 16) : at + 32]


def first_difference(one, other):
    """The first difference of two files, in words; None when they are the same."""
    with open(one, "rb") as a, open(other, "rb") as b:
        while True:
            blocks = a.read(1 << 20), b.read(1 << 20)
            if blocks[0] != blocks[1]:
                break
            if not blocks[0]:
                return None
    if not (zipfile.is_zipfile(one) and zipfile.is_zipfile(other)):
        at = first_byte(blocks[0], blocks[1])
        return "byte %d of a block: %r against %r" % (at, around(blocks[0], at), around(blocks[1], at))
    with zipfile.ZipFile(one) as a, zipfile.ZipFile(other) as b:
        names = a.namelist(), b.namelist()
        for mine, theirs in ((0, 1), (1, 0)):
            only = sorted(set(names[mine]) - set(names[theirs]))
            if only:
                return "only %s has %s" % ((one, other)[mine], only[0])
        for name in names[0]:
            entries = a.getinfo(name), b.getinfo(name)
            # The checksum first: most entries are the same, and big ones take long to read.
            if entries[0].CRC != entries[1].CRC or entries[0].file_size != entries[1].file_size:
                data = a.read(name), b.read(name)
                at = first_byte(*data)
                return "%s, byte %d: %r against %r" % (name, at, around(data[0], at), around(data[1], at))
        for name in names[0]:
            entries = a.getinfo(name), b.getinfo(name)
            for what in ("date_time", "external_attr", "compress_type", "compress_size", "extra", "comment"):
                if getattr(entries[0], what) != getattr(entries[1], what):
                    return "%s: its %s is %r and %r" % (
                        name,
                        what,
                        getattr(entries[0], what),
                        getattr(entries[1], what),
                    )
    return "the order of the entries, or how they are compressed"


def compare(one, other):
    names = sorted({os.path.relpath(p, f) for f in (one, other) for p in pathlib.Path(f).rglob("*") if p.is_file()})
    if not names:
        sys.exit("there is nothing in %s and %s" % (one, other))
    same = True
    for name in names:
        files = [os.path.join(folder, name) for folder in (one, other)]
        missing = [file for file in files if not os.path.exists(file)]
        difference = "%s does not exist" % missing[0] if missing else first_difference(*files)
        if difference:
            same = False
            print("DIFFERENT %s: %s" % (name, difference))
        else:
            with open(files[0], "rb") as stream:
                print("same      %s %s" % (name, hashlib.sha256(stream.read()).hexdigest()))
    return same


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", default="cpu-all")
    parser.add_argument("--work", help="a new folder for both builds; some 10 GB each")
    parser.add_argument("--compare", nargs=2, metavar="FOLDER", help="only compare what lies in these two")
    options = parser.parse_args()
    if options.compare:
        folders = options.compare
    elif options.work:
        work = os.path.abspath(options.work)
        folders = [
            build(options.preset, os.path.join(work, name), variables, umask) for name, variables, umask in BUILDS
        ]
    else:
        parser.error("name a folder for the builds (--work), or two to compare (--compare)")
    sys.exit(0 if compare(*folders) else 1)


if __name__ == "__main__":
    main()
