# SPDX-License-Identifier: BSD-3-Clause
"""Refuses what is in an artifact without a declared component or a known licence.

Each fault is one line that names the folder or file and the evidence, and one on what to do.
"""
import fnmatch
import os
import re

import stated_licences
from components import below

NESTED_FOLDERS = {"third_party", "third-party", "thirdparty", "3rdparty", "external", "extern", "vendor", "deps"}
PLATFORM_LIBRARY = re.compile(
    r"^(lib(c|m|dl|rt|pthread|util|resolv|gcc|gcc_s|gcc_eh|stdc\+\+|c_nonshared)|ld-linux.*)\.(a|so)(\.[0-9]+)*$"
)


def platform_headers():
    with open(os.path.join(os.path.dirname(__file__), "platform_headers.txt"), encoding="utf-8") as lines:
        patterns = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    return re.compile("|".join(fnmatch.translate(pattern) for pattern in patterns))


def nested_folder(path, root, licence_folders):
    """The innermost folder around a file that holds code of its own making, by its name or its licence file."""
    relative = path[len(root) + 1:] if root else path
    folders = relative.split("/")[:-1]
    for count in range(len(folders), 0, -1):
        folder = "/".join(folders[:count])
        if count > 1 and folders[count - 2] in NESTED_FOLDERS:
            return folder
        if (root + "/" + folder if root else folder) in licence_folders:
            return folder
    return None


def evidence(package, path):
    if path in package.record["files"]:
        return "%s went into %s" % (path, package.record["files"][path])
    return "%s is shipped as %s" % (path, package.record["shipped"][path])


def check_package(package, ships_headers, declare_in):
    """Faults of a package's files, as (what, remedy)."""
    record = package.record
    remedy = "declare it under 'components' in %s (docs/licences.md says how)" % declare_in
    licence_folders = {os.path.dirname(path) for path in record["licence_files"]}
    paths = sorted(set(record["files"]) | (set(record["shipped"]) if ships_headers else set()))
    found = {}
    for path in paths:
        owner, nested = package.owners(path)
        folder = nested_folder(path, owner.root, licence_folders)
        if folder and not any(below_declared(item, owner.root, folder) for item in nested):
            whole = os.path.join(owner.root, folder)
            what = "%s is in the libraries or headers of package %s, and no component declares it: %s"
            found.setdefault(whole, (what % (whole, package.name, evidence(package, path)), remedy))
            continue
        allowed = set()
        for item in [owner] + nested:
            allowed |= stated_licences.families_of(item.license) | set(item.mentions)
        strange = set(record["stated"].get(path, [])) - allowed
        if strange:
            what = "%s speaks of the licence %s, its component %s is %s: %s"
            found[path] = (
                what % (path, ", ".join(sorted(strange)), owner.name, owner.license or "without one", evidence(package, path)),
                remedy,
            )
    return [found[path] for path in sorted(found)]


def below_declared(component, root, folder):
    """Whether the component was declared for this folder or one inside it, and not for a folder around it."""
    for pattern in component.files:
        if below(pattern.rstrip("/") + "/", folder) or pattern.startswith(folder + "/"):
            return True
    return False


def check_system(package, bundled, bundled_file):
    """Headers and libraries of the machine that are neither the platform's nor bundled."""
    platform = platform_headers()
    faults = []
    # A module for one Python includes that one's headers; it runs in no other.
    python = "/python%s/" % package.declaration["python"] if package.declaration.get("python") else None
    for path in package.record["system"]:
        if python and python in path and "/include/" in path:
            continue
        if not platform.match(path):
            faults.append(
                (
                    "package %s includes %s, which belongs to no package and not to the platform" % (package.name, path),
                    "make a package of it, or keep it out of the build; packaging/sbom/platform_headers.txt has the platform's",
                )
            )
    for path in package.record["libraries"]:
        name = os.path.basename(path)
        stem = re.sub(r"\.(a|so)(\.[0-9]+)*$", "", name)
        if path.startswith("@PACKAGES@/") or PLATFORM_LIBRARY.match(name) or stem in bundled:
            continue
        faults.append(
            (
                "package %s links %s, which belongs to no package and not to the platform" % (package.name, path),
                "make a package of it, or declare it in %s when it is to be bundled" % bundled_file,
            )
        )
    return faults


def check_licences(components, declare_in):
    faults = []
    for component in components:
        if component.used and component.license in ("", "NONE", "NOASSERTION"):
            where = declare_in if component.kind == "nested" else "the pins (sources.json)"
            faults.append(
                (
                    "%s is in the artifact and its licence is not known" % component.name,
                    "read it from its files and write the SPDX expression as 'license' into %s" % where,
                )
            )
    return faults
