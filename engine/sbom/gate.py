# SPDX-License-Identifier: BSD-3-Clause
"""Refuses what is in an artifact without a declared component or a known licence.

It is asked about the unpacked sources, of what is certain before anything is compiled, and about the record of what was
linked. Each fault is a line that names the folder or file and the evidence, and one on what to do; all that
are found are reported at once.
"""

import fnmatch
import os
import re

from engine import failure
from engine.folders import PROJECT
from engine.sbom import stated_licences
from engine.sbom.bill import declared_library
from engine.sbom.components import below

PLATFORM_HEADERS = PROJECT / "packaging/sbom/platform_headers.txt"
NESTED_FOLDERS = {"third_party", "third-party", "thirdparty", "3rdparty", "external", "extern", "vendor", "deps"}
PLATFORM_LIBRARY = re.compile(
    r"^(lib(c|m|dl|rt|pthread|util|resolv|gcc|gcc_s|gcc_eh|stdc\+\+|c_nonshared|clang_rt\.builtins(-\w+)?)|ld-linux.*)"
    r"\.(a|so)(\.[0-9]+)*$"
)


def judged(package, faults):
    """(what, remedy, "error" or "warning") of the faults of a package: warnings where a folder of the builder's is in it."""
    kind = "warning" if package and package.own else "error"
    return [(what, remedy, kind) for what, remedy in faults]


def tell(faults, known=()):
    """Tells each fault once, as a line on what is wrong and one on what to do, but for warnings that are known; warnings come
    first. Returns the exit status: 3 if one is more than a warning."""
    for what, remedy, kind in sorted(dict.fromkeys(faults), key=lambda fault: fault[2], reverse=True):
        if kind == "error" or what not in known:
            failure.tell(what, remedy, kind)
    return 3 * any(kind == "error" for _, _, kind in faults)


def platform_headers():
    with open(PLATFORM_HEADERS, encoding="utf-8") as lines:
        patterns = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    return re.compile("|".join(fnmatch.translate(pattern) for pattern in patterns))


def nested_folder(path, root, licence_folders):
    """The innermost folder around a file that holds code of its own making, by its name or its licence file."""
    relative = path[len(root) + 1 :] if root else path
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
        return "%s goes into %s" % (path, package.record["files"][path])
    return "%s is shipped as %s" % (path, package.record["shipped"][path])


def check_package(package, ships_headers, declare_in):
    """Faults of a package's files, as (what, remedy)."""
    record = package.record
    remedy = "declare it under 'components' in %s (docs/licences.md says how)" % declare_in
    licence_folders = {stated_licences.licensed_folder(path) for path in record["licence_files"]}
    paths = sorted(set(record["files"]) | (set(record["shipped"]) if ships_headers else set()))
    found = {}
    for path in paths:
        owner, nested = package.owners(path)
        folder = nested_folder(package.original(path), owner.root, licence_folders)
        if folder and not any(below_declared(item, owner.root, folder) for item in nested):
            whole = os.path.join(owner.root, folder)
            what = "%s is in the libraries or headers of package %s, and no component declares it: %s"
            found.setdefault(whole, (what % (whole, package.name, evidence(package, path)), remedy))
            continue
        strange = check_statement(path, owner, nested, record["stated"].get(path, []), evidence(package, path))
        if strange:
            found[path] = (strange, remedy)
    return [found[path] for path in sorted(found)]


def check_statement(path, owner, nested, stated, why):
    """What is wrong when a file mentions a licence that none of its components has; otherwise None."""
    allowed = set()
    for item in [owner] + nested:
        allowed |= stated_licences.families_of(item.license) | set(item.mentions)
    strange = sorted(set(stated) - allowed)
    if not strange:
        return None
    item = (nested or [owner])[0]
    what = "%s mentions the licence %s, but its component %s is declared as %s: %s"
    return what % (path, ", ".join(strange), item.name, item.license or "without one", why)


def check_nested(component, tree, texts_folder, declare_in):
    """Faults of what the declaration of a nested component says about the files in a source tree."""
    files = tree.files(component)
    faults = []
    for pattern, paths in sorted(files.items()):
        if component.for_version and not paths:
            source = component.parent
            what = "component %s: %s has no %s, which is declared for %s %s"
            what %= (component.name, source.root or "the source", pattern, source.name, source.version)
            faults.append((what, "correct it in %s" % declare_in))
    paths = sorted({path for found in files.values() for path in found})
    if not paths:
        return faults
    absent = [path for path in licence_files(component) if not tree.has_licence_file(path, paths)]
    return faults + check_texts(component, absent, paths, tree.has_notice, texts_folder, declare_in)


