# SPDX-License-Identifier: BSD-3-Clause
"""One entry of the store: `<store>/<package>/<fingerprint>/` with the install tree, the licences and the manifest of a package,
and `files.json`, the SHA-256 of each of its files, which is written last.

An entry is made beside its place, on the disk before it is renamed, and verified each time it is taken. One that is not what
its list says is put aside, and the package is built again.
"""

import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import time

import tree
from run import locked, run_folder
from text import Failure, say

LIST, LOCK, PARTS = "files.json", "runs.lock", ("install", "licenses", "manifest.json")


def describe(folder):
    """What the files of the parts are: a link by its target, a file by its hash and whether it can be run."""
    paths = []
    for part in PARTS:
        top = os.path.join(folder, part)
        if os.path.isfile(top) or os.path.islink(top):
            paths.append(part)
            continue
        for place, folders, files in os.walk(top):
            links = [name for name in folders if os.path.islink(os.path.join(place, name))]
            paths += [os.path.relpath(os.path.join(place, name), folder) for name in files + links]

    def describe_file(path):
        place = os.path.join(folder, path)
        if os.path.islink(place):
            return {"link": os.readlink(place)}
        if not os.path.isfile(place):  # a pipe would never end
            return {}
        return {"sha256": tree.digest_of(place), "executable": os.access(place, os.X_OK)}

    return dict(zip(paths, tree.on_all_cores(describe_file, paths)))


def fault_of(folder):
    """Why the folder is not what its list says; empty when it is."""
    try:
        with open(os.path.join(folder, LIST), encoding="utf-8") as file:
            expected = dict(json.load(file)["files"])
    except FileNotFoundError:
        return f"it has no {LIST}"
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return f"its {LIST} cannot be read"
    actual = describe(folder)
    for path in sorted(expected.keys() | actual.keys()):
        if path not in actual:
            return f"{path} is missing"
        if path not in expected:
            return f"{path} was added"
        if actual[path] != expected[path]:
            return f"{path} has changed"
    return ""


def put_aside(entry, fault):
    aside = f"{entry}.damaged-{time.strftime('%Y%m%d-%H%M%S')}"
    os.rename(entry, aside)
    say(f"store: {entry} is damaged: {fault}\n  It was moved aside to {aside}; the package is built again.")


def copy(source, target):
    """Copies files, links and folders as they are. Error: why not."""
    done = subprocess.run(
        ["cp", "-a", "--reflink=auto", source, target], stderr=subprocess.PIPE, text=True, errors="replace"
    )
    if done.returncode:
        said = done.stderr.partition("\n")[0]
        raise Failure(f"cannot copy {source} to {target}: {said}")


def restore(entry, package):
    """Takes the entry into a package's folder; whether it was there and whole."""
    if not os.path.isdir(entry):
        return False
    taken = os.path.join(package, "restoring")
    shutil.rmtree(taken, ignore_errors=True)
    try:
        # What is in the entry, also where that is a link. The copy is verified, since that is what is used.
        copy(os.path.join(entry, "."), taken)
        fault = fault_of(taken)
        if fault:
            put_aside(entry, fault)
            return False
        for part in PARTS:
            place = os.path.join(package, part)
            if os.path.isdir(place):
                shutil.rmtree(place)
            if os.path.exists(os.path.join(taken, part)):
                os.replace(os.path.join(taken, part), place)
    except Failure:
        if os.path.isdir(entry):
            raise
        return False  # it was removed meanwhile
    finally:
        shutil.rmtree(taken, ignore_errors=True)
    with contextlib.suppress(OSError):  # another user's, or on a disk that is only read
        os.utime(os.path.join(entry, LIST))  # when it was used last
    return True


def remove(entry):
    """Under a name that nobody takes, and that the next prune or save removes when this one is killed."""
    above, name = os.path.split(entry)
    with locked(os.path.join(above, LOCK)):
        if os.path.isdir(entry):  # else another prune has just removed it
            gone = tempfile.mkdtemp(prefix=name + ".partial-", dir=above)
            os.rename(entry, gone)
            shutil.rmtree(gone)


def to_disk(folder):
    """Writes what the kernel still holds of the folder's file system. All at once: a commit for each of ten thousand files
    takes minutes."""
    subprocess.run(["sync", "--file-system", folder], check=True)


def save(entry, package):
    """Makes the entry of a package's folder. Error: why not; nothing half-made stays."""
    if os.path.exists(os.path.join(entry, LIST)):
        return
    above, name = os.path.split(entry)
    try:
        with run_folder(above, ".partial-", name) as partial:
            for part in PARTS:
                if os.path.exists(os.path.join(package, part)):
                    copy(os.path.join(package, part), os.path.join(partial, part))
            files = describe(partial)
            with open(os.path.join(partial, LIST), "w", encoding="utf-8") as file:
                json.dump({"schema": 1, "files": files}, file, indent=0, sort_keys=True)
            os.chmod(partial, 0o755)
            to_disk(partial)
            with locked(os.path.join(above, LOCK)):
                if os.path.isdir(entry) and not os.path.exists(os.path.join(entry, LIST)):
                    put_aside(entry, f"it has no {LIST}")
                if not os.path.isdir(entry):  # else another build has just stored the same package
                    os.remove(os.path.join(partial, "alive"))
                    os.rename(partial, entry)
            to_disk(above)
    except OSError as error:
        raise Failure(f"cannot write {entry}: {error.strerror}") from None
