# SPDX-License-Identifier: BSD-3-Clause
"""What is given, and whether it fits together: the wheel, the interpreter, PyTorch's source tree and the lists.

What does not fit is a Failure. The hashes show whether another run had the same input.
"""

import glob
import hashlib
import json
import os
import re
import subprocess

from engine.failure import Failure
from engine.folders import PROJECT, Folders
from engine.sources.tree import digest_of_folder, files_of

HERE = os.path.dirname(os.path.abspath(__file__))


def hash_of_folder(folder):
    names = files_of(folder) if os.path.isdir(folder) else ()
    return digest_of_folder(folder, [name for name in names if b"__pycache__/" not in name])


def hash_of_key(key):
    return hashlib.sha256(json.dumps(key).encode()).hexdigest()[:12]


def find_wheel(pattern):
    """Path, version and Python tag of the wheel."""
    found = [pattern] if os.path.isfile(pattern) else sorted(glob.glob(pattern))
    if not found:
        raise Failure("there is no wheel %s" % pattern, "build one with a preset cpu-wheel-py..., or correct the path")
    if len(found) > 1:
        raise Failure("%d wheels match %s" % (len(found), pattern), "name one of them: " + " ".join(found))
    parts = re.match(r"torch-([^-]+)(?:-\d[^-]*)?-([^-]+)-[^-]+-[^-]+\.whl$", os.path.basename(found[0]))
    if not parts:
        raise Failure("%s is not named as a wheel of torch is" % found[0], "give --wheel the file as it was built")
    return os.path.abspath(found[0]), parts.group(1), parts.group(2)


def look_at_python(python, wheel, tag):
    """The interpreter's version in words, when the wheel is for it."""
    program = "import json, sys; print(json.dumps([sys.implementation.name, *sys.version_info[:3]]))"
    try:
        answer = subprocess.run([python, "-c", program], stdout=subprocess.PIPE, check=True).stdout
        implementation, major, minor, micro = json.loads(answer)
    except (OSError, ValueError, subprocess.CalledProcessError):
        raise Failure(
            "%s is not a Python that runs" % python, "give --python the interpreter that the wheel is for"
        ) from None
    mine = {"%s%d%d" % ("cp" if implementation == "cpython" else implementation, major, minor), "py%d" % major}
    if not mine & set(tag.split(".")):
        raise Failure(
            "%s is for %s, and %s is %s %d.%d" % (os.path.basename(wheel), tag, python, implementation, major, minor),
            "give --python the interpreter that the wheel is for",
        )
    if subprocess.run([python, "-c", "import ensurepip, venv"], stderr=subprocess.DEVNULL).returncode:
        raise Failure("%s cannot make a virtual environment" % python, "install its module venv (python3-venv)")
    return "%s %d.%d.%d" % (implementation, major, minor, micro)


def release_of(version):
    return re.match(r"\d+(\.\d+)*", version).group()


def look_at_source(source, version):
    for name in ("test", "tools", "version.txt"):
        if not os.path.exists(os.path.join(source, name)):
            raise Failure(
                "%s has no %s" % (source, name),
                "give --source the whole source tree of PyTorch %s" % release_of(version),
            )
    with open(os.path.join(source, "version.txt")) as stream:
        theirs = stream.read().strip()
    # The tree of a release says 9.9.0a0: what comes after the numbers is decided when it is built.
    if release_of(theirs) != release_of(version):
        raise Failure(
            "the wheel is of PyTorch %s, and %s of %s" % (version, source, theirs),
            "give --source the source tree of PyTorch %s" % release_of(version),
        )


def of_release(version, name):
    """A file or folder of a release; if there is none, where the project would have it."""
    path = "releases/%s/%s" % (version, name)
    return str(Folders(os.environ.get("TSB_ADDITIONS")).find(path) or PROJECT / path)


def list_for(option, given, release):
    """The file given, or the release's own."""
    path = given or of_release(release, "upstream_tests/%s.txt" % option.replace("-", "_"))
    if not os.path.isfile(path):
        raise Failure("there is no %s" % path, "write one, as there is for another release, or correct --%s" % option)
    return path


class KnownFailure:
    def __init__(self, pattern, reason):
        self.pattern, self.reason = pattern, reason
        # Only * is special: ids have brackets.
        self.expression = re.compile(re.escape(pattern).replace(r"\*", ".*"))
        self.seen = 0

    @classmethod
    def read(cls, path):
        result = []
        with open(path) as stream:
            for number, line in enumerate(stream, 1):
                if line.strip() and not line.startswith("#"):
                    pattern, *reason = line.strip().split(None, 1)
                    if not reason:
                        what = "%s, line %d has no reason" % (path, number)
                        raise Failure(what, "write why the test fails, after its id and a blank")
                    result.append(cls(pattern, reason[0]))
        return result
