# SPDX-License-Identifier: BSD-3-Clause
"""What a configured build is going to compile into the shared libraries that it installs, and the headers that it installs,
before anything is compiled.

It is certain to go in; which headers are compiled in too, only the compiler tells (record_linked.py).
"""

import os
import re
import subprocess
import tempfile

from engine.sbom import linked_files, record_linked

INCLUDED = re.compile(r'^\s*(?:include\(|#include )"([^"]+)"', re.MULTILINE)
INSTALLED = re.compile(r"TYPE SHARED_LIBRARY\b[^)]*?\bFILES\b([^)]*)\)")

HEADERS = re.compile(
    r'^ *file\(INSTALL (DESTINATION "\$\{CMAKE_INSTALL_PREFIX\}/include\b[^"]*" TYPE (?:FILE|DIRECTORY))(.*?\)\n)',
    re.M | re.S,
)


def read(path):
    with open(path, encoding="utf-8", errors="replace") as stream:
        return stream.read()


def install_scripts(build):
    """The texts that `cmake --install` follows: a subdirectory that is left out includes nothing."""
    todo = [os.path.join(build, "cmake_install.cmake")]
    while todo:
        path = todo.pop()
        text = read(path) if os.path.isfile(path) else ""
        todo += INCLUDED.findall(text)
        yield text


def installed_libraries(build):
    """The shared libraries that it would install."""
    found = set()
    for text in install_scripts(build):
        for files in INSTALLED.findall(text):
            found.update(os.path.relpath(name, build) for name in re.findall(r'"([^"]+)"', files))
    return found


def installed_headers(source, build):
    """{header of the source tree: where it would be installed}; without those that the build generates."""
    rules = ["file(INSTALL %s OPTIONAL%s" % rule for text in install_scripts(build) for rule in HEADERS.findall(text)]
    with tempfile.TemporaryDirectory(dir=os.path.dirname(build)) as folder:
        script = os.path.join(folder, "headers.cmake")
        with open(script, "w", encoding="utf-8") as stream:
            stream.write("".join(rules))
        cmake = re.search("^CMAKE_COMMAND:INTERNAL=(.*)", read(os.path.join(build, "CMakeCache.txt")), re.MULTILINE)
        subprocess.run(
            [cmake[1], "-DCMAKE_INSTALL_PREFIX=" + folder, "-P", script], stdout=subprocess.DEVNULL, check=True
        )
        return record_linked.find_shipped(source, folder)


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
