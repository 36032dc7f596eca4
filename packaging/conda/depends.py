# SPDX-License-Identifier: BSD-3-Clause
"""What a package depends on, in conda's words. Needs packaging, pyelftools.

host_packages: what the libraries of a tree need, as far as their symbols tell: the C library, GCC's runtime libraries,
the OpenMP runtime (host_packages.json), and those of a backend (its libraries.json). requirements: each Requires-Dist of
METADATA that holds for a Python.
"""

import fnmatch
import json
import os
import pathlib
import re

from packaging.metadata import Metadata
from packaging.utils import canonicalize_name
from packaging.version import Version

from engine.failure import Failure
from engine.folders import Folders

HERE = pathlib.Path(__file__).resolve().parent
# Where conda-forge has another name than the Python package index.
CONDA_NAMES = {"typing-extensions": "typing_extensions"}
KNOWN = json.loads((HERE / "host_packages.json").read_text(encoding="utf-8"))


def number(symbol_version):
    return Version(symbol_version.rsplit("_", 1)[1])


def glibc_of(symbol_version):
    """The release of the C library that has it, or nothing."""
    if symbol_version == "GLIBC_ABI_DT_RELR":  # the mark of relative relocations, which has no number
        return "2.36"
    found = re.fullmatch(r"GLIBC_(\d[\d.]*)", symbol_version)
    return found[1] if found else None


def gcc_of(symbol_version):
    """The first release of GCC that has it, or nothing."""
    if re.fullmatch(r"GCC_\d[\d.]*", symbol_version):  # called after the release; 12.0.0 is as old as 12
        return re.sub(r"(\.0)+$", "", symbol_version[4:])
    if not re.fullmatch(r"(GLIBCXX|CXXABI)_\d[\d.]*", symbol_version):
        return None
    family = symbol_version.split("_")[0]
    table = [(known, gcc) for known, gcc in KNOWN["gcc_of_symbol_versions"] if known.startswith(family)]
    if number(symbol_version) < number(table[0][0]):
        return None
    return next((gcc for known, gcc in table if number(symbol_version) <= number(known)), KNOWN["gcc_of_newer_ones"])


def backend_packages(libraries):
    """Of NVIDIA's libraries, for example. CUDA 11's toolkit is one package; the runtime's name has the version."""
    cuda11 = any(library.startswith("libcudart.so.11.") for library in libraries)
    found = set()
    for file in Folders(os.environ.get("TSB_ADDITIONS")).of_backends("libraries.json"):
        facts = json.loads(file.read_text(encoding="utf-8"))
        for entry in facts["libraries"]:
            if any(fnmatch.fnmatch(library, name + ".so*") for library in libraries for name in entry["files"]):
                whole = facts["packages"].get(entry["package"], {}).get("conda_until_11")
                found.update([whole] if cuda11 and whole else entry.get("conda", [])[:1])
    return sorted(found)


def host_packages(files):
    """The packages that these ElfNeeds ask for."""
    symbol_versions = {version for file in files for _, version in file.versions}
    libraries = {library for file in files for library in file.libraries}
    glibc = max([KNOWN["lowest_glibc"], *filter(None, map(glibc_of, symbol_versions))], key=Version)
    gcc = max([KNOWN["lowest_gcc"], *filter(None, map(gcc_of, symbol_versions))], key=Version)
    known = [package for library, package in KNOWN["libraries"].items() if library in libraries]
    runtime = ["__glibc >=%s,<3.0.a0" % glibc, "libgcc >=" + gcc, "libstdcxx >=" + gcc]
    return runtime + known + backend_packages(libraries)


def requirements(metadata, python):
    """Error: Failure for one that conda cannot express."""
    machine = {"python_version": python, "python_full_version": python + ".0", "extra": ""}
    found = []
    for requirement in Metadata.from_email(pathlib.Path(metadata).read_bytes()).requires_dist or []:
        if requirement.marker and not requirement.marker.evaluate(machine):
            continue
        if requirement.url:
            raise Failure("%s: a conda package cannot depend on a URL" % requirement, "require a version instead")
        name = canonicalize_name(requirement.name)
        found.append(("%s %s" % (CONDA_NAMES.get(name, name), requirement.specifier)).strip())
    return found
