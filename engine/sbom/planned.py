# SPDX-License-Identifier: BSD-3-Clause
"""What a configured build is going to compile into the shared libraries that it installs, and the headers that it installs,
before anything is compiled.

It is certain to go in; which headers are compiled in too, only the compiler tells (record_linked.py).
"""

import os
import re
import subprocess
import tempfile

from engine.failure import Failure
from engine.sbom import linked_files, record_linked

INCLUDED = re.compile(r'^\s*(?:include\(|#include )"([^"]+)"', re.MULTILINE)
# What a cmake_install.cmake is read for: blocks, other scripts, and rules.
STATEMENT = re.compile(
    r"^ *(?:(if|elseif|else|foreach|while|function|macro)\s*\(([^\n]*)"
    r'|(end(?:if|foreach|while|function|macro))\s*\(|include\("([^"]+)"\)|file\(INSTALL (.*?\)\n))',
    re.MULTILINE | re.DOTALL,
)
# Conditions that CMake writes: those that hold when all components are installed, and the one on the configuration.
ALWAYS = re.compile(r"NOT CMAKE_INSTALL_LOCAL_ONLY|.* OR NOT CMAKE_INSTALL_COMPONENT")
CONFIGURATION = re.compile(r'(?:CMAKE_INSTALL_CONFIG_NAME|"\$\{CMAKE_INSTALL_CONFIG_NAME\}") MATCHES "([^"]*)"')
LIBRARIES = re.compile(r"[^)]*?TYPE SHARED_LIBRARY\b[^)]*?\bFILES\b([^)]*)\)")
HEADERS = re.compile(
    r'(DESTINATION "\$\{CMAKE_INSTALL_PREFIX\}/include\b[^"]*" TYPE (?:FILE|DIRECTORY))(.*)', re.DOTALL
)


def read(path):
    with open(path, encoding="utf-8", errors="replace") as stream:
        return stream.read()


def is_certain(condition, configuration):
    named = CONFIGURATION.fullmatch(condition)
    return bool(re.search(named[1], configuration) if named else ALWAYS.fullmatch(condition))


def install_rules(script, configuration=None):
    """What file(INSTALL) is given where `cmake --install` certainly comes to it: what depends on a condition that CMake does not
    write, such as one of install(CODE), is left to the compile."""
    text, blocks = read(script) if os.path.isfile(script) else "", []
    if configuration is None:
        configuration = "".join(re.findall(r'^ *set\(CMAKE_INSTALL_CONFIG_NAME "([^"]*)"\)', text, re.MULTILINE)[:1])
    for begin, condition, end, other, rule in STATEMENT.findall(text):
        if begin in ("elseif", "else"):
            blocks[-1:] = [False]
        elif begin:
            blocks.append(is_certain(condition.removesuffix(")"), configuration))
        elif end:
            del blocks[-1:]
        elif all(blocks):
            yield from install_rules(other, configuration) if other else [rule]


def planned_installs(build, kind):
    return filter(None, map(kind.match, install_rules(os.path.join(build, "cmake_install.cmake"))))


def installed_libraries(build):
    """The shared libraries that it would install."""
    rules = planned_installs(build, LIBRARIES)
    return {os.path.relpath(name, build) for rule in rules for name in re.findall(r'"([^"]+)"', rule[1])}


def installed_headers(source, build):
    """{header of the source tree: where it would be installed}; without those that the build generates."""
    with tempfile.TemporaryDirectory(dir=os.path.dirname(build)) as folder:
        script = os.path.join(folder, "headers.cmake")
        with open(script, "w", encoding="utf-8") as stream:
            stream.writelines("file(INSTALL %s OPTIONAL%s" % rule.groups() for rule in planned_installs(build, HEADERS))
        cmake = re.search("^CMAKE_COMMAND:INTERNAL=(.*)", read(os.path.join(build, "CMakeCache.txt")), re.MULTILINE)
        command = [cmake[1], "-DCMAKE_INSTALL_PREFIX=" + folder, "-P", script]
        # The caller's would lead elsewhere, or leave links.
        environment = {name: os.environ[name] for name in os.environ if name not in ("DESTDIR", "CMAKE_INSTALL_MODE")}
        process = subprocess.run(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace"
        )
        if process.returncode:
            rules = os.path.join(build, "cmake_install.cmake")
            what = "the headers that %s installs cannot be copied below %s" % (rules, os.path.dirname(build))
            remedy = "correct the install() that it is made of, or free space on the disk"
            raise Failure("%s: %s" % (what, " ".join(process.stderr.split())), remedy)
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
