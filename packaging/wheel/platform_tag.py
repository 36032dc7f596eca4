# SPDX-License-Identifier: BSD-3-Clause
"""The platform tag of a wheel: the oldest manylinux policy of auditwheel's that its ELF files keep. Needs auditwheel."""

import fnmatch
import json
import os
import re

from auditwheel.architecture import Architecture
from auditwheel.libc import Libc
from auditwheel.policy import WheelPolicies

from engine.failure import Failure
from engine.folders import Folders

# Parts of glibc that the policies do not list.
GLIBC = ("ld-linux*.so*", "libmvec.so.1")


def backend_libraries():
    """What the backends know of their libraries: libraries.json of each."""
    files = Folders(os.environ.get("TSB_ADDITIONS")).of_backends("libraries.json")
    return [json.loads(file.read_text(encoding="utf-8")) for file in files]


def is_of_others(library, projects):
    """Whether a driver brings a library, or a wheel of these projects: libcublas.so.12, nvidia-cublas-cu12. Since CUDA 13 the
    official wheel requires cuda-toolkit, which requires the wheels of the toolkit's libraries."""
    for known in backend_libraries():
        if library in known.get("driver", []):
            return True
        for entry in known["libraries"]:
            if any(fnmatch.fnmatch(library, pattern + ".so*") for pattern in entry["files"]):
                wheel = entry.get("wheel", {}).get("project")
                own = any(wheel and re.fullmatch(wheel + r"(-cu\d+)?", project) for project in projects)
                return own or entry["package"] in projects
    return False


def platform_tag(files, projects, machine):
    """(tag, reason) of the ElfNeeds of a wheel. projects: what it requires; machine: x86_64. Error: Failure for files of
    two machines."""
    if not files:
        return "any", "there is no ELF file"
    for file in files:
        if file.machine != files[0].machine:
            text = "%s is for %s, %s is for %s" % (files[0].path, files[0].machine, file.path, file.machine)
            raise Failure(text, "make a wheel for each machine")
    inside = {name for file in files for name in (file.soname, file.path.rsplit("/", 1)[-1])}
    policies = WheelPolicies(libc=Libc.GLIBC, arch=Architecture(machine))
    best, reason = policies.highest, "nothing newer is asked for"
    for file in files:
        for library in file.libraries:
            if library in inside or any(fnmatch.fnmatch(library, part) for part in GLIBC):
                continue
            keeping = [policy for policy in policies if library in policy.whitelist]
            if not keeping and not is_of_others(library, projects):
                text = "%s needs %s, which is neither inside nor on every host" % (file.path, library)
                return policies.linux.name, text
            best = min([best, *keeping[-1:]])
        for library, version in file.versions:
            needed = policies.versioned_symbols_policy({library: {version}})
            if library not in inside and needed < best:
                best, reason = needed, "%s needs %s of %s" % (file.path, version, library)
    return best.name, reason
