# SPDX-License-Identifier: BSD-3-Clause
"""Unpacks one source of a fetch to a folder, which it replaces:

    python3 engine sources.unpack <result of fetch, or a package's sources.json> <source> <folder>

The work is done in a folder beside it that is renamed at the
end, so the destination is either what it was before or the whole source.

What is unpacked is what was verified, although its file may change meanwhile: an archive is hashed while it is copied, and
the copy is unpacked; a git pack's objects are named by their hashes; files of a user's folder are hashed while they are copied.

What the entry says is followed: `strip` leading folders are taken off, only `subdir` is taken, `into` names the folder below
the destination that it goes to, and `license_file`, which is outside `subdir`, becomes `LICENSE`.
"""

import contextlib
import os
import shutil

from engine.build_folder import read_json
from engine.failure import Failure
from engine.sources import cache, git, tree
from engine.sources.archive import unpack_archive

AGAIN = "\n  Run the same command again: it is fetched again."


def copy_verified(path, sha256, to):
    """A private copy of an archive. One that is not what fetch verified is put aside, so that fetch brings it again."""
    try:
        with open(path, "rb") as file, open(to, "wb") as copy:
            actual = tree.digest(file, copy)
    except OSError as error:
        raise Failure(f"{path} cannot be read: {error.strerror}{AGAIN}") from None
    if actual != sha256:
        cache.put_aside(path)
        aside = f"\n  It was moved aside to {path}.wrong"
        raise Failure(f"{path} changed since it was fetched: sha256 expected {sha256}, got {actual}{aside}{AGAIN}")


def unpack_pack(path, commit, folder):
    repository = folder + ".git"
    try:
        with open(path, "rb") as file:
            git.open_pack(file, repository)
        git.write_tree(repository, commit, folder)
    except (git.GitError, OSError) as error:
        with contextlib.suppress(OSError):
            os.remove(path + ".ok")  # fetch is to look at it again
        raise Failure(f"the commit {commit} cannot be written: {error}{AGAIN}") from None


def copy_folder(folder, sums, files, to):
    """Copies the files of a folder that fetch hashed, and nothing else. Links become the files that they lead to, except those to
    another file of an installed copy (`files`), as libraries do. A file that is not what it was is an error."""
    top, target = os.fsencode(folder), os.fsencode(to)
    taken = {os.path.join(top, os.fsencode(file)) for file in files}
    remedy = "\n  Let nothing write into it, and run the same command again."

    def copy(entry):
        name, line = entry
        origin, place = os.path.join(top, name), os.path.join(target, name)
        link = os.readlink(origin) if taken and os.path.islink(origin) else b"/"
        try:
            os.makedirs(os.path.dirname(place), exist_ok=True)
            if not os.path.isabs(link) and os.path.join(os.path.dirname(origin), link) in taken:
                os.symlink(link, place)
                copied = tree.line_of(top, name)
            else:
                with open(place, "xb") as file:
                    copied = tree.line_of(top, name, file)
                    os.fchmod(file.fileno(), 0o755 if tree.is_executable(copied) else 0o644)
        except OSError as error:
            raise Failure(f"{folder} cannot be copied: {os.fsdecode(name)}: {error.strerror}{remedy}") from None
        if copied != line:
            raise Failure(f"{folder} changed since it was fetched: {os.fsdecode(name)}{remedy}")

    tree.on_all_cores(copy, tree.read_sums(sums))


def unpack_content(source, folder, work):
    """Makes the folder with all that the source has."""
    path, kind = source["archive"], source.get("kind", "")
    if kind == "folder":
        copy_folder(path, source["list"], source.get("files", []), folder)
    elif kind == "git-pack":
        unpack_pack(path, source["commit"], folder)
    else:
        copy = os.path.join(work, "archive")
        copy_verified(path, source["sha256"], copy)
        try:
            unpack_archive(copy, kind, folder)
        except Failure as failure:
            raise Failure(f"{path} cannot be unpacked: {failure}") from None


def choose(source, folder, work):
    """The folder with what the entry takes of the content."""
    path = source["archive"]
    for _ in range(source.get("strip", 0)):
        content = os.listdir(folder)
        folder = os.path.join(folder, *content[:1])
        if len(content) != 1 or not os.path.isdir(folder):
            raise Failure(f'{path} does not have everything in one folder, but its pin has "strip": {source["strip"]}')
    root = folder
    if source.get("subdir"):
        folder = os.path.join(root, source["subdir"])
        if not os.path.isdir(folder):
            raise Failure(f"{path} has no folder '{source['subdir']}'")
    if source.get("license_file"):
        try:
            shutil.copyfile(os.path.join(root, source["license_file"]), os.path.join(work, "LICENSE"))
        except OSError:
            raise Failure(
                f"{path} has no file '{source['license_file']}', which its pin names as its licence"
            ) from None
    if source.get("into"):
        placed = os.path.join(work, "placed", source["into"])
        os.makedirs(os.path.dirname(placed), exist_ok=True)
        os.rename(os.path.realpath(folder), placed)
        folder = os.path.join(work, "placed")
    if source.get("license_file"):
        os.rename(os.path.join(work, "LICENSE"), os.path.join(folder, "LICENSE"))
    return os.path.realpath(folder)


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
        unpack_content(source, content, work)
        folder = choose(source, content, work)
        # The old tree goes away by a rename, since a removal can be interrupted half-way.
        if os.path.lexists(destination):
            os.rename(destination, replaced)
        os.rename(folder, destination)
    finally:
        for folder in (work, replaced):
            shutil.rmtree(folder, ignore_errors=True)


def main(file, name, destination):
    sources = read_json(file)
    sources = sources.get("sources", sources)
    if name not in sources:
        raise Failure(f"{file} has no source '{name}': run the target fetch")
    unpack_source(sources[name], os.path.abspath(destination))
