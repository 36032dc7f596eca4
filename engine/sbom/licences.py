# SPDX-License-Identifier: BSD-3-Clause
"""share/licenses/ of a tree, for what was copied into it. The licences of what was built are make_sbom.py's business."""

import re
import shutil

from engine.failure import Failure
from engine.sbom.bill import hashes_of
from engine.system_package import system_package


def place_backend_text(artifact, folder, package, library, soname):
    """The licence text of a backend's library, in <folder>/<package>/, each text once: of what was built here its own, else
    what the hook `license` finds. Returns its path below the folder; nothing where a folder of the builder's has none."""
    texts = artifact.build.package(package).folder / "licenses" / package
    found = sorted(texts.glob(artifact.library(soname).get("text", "*")))
    try:
        text = found[0] if found else artifact.ask("license", package, library, soname)
    except Failure:
        if artifact.machine(package) or not artifact.build.package(package).own:
            raise
        return ""
    if not text:
        raise Failure(
            "the licence text of %s (%s) is not known" % (soname, library),
            "name it in LICENSE_FILES of package %s, or let the backend's hook license find it" % package,
        )
    (folder / package).mkdir(parents=True, exist_ok=True)
    known = {hashes_of(path)["sha256"]: path for path in sorted((folder / package).iterdir())}
    place = known.get(hashes_of(text)["sha256"])
    if not place:
        place = folder / package / text.name
        if place.exists():  # another text of the same name
            place = folder / package / ("%s-%s" % (soname, text.name))
        shutil.copy(text, place)
    return "%s/%s" % (package, place.name)


def header_owners(artifact, folder):
    """Headers of the toolkit are compiled into PyTorch's libraries, so their licences belong to every artifact of the
    backend. The member `headers` is the name that libraries.json knows it by: the library whose licence they have, or
    their own."""
    toolkit = artifact.backend.get("toolkit")
    owners = {}
    for name, file in artifact.ask("headers", default={}).items():
        known, version = name, artifact.versions.get(name, "")
        if name == toolkit:  # it may not be on this machine
            known, version = file.name, artifact.machine(toolkit).get("version") or artifact.backend["version"]
        text = place_backend_text(artifact, folder, toolkit, file.resolve(), known)
        owners[name] = {"version": version, "text": text, "headers": known}
    return owners


def place_licences(artifact, root, bundle):
    """share/licenses/<library>/ for every library that was copied from the machine: the text that the distribution ships for
    the package that owns the library. The backend's libraries have theirs in share/licenses/<package>/, such as
    cuda-toolkit.

    Returns the owners: {"<library>": {"package", "version", "text"}}, the last its place below share/licenses. It is empty
    where nobody knows the text, of which make_sbom.py complains."""
    folder = root / "share/licenses"
    owners = header_owners(artifact, folder)
    for library in bundle["bundled"]:
        name, origin = library["name"], library["from"]
        package, file = artifact.owner(name)
        if package:
            text = place_backend_text(artifact, folder, package, file, name)
            owners[origin] = {"package": package, "version": artifact.version_of(name), "text": text}
            continue
        owner = system_package(origin, artifact.record["target"])
        place = re.sub(r"\.so.*", "", name) + "/copyright" if owner.license else ""
        if place:
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(owner.license, folder / place)
        owners[origin] = {"package": owner.name, "version": owner.version, "text": place}
    return owners