def check_linked(component, texts_folder, declare_in):
    """Faults of a nested component's texts in the record of what was linked."""
    record = component.package.record
    paths = sorted({path for path, _ in component.linked + component.shipped})
    absent = [path for path in licence_files(component) if path not in record["licence_files"]]
    return check_texts(component, absent, paths, record["notices"].get, texts_folder, declare_in)


def licence_files(component):
    return [os.path.join(component.root, name) for name in component.license_files]


def check_texts(component, absent, paths, has_notice, texts_folder, declare_in):
    """Faults of a nested component's licence and texts: licence files that are absent, and none at all."""
    faults = check_licence(component, declare_in)
    for path in absent:
        what = "component %s: its licence file %s is not in the tree of package %s, beside its files or above"
        faults.append((what % (component.name, path, component.package.name), "correct it in %s" % declare_in))
    for name in component.texts:
        if not os.path.isfile(os.path.join(texts_folder, name + ".txt")):
            what = "component %s: there is no text %s.txt in %s" % (component.name, name, texts_folder)
            faults.append((what, "put the licence's text there as %s.txt" % name))
    if not component.license_files and not component.texts and not any(has_notice(path) for path in paths):
        what = "there is no licence text for %s: it names none, and none of its files says its licence (%s)"
        declare = "name its text under 'license_files' or 'texts' in %s" % declare_in
        faults.append((what % (component.name, paths[0]), declare))
    return faults


def check_named_files(component, view, declare_in):
    """Faults of the files that a nested component names one by one: those of a folder may not all go in."""
    faults = []
    for pattern, paths in sorted(view.files(component).items()):
        for path in paths if not pattern.endswith("/") else []:
            owner, nested = component.package.owners(path)
            what = check_statement(path, owner, nested, view.stated(path), "it is declared as %s's" % component.name)
            if what:
                faults.append((what, "correct the component, or declare another one, in %s" % declare_in))
    return faults


def check_source(component, texts):
    """Faults of a source that has no licence text of its own."""
    if texts:
        return []
    package, declared_in = component.package.name, component.package.declaration["declared_in"]
    if component.kind == "main":
        what = "package %s: its source has no licence file" % package
        remedy = "name it under LICENSE_FILES in " + declared_in
    else:
        what = "package %s: %s (source %s) has no licence file" % (package, component.root, component.name)
        remedy = "add a 'license_file' to the source's pin, or another candidate that carries its licence"
    if component.folder:
        remedy = "put its licence into the folder as LICENSE, or build the pinned source"
    return [(what, remedy)]


def below_declared(component, root, folder):
    """Whether the component was declared for this folder or one inside it, and not for a folder around it."""
    for pattern in component.files:
        if below(pattern.rstrip("/") + "/", folder) or pattern.startswith(folder + "/"):
            return True
    return False


def check_headers(package):
    """Headers of the machine that are not the platform's."""
    platform = platform_headers()
    # A module for one Python includes that one's headers; it runs in no other.
    python = "/python%s/" % package.declaration["python"] if package.declaration.get("python") else None
    remedy = "make a package of it, or keep it out of the build; packaging/sbom/platform_headers.txt has the platform's"
    faults = []
    for path in package.record["system"]:
        # Those for another processor are the same ones in a folder of their own.
        place = re.sub("^/usr/[^/]+-linux-gnu[^/]*/include/", "/usr/include/", path)
        if not platform.match(place) and not (python and python in path and "/include/" in path):
            what = "package %s includes %s, which belongs neither to a package nor to the platform" % (
                package.name,
                path,
            )
            faults.append((what, remedy))
    return faults


def check_libraries(package, bundled, bundled_file):
    """Libraries of the machine that are neither the platform's nor bundled."""
    remedy = "make a package of it, or declare it in %s when it is to be bundled" % bundled_file
    faults = []
    for path in package.record["libraries"]:
        name = os.path.basename(path)
        known = PLATFORM_LIBRARY.match(name) or declared_library(bundled, name)
        if not path.startswith("@PACKAGES@/") and not known:
            what = "package %s links %s, which belongs neither to a package nor to the platform" % (package.name, path)
            faults.append((what, remedy))
    return faults


def check_licence(component, declare_in):
    if component.license not in ("", "NONE", "NOASSERTION"):
        return []
    where = declare_in if component.kind == "nested" else "the pins (sources.json)"
    remedy = "read it from its files and write the SPDX expression as 'license' into %s" % where
    return [("the licence of %s is not known" % component.name, remedy)]
