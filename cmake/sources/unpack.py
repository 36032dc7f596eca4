# SPDX-License-Identifier: BSD-3-Clause
"""Unpacks one source of a fetch to a folder, which it replaces. The work is done in a folder beside it that is renamed at the
end, so the destination is either what it was before or the whole source.

What is unpacked is verified in the same step, out of the same open file: what was verified when it was fetched may have
changed since. A git pack's objects are named by their hashes; files of a user's folder are hashed while they are copied.

What the entry says is followed: `strip` leading folders are taken off, only `subdir` is taken, `into` names the folder below
the destination that it goes to, and `license_file`, which is outside `subdir`, becomes `LICENSE`.
"""

import contextlib
import os
import shutil

import cache
import git
import tree
from archive import Target, unpack_archive
from text import Failure


def verified(path, sha256):
    """The open file. One that is not what fetch verified is put aside, so that fetch brings it again."""
    again = "\n  Run the same command again: it is fetched again."
    try:
        file = open(path, "rb")
    except FileNotFoundError:
        raise Failure(f"{path} is gone since it was fetched{again}") from None
    actual = tree.digest(file)
    if actual != sha256:
        file.close()
        cache.put_aside(path)
        aside = f"\n  It was moved aside to {path}.wrong"
        raise Failure(f"{path} changed since it was fetched: sha256 expected {sha256}, got {actual}{aside}{again}")
    return file


def unpack_pack(path, commit, folder):
    repository = folder + ".git"
    try:
        with open(path, "rb") as file:
            git.open_pack(file, repository)
        git.write_tree(repository, commit, folder, Target(folder, os.path.getsize(path)))
    except (git.GitError, FileNotFoundError) as error:
        with contextlib.suppress(FileNotFoundError):
            os.remove(path + ".ok")  # fetch is to look at it again
        raise Failure(
            f"the commit {commit} cannot be written: {error}\n  Run the same command again: it is verified again."
        ) from None


def copy_file(top, name, to, keep_link):
    """The line (tree.py) of the file that was copied, which says its mode as well."""
    origin = os.path.join(top, name)
    os.makedirs(os.path.dirname(to), exist_ok=True)
    if keep_link(origin):
        os.symlink(os.readlink(origin), to)
        return tree.line_of(top, name)
    with open(to, "xb") as file:
        line = tree.line_of(top, name, file)
        os.fchmod(file.fileno(), 0o755 if tree.is_executable(line) else 0o644)
    return line


def copy_folder(folder, sums, files, to):
    """Copies the files of a folder that fetch hashed, and nothing else: what is of git stays where it is, and whatever else
    writes into the folder meanwhile does no harm. Links become the files that they lead to, except those to another file of an
    installed copy (`files`), as libraries have them. A file that is not what it was is an error."""
    top = os.fsencode(folder)
    taken = {os.path.join(top, os.fsencode(file)) for file in files}
    remedy = "\n  Let nothing write into it, and run the same command again."

    def keep_link(path):
        to = os.readlink(path) if os.path.islink(path) else b"/"
        return not os.path.isabs(to) and os.path.join(os.path.dirname(path), to) in taken

    def copy(entry):
        name, line = entry
        try:
            copied = copy_file(top, name, os.path.join(os.fsencode(to), name), keep_link)
        except OSError as error:
            raise Failure(f"{folder} cannot be copied: {os.fsdecode(name)}: {error.strerror}{remedy}") from None
        if copied != line:
            raise Failure(f"{folder} changed since it was fetched: {os.fsdecode(name)}{remedy}")

    tree.on_all_cores(copy, tree.read_sums(sums))


def strip_folders(folder, strip, path):
    """Goes down through folders that are alone at their level, as many as the pin says."""
    for _ in range(strip):
        content = os.listdir(folder)
        below = os.path.join(folder, content[0]) if len(content) == 1 else ""
        if not os.path.isdir(below) or os.path.islink(below):
            raise Failure(f'{path} does not have everything in one folder, but its pin has "strip": {strip}')
        folder = below
    return folder


