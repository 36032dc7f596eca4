# SPDX-License-Identifier: BSD-3-Clause
"""What a build with make compiled, read from the dependency files (*.d) that its makefile let the compilers write.

A makefile has no record of what is linked into what, so each object in the build folder counts for the installed
libraries. Paths are relative to the folder that make ran in: of the folders with a makefile, that one is taken in which
all of a file's paths are there.
"""

import os
import re

RULE = re.compile(r"^((?:\\.|[^:\\])+):(?:[ \t]|$)")


def find_roots(install_dir):
    """The libraries that are installed: the shared ones where there are any, otherwise the archives."""
    folder = os.path.join(install_dir, "lib")
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    shared = [name for name in names if re.search(r"\.so(\.[0-9]+)*$", name)]
    return shared or [name for name in names if name.endswith(".a")]


def read_rule(path):
    """(object, [prerequisites]) of the first rule of a dependency file; ("", []) when it has none."""
    with open(path, encoding="utf-8", errors="replace") as stream:
        text = stream.read().replace("\\\n", " ")
    for line in text.splitlines():
        match = RULE.match(line)
        if match and line[match.end() :].strip():
            words = re.findall(r"(?:\\.|\S)+", line[match.end() :])
            return match.group(1).split()[0], [word.replace("\\ ", " ") for word in words]
    return "", []


def makefile_folders(source_dir):
    """The folders of the source tree that have a makefile, the outer ones first."""
    found = []
    for folder, folders, names in os.walk(source_dir):
        folders.sort()
        if {"Makefile", "makefile", "GNUmakefile"} & set(names):
            found.append(folder)
    return sorted(found, key=lambda folder: (folder.count(os.sep), folder))


def read_dependency_files(source_dir, build_dir):
    """{file: an object that it went into}: sources and headers, as absolute paths."""
    folders = makefile_folders(source_dir)
    found = {}
    for folder, below, names in os.walk(build_dir):
        below.sort()
        for name in sorted(names):
            if not name.endswith(".d"):
                continue
            path = os.path.join(folder, name)
            target, needed = read_rule(path)
            relative = [word for word in needed if not os.path.isabs(word)]
            fitting = (at for at in folders if all(os.path.isfile(os.path.join(at, word)) for word in relative))
            base = next(fitting, None)
            if base is None:
                raise OSError("%s names files that are in no folder of %s" % (path, source_dir))
            target = os.path.relpath(os.path.join(base, target), build_dir)
            for word in needed:
                found.setdefault(os.path.normpath(os.path.join(base, word)), target)
    return found
