# SPDX-License-Identifier: BSD-3-Clause
"""What a CMake build with Ninja really linked: read from build.ninja and from the dependencies Ninja recorded.

Nothing is guessed from folder names: an object counts when it is on the way to one of the roots, a header when the
compiler named it for such an object.
"""

import functools
import glob
import os
import re
import subprocess

LIBRARY = r"\.(?:a|so(?:\.[0-9]+)*)"
# In a link line: between quotes, where blanks are part of a path, or up to a blank or comma.
NAMED_LIBRARY = re.compile(r'"([^"]+?%s)\\?"|([^\s,"]+%s)(?=[\s,]|$)' % (LIBRARY, LIBRARY))

SOURCE = re.compile(r"\.(c|cc|cpp|cxx|C|s|S|asm|f|F|for|f[0-9]+|F[0-9]+|h|hpp|inc)$")
PREPROCESSED = re.compile(r"-pp\.[fF][0-9]*$")


@functools.lru_cache(maxsize=None)
def real_folder(folder):
    return os.path.realpath(folder)


def inside(path, folder):
    """A file's path below a folder, also where one of the two leads through a link: gcc names a header by its real path
    where that is shorter. None for a file outside."""
    real = os.path.join(real_folder(os.path.dirname(path)), os.path.basename(path))
    for one, other in ((path, folder), (real, real_folder(folder))):
        if one.startswith(other + os.sep):
            return one[len(other) + 1 :]
    return None


def read_build_statements(build_dir):
    """{output: (explicit and implicit inputs, what the link line names beyond them)} of build.ninja."""
    statements = {}
    current = None
    with open(os.path.join(build_dir, "build.ninja"), encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line.startswith("build "):
                outputs, _, rest = line[6:].rstrip("\n").partition(": ")
                words = [word.replace("\0", " ").replace("$:", ":") for word in rest.replace("$ ", "\0").split(" ")]
                if "||" in words:  # order only: it is made before, and nothing of it goes in
                    words = words[: words.index("||")]
                if words[0] == "phony":  # another name for a file, or for several
                    current = None
                    continue
                current = ([word for word in words[1:] if word and word != "|"], [])
                for output in outputs.replace("$ ", "\0").split(" "):
                    if output and output != "|":
                        statements[output.replace("\0", " ")] = current
            elif current and line.startswith(("  LINK_LIBRARIES =", "  LINK_FLAGS =")):
                # Archives between --whole-archive flags are not inputs for Ninja.
                text = line.partition("=")[2]
                current[1].extend(quoted or plain for quoted, plain in NAMED_LIBRARY.findall(text))
                current[1].extend("-l" + name for name in re.findall(r"(?:^|\s)-l([^\s,]+)", text))
    return statements


def find_roots(statements, install_dir):
    """The libraries that are installed: the shared ones where there are any, otherwise the archives.

    In lib/, or in lib/ of a Python package.
    """
    installed = set()
    for pattern in ("lib", "site-packages/*/lib"):
        for folder in glob.glob(os.path.join(glob.escape(install_dir), pattern)):
            installed.update(os.listdir(folder))
    roots = [output for output in statements if os.path.basename(output) in installed]
    linked = [output for output in roots if re.search(LIBRARY + "$", output)]
    shared = [output for output in linked if not output.endswith(".a")]
    return sorted(shared or linked)


def link_closure(statements, roots, build_dir):
    """The objects in the roots, and the libraries that come from outside this build."""
    objects, external, seen, todo = set(), set(), set(), list(roots)
    while todo:
        output = todo.pop()
        if os.path.isabs(output):
            output = inside(output, build_dir) or output
        if output in seen:
            continue
        seen.add(output)
        if output.endswith((".o", ".obj")) or PREPROCESSED.search(output):
            objects.add(output)
            # Fortran: the compiler reads what another step made of the source.
            todo += [name for name in statements.get(output, ([], []))[0] if PREPROCESSED.search(name)]
        elif output in statements:
            inputs, named = statements[output]
            todo += inputs + named
        elif output.startswith("-l"):
            external.add("lib%s.so" % output[2:])
        elif re.search(LIBRARY + "$", output) and os.path.isabs(output):
            external.add(output)
    return objects, external


def read_recorded_headers(build_dir, ninja, objects, statements):
    """{file: an object that it went into}: sources and headers, as absolute paths.

    For an object without a record of headers (Fortran, a command of the project's own) it is what it was made from.
    """
    # -n: only read, the log is neither opened for writing nor compacted.
    command = [ninja, "-C", build_dir, "-n", "-t", "deps"]
    process = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if process.returncode != 0:
        raise OSError(process.stdout.strip() or "%s failed" % " ".join(command))
    files, recorded = {}, set()
    # Ninja's order is that of the build; the first object of a file must be the same each time.
    for block in sorted(process.stdout.split("\n\n")):
        head, _, rest = block.partition("\n")
        name = head.partition(": #deps")[0]
        if name in objects:
            recorded.add(name)
            for line in rest.split("\n"):
                files.setdefault(line, name)
    files.pop("", None)
    found = {os.path.normpath(os.path.join(build_dir, line.strip())): name for line, name in files.items()}
    for name in sorted(objects - recorded):
        for path in statements.get(name, ([], []))[0]:
            path = os.path.normpath(os.path.join(build_dir, path))
            if SOURCE.search(path) and os.path.isfile(path):
                found.setdefault(path, name)
    return found
