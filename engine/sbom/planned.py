# SPDX-License-Identifier: BSD-3-Clause
"""What a configured build is going to compile into the shared libraries that it installs, before anything is compiled.

It is certain to go in; which headers go in too, only the compiler tells (record_linked.py).
"""

import os
import re

from engine.sbom import linked_files

INCLUDED = re.compile(r'^\s*(?:include\(|#include )"([^"]+)"', re.MULTILINE)
INSTALLED = re.compile(r"TYPE SHARED_LIBRARY\b[^)]*?\bFILES\b([^)]*)\)")


def read(path):
    with open(path, encoding="utf-8", errors="replace") as stream:
        return stream.read()


def installed_libraries(build):
    """The shared libraries that `cmake --install` would install: a subdirectory that is left out includes nothing."""
    found, todo = set(), [os.path.join(build, "cmake_install.cmake")]
    while todo:
        path = todo.pop()
        text = read(path) if os.path.isfile(path) else ""
        todo += INCLUDED.findall(text)
        for files in INSTALLED.findall(text):
            found.update(os.path.relpath(name, build) for name in re.findall(r'"([^"]+)"', files))
    return found


def compiled_sources(source, build):
    """{file of the source tree: an object that it will go into}. For a unity source it is what that includes."""
    statements = linked_files.read_build_statements(build)
    roots = sorted(set(statements) & installed_libraries(build))
    objects, _ = linked_files.link_closure(statements, roots, build)
    files = {}
    for name in sorted(objects):
        for path in statements.get(name, ([], []))[0]:
            path = os.path.normpath(os.path.join(build, path))
            if not linked_files.SOURCE.search(path) or not os.path.isfile(path):
                continue
            for file in INCLUDED.findall(read(path)) if linked_files.inside(path, build) else [path]:
                below = linked_files.inside(os.path.normpath(file), source)
                if below and os.path.isfile(file):
                    files.setdefault(below, name)
    return files