def unpack_content(source, folder):
    """Makes the folder with all that the source has."""
    path, kind = source["archive"], source.get("kind", "")
    if kind == "folder":
        copy_folder(path, source["list"], source.get("files", []), folder)
    elif kind == "git-pack":
        unpack_pack(path, source["commit"], folder)
    elif kind in ("archive", "wheel", "deb"):
        with verified(path, source.get("sha256")) as file:
            try:
                unpack_archive(file, kind, folder)
            except Failure as failure:
                raise Failure(f"{path} cannot be unpacked: {failure}") from None
    else:
        raise Failure(f"{path} is of unknown kind ('{kind}')")


def choose(source, folder, work):
    """The folder with what the entry takes of the content."""
    path = source["archive"]
    content = os.path.join(os.path.realpath(folder), "")
    root = folder = strip_folders(folder, source.get("strip", 0), path)

    def place_of(name, is_there, otherwise):
        place = os.path.realpath(os.path.join(root, name))
        if not is_there(place) or not place.startswith(content):  # a link may lead anywhere
            raise Failure(f"{path} has no {otherwise}")
        return place

    if source.get("subdir"):
        folder = place_of(source["subdir"], os.path.isdir, f"folder '{source['subdir']}'")
    license_file = source.get("license_file")
    licence = os.path.join(work, "LICENSE")
    if license_file:
        named = f"file '{license_file}', which its pin names as its licence"
        shutil.copyfile(place_of(license_file, os.path.isfile, named), licence)
    if source.get("into"):
        placed = os.path.join(work, "placed", source["into"])
        os.makedirs(os.path.dirname(placed), exist_ok=True)
        os.rename(folder, placed)
        folder = os.path.join(work, "placed")
    if license_file:
        try:
            os.rename(licence, os.path.join(folder, "LICENSE"))
        except IsADirectoryError:
            raise Failure(f"{path} has a folder LICENSE, where {named}, belongs") from None
    return folder


def check_links(folder, path):
    """Error: a link leads out of what is taken of the source. Only its text counts, so that this holds wherever the folder is
    moved to and whatever other sources are placed in it: nothing absolute, no `..` behind a name, and no more of them than
    there are folders above the link."""
    for place, folders, files in os.walk(folder):
        below = os.path.relpath(place, folder)
        depth = 0 if below == os.curdir else below.count(os.sep) + 1
        for name in filter(lambda name: os.path.islink(os.path.join(place, name)), folders + files):
            to = os.readlink(os.path.join(place, name))
            parts = [part for part in to.split("/") if part not in ("", ".")]
            up = parts.count("..")
            if os.path.isabs(to) or up > depth or ".." in parts[up:]:
                link = os.path.normpath(os.path.join(below, name))
                raise Failure(f"{path} cannot be unpacked: its link {link!r} to {to!r} may lead out of its folder")


def unpack_source(source, destination):
    """Error: the source cannot be unpacked; the destination is what it was before."""
    if source.get("status") != "ok" or not source.get("archive"):
        said = f"(status '{source.get('status', '')}', '{source.get('archive', '')}')"
        raise Failure(f"there is nothing to unpack {said}: run the target fetch")
    work, replaced = destination + ".unpacking", destination + ".replaced"
    for folder in (work, replaced):
        shutil.rmtree(folder, ignore_errors=True)
    content = os.path.join(work, "content")
    os.makedirs(content)
    try:
        unpack_content(source, content)
        folder = choose(source, content, work)
        check_links(folder, source["archive"])
        # The old tree goes away by a rename, since a removal can be interrupted half-way.
        if os.path.lexists(destination):
            os.rename(destination, replaced)
        os.rename(folder, destination)
    finally:
        for folder in (work, replaced):
            shutil.rmtree(folder, ignore_errors=True)
