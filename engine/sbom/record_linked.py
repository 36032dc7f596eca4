# SPDX-License-Identifier: BSD-3-Clause
"""Writes down what of a package's source tree is in its libraries, for the licences and the bill of materials.

    python3 engine sbom.record_linked --source <dir> --build <dir> --install <dir> --ninja <ninja> --output <json>

It runs while the source and build folders are there; the record travels with the install tree through the store.
Paths in it are relative to the source folder, so that two builds in different folders write the same bytes:

  roots          the libraries it is about
  libraries      libraries of other packages (@PACKAGES@/...) and of the system that were linked into them
  files          {file: an object that it went into}; sources and headers
  shipped        {file: where it is installed}: headers of the source tree in the install tree
  system         headers from outside the package, the other packages and the source tree
  stated         {file: [licences that its text mentions]}
  notices        {file: the comments that do}
  licence_files  {file: text}: licence files in the folders of those files and above
  copies         {file: what it is a copy of}; only where a patch script has left .tsb-copies.json in the tree
"""

import argparse
import filecmp
import json
import os

from engine.failure import Failure
from engine.partial_file import write_text
from engine.sbom import linked_files, stated_licences
from engine.sbom.linked_files import inside


def linked_places(packages):
    """What links to and in the install trees lead to: a package such as cuda-toolkit is a view of files of the machine,
    and a compiler may name a header by its real path."""
    places = set()
    for name in sorted(os.listdir(packages)) if os.path.isdir(packages) else []:
        places.add(os.path.realpath(os.path.join(packages, name, "install")))
        for folder, folders, names in os.walk(os.path.join(packages, name, "install")):
            for entry in folders + names:
                path = os.path.join(folder, entry)
                if os.path.islink(path):
                    places.add(os.path.realpath(path))
    return places


def in_places(path, places):
    while path not in places and path != os.path.dirname(path):
        path = os.path.dirname(path)
    return path in places


def split_by_place(files, source, build, packages):
    """Sorts recorded files: of the source tree, and of the system. Generated ones belong to the package."""
    own, system, places = {}, [], linked_places(packages)
    for path in sorted(files):
        relative = inside(path, source)
        if relative is not None:
            # One file may have two names, each from other objects.
            own[relative] = min(files[path], own.get(relative, files[path]))
        elif inside(path, build) is None and inside(path, packages) is None and not in_places(path, places):
            system.append(path)
    return own, system


def find_shipped(source, install):
    """Installed headers that are a file of the source tree, byte for byte."""
    top = os.path.join(install, "include")
    installed = {}
    for folder, _, names in os.walk(top):
        for name in names:
            installed.setdefault(name, []).append(os.path.join(folder, name))
    shipped = {}
    for folder, folders, names in os.walk(source):
        folders.sort()
        for name in sorted(names):
            for path in installed.get(name, ()):
                origin = os.path.join(folder, name)
                if path not in shipped and filecmp.cmp(origin, path, shallow=False):
                    shipped[path] = origin
    return {os.path.relpath(origin, source): os.path.relpath(path, install) for path, origin in sorted(shipped.items())}


def find_licence_files(source, files):
    """The licence files beside the given files and in all folders above them."""
    folders = {""}
    for path in files:
        folder = os.path.dirname(path)
        while folder and folder not in folders:
            folders.add(folder)
            folder = os.path.dirname(folder)
    folders |= {os.path.join(folder, "LICENSES") for folder in folders}
    found = {}
    for folder in sorted(folder for folder in folders if os.path.isdir(os.path.join(source, folder))):
        for name in sorted(os.listdir(os.path.join(source, folder))):
            path = os.path.join(folder, name)
            whole = os.path.join(source, path)
            if stated_licences.is_licence_file(path) and os.path.isfile(whole):
                with open(whole, encoding="utf-8", errors="replace") as stream:
                    found[path] = stream.read()
    return found


def read_copies(source):
    """{file: what it is a copy of}: hipify's. A copy has the licence of its original."""
    path = os.path.join(source, ".tsb-copies.json")
    if not os.path.isfile(path):
        return {}
    with open(path, encoding="utf-8") as stream:
        return json.load(stream)


def describe(source, files):
    """What the given files say about their licences, and the licence files that lie with them or their originals."""
    spoken, notices = {}, {}
    copies = {path: original for path, original in read_copies(source).items() if path in files}
    for path in sorted(files):
        with open(os.path.join(source, path), "rb") as stream:
            data = stream.read()
        families = stated_licences.stated(data)
        if families:
            spoken[path] = sorted(families)
            notices[path] = stated_licences.comments(data)
    found = find_licence_files(source, files | set(copies.values()))
    record = {"stated": spoken, "notices": notices, "licence_files": found}
    return {**record, "copies": copies} if copies else record


def make_record(source, build, install, ninja):
    packages = os.path.dirname(os.path.dirname(install))
    statements = linked_files.read_build_statements(build)
    roots = linked_files.find_roots(statements, install)
    objects, external = linked_files.link_closure(statements, roots, build)
    files = linked_files.read_recorded_headers(build, ninja, objects, statements)
    own, system = split_by_place(files, source, build, packages)
    shipped = find_shipped(source, install)
    names = [(library, inside(library, packages)) for library in sorted(external)]
    libraries = ["@PACKAGES@/" + below if below else library for library, below in names]
    return {
        "schema": 2,
        "roots": roots,
        "libraries": libraries,
        "files": own,
        "shipped": shipped,
        "system": system,
        **describe(source, set(own) | set(shipped)),
    }


def main():
    parser = argparse.ArgumentParser()
    for name in ("source", "build", "install", "ninja", "output"):
        parser.add_argument("--" + name, required=True)
    options = parser.parse_args()
    folders = [os.path.normpath(os.path.abspath(getattr(options, name))) for name in ("source", "build", "install")]
    try:
        record = make_record(*folders, options.ninja)
    except OSError as error:
        raise Failure("cannot read what %s was built from: %s" % (options.build, error), "build it again") from None
    if not record["roots"] or not record["files"]:
        what = "%s has no record of what is in the libraries of %s" % tuple(folders[1:])
        raise Failure(what, "build it with Ninja")
    os.makedirs(os.path.dirname(os.path.abspath(options.output)), exist_ok=True)
    write_text(options.output, json.dumps(record, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
