# SPDX-License-Identifier: BSD-3-Clause
"""One entry of the store: `<store>/<package>/<fingerprint>/` with the install tree, the licences and the manifest of a package,
and `files.json`, the SHA-256 of each of its files and its empty folders, which is written last. The manifest names the fingerprint.

An entry is made beside its place, on the disk before it is renamed, and verified each time it is taken. One that is not what
its list says is put aside, and the package is built again.
"""

import contextlib
import errno
import fcntl
import json
import os
import secrets
import shutil
import subprocess
import tempfile
import time

import tree
from run import locked, run_folder
from text import Failure, say

LIST, LOCK, MANIFEST = "files.json", "runs.lock", "manifest.json"
PARTS = ("install", "licenses", MANIFEST)
# What the store names its folders: an entry, also one that was put aside; and one that is being made or removed.
NAME = r"[0-9a-f]{64}(\.damaged-[0-9a-f-]+)?"
PARTIAL = NAME + r"\.partial-"


NO_RIGHT = (errno.EACCES, errno.EPERM, errno.EROFS)


def explained(text):
    """The text, with what to do."""
    if any(os.strerror(number) in text for number in NO_RIGHT):
        return f"{text}\n  give yourself the right to do that, or set TSB_STORE to another folder"
    return f"{text}\n  free some disk space, or set TSB_STORE to a folder that has it and can be written"


def describe(folder):
    """What the parts have: files, a link by its target, others by their hash and whether they can be run; and empty folders."""
    paths, empty = [], {}
    for part in PARTS:
        top = os.path.join(folder, part)
        if os.path.isfile(top) or os.path.islink(top):
            paths.append(part)
            continue
        for place, folders, files in os.walk(top):
            links = [name for name in folders if os.path.islink(os.path.join(place, name))]
            paths += [os.path.relpath(os.path.join(place, name), folder) for name in files + links]
            if not folders and not files:
                empty[os.path.relpath(place, folder)] = {"folder": True}

    def describe_file(path):
        place = os.path.join(folder, path)
        if os.path.islink(place):
            return {"link": os.readlink(place)}
        if not os.path.isfile(place):  # a pipe would never end
            return {}
        return {"sha256": tree.digest_of(place), "executable": os.access(place, os.X_OK)}

    return dict(zip(paths, tree.on_all_cores(describe_file, paths))), empty


def fingerprint_of(folder):
    """That which the manifest names, if any."""
    try:
        with open(os.path.join(folder, MANIFEST), encoding="utf-8") as file:
            return json.load(file)["fingerprint"]
    except (OSError, ValueError, KeyError, TypeError):
        return None


def fault_of(folder, fingerprint):
    """Why the folder is not what its list says, or not the entry of this fingerprint; empty when it is."""
    place = os.path.join(folder, LIST)
    if not os.path.lexists(place):
        return f"it has no {LIST}"
    if not os.path.isfile(place):
        return f"its {LIST} is not a file"
    try:
        with open(place, encoding="utf-8") as file:
            listed = json.load(file)
        expected = {**listed["files"], **listed["folders"]}
    except PermissionError:
        raise
    except (OSError, ValueError, KeyError, TypeError):
        return f"its {LIST} cannot be read"
    actual, empty = describe(folder)
    actual.update(empty)
    for path in sorted(expected.keys() | actual.keys()):
        if path not in actual:
            return f"{path} is missing"
        if path not in expected:
            return f"{path} was added"
        if actual[path] != expected[path]:
            return f"{path} has changed"
    return "" if fingerprint_of(folder) == fingerprint else f"its {MANIFEST} does not name its fingerprint"


def put_aside(entry):
    """When it is damaged, and why. Under its lock: another build may just have put it aside and stored it anew."""
    fault = fault_of(entry, os.path.basename(entry)) if os.path.isdir(entry) else ""
    if fault:
        aside = f"{entry}.damaged-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(4)}"
        os.rename(entry, aside)
        say(f"store: {entry} is damaged: {fault}\n  It was moved aside to {aside}; the package is built again.")
    return fault


def set_modes(folder):
    """755 and 644: the list knows no others, and what is put on a stored file would be the build's, setuid as well."""
    for place, _, files in os.walk(folder):
        os.chmod(place, 0o755)
        for file in (os.path.join(place, name) for name in files):
            if not os.path.islink(file):
                os.chmod(file, 0o755 if os.access(file, os.X_OK) else 0o644)


def copy(source, target):
    """Copies files, links and folders as they are. Error: why not."""
    done = subprocess.run(
        ["cp", "-a", "--reflink=auto", source, target], stderr=subprocess.PIPE, text=True, errors="replace"
    )
    if done.returncode:
        said = done.stderr.partition("\n")[0]
        raise Failure(explained(f"cannot copy {source} to {target}: {said}"))


@contextlib.contextmanager
def in_use(entry, alone=False):
    """Keeps `remove`, which is `alone`, away from an entry. Errors: it is not there or may not be read; BlockingIOError:
    somebody uses it."""
    folder = os.open(entry, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(folder, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:  # a file system without locks, or without those of folders
            pass
        yield
    finally:
        os.close(folder)


def pass_over(entry, why):
    """Nobody has to repair a store to build: one line about it."""
    say(f"store: {entry} is not used: {why}; the package is built")


def restore(entry, package):
    """Takes the entry into a package's folder; whether it was there and whole. What this user may not read, or not repair, is
    passed over. Error: the package's folder cannot be written."""
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(in_use(entry))
        except PermissionError as error:
            pass_over(entry, error.strerror)
            return False
        except OSError:  # it is not there, or is being removed
            return False
        return take(entry, package)


def take(entry, package):
    """The part of restore() that copies."""
    taken = os.path.join(package, "restoring")
    shutil.rmtree(taken, ignore_errors=True)
    try:
        # What is in the entry, also where that is a link. The copy is verified, since that is what is used.
        copy(os.path.join(entry, "."), taken)
        fault = fault_of(taken, os.path.basename(entry))
        if fault:
            try:
                with locked(os.path.join(os.path.dirname(entry), LOCK)):
                    if not put_aside(entry):
                        pass_over(entry, f"it was not whole when it was copied: {fault}")
            except OSError as error:
                pass_over(entry, f"it is damaged ({fault}) and cannot be moved aside: {error.strerror}")
            return False
        set_modes(taken)
        for part in PARTS:
            place = os.path.join(package, part)
            if os.path.isdir(place):
                shutil.rmtree(place)
            if os.path.exists(os.path.join(taken, part)):
                os.replace(os.path.join(taken, part), place)
    except Failure as failure:
        if os.path.isdir(entry) and os.strerror(errno.EACCES) not in str(failure):
            raise
        if os.path.isdir(entry):  # else it was removed meanwhile
            pass_over(entry, str(failure).partition("\n")[0])
        return False
    finally:
        shutil.rmtree(taken, ignore_errors=True)
    with contextlib.suppress(OSError):  # another user's, or on a disk that is only read
        os.utime(os.path.join(entry, LIST))  # when it was used last
    return True


def remove(entry):
    """Under a name that nobody takes, and that the next prune or save removes when this one is killed. False: a build uses it."""
    above, name = os.path.split(entry)
    with locked(os.path.join(above, LOCK)), contextlib.suppress(FileNotFoundError):  # another prune has just removed it
        gone = tempfile.mkdtemp(prefix=name + ".partial-", dir=above)
        try:
            with in_use(entry, alone=True):
                os.rename(entry, gone)
        except BlockingIOError:
            return False
        finally:
            shutil.rmtree(gone)
    return True


def to_disk(folder):
    """Writes what the kernel still holds of the folder's file system. All at once: a commit for each of ten thousand files
    takes minutes."""
    subprocess.run(["sync", "--file-system", folder], check=True)


def place(made, entry):
    """Gives a whole entry its name, unless another build has just stored the same package."""
    above = os.path.dirname(entry)
    to_disk(made)
    with locked(os.path.join(above, LOCK)):
        if os.path.isdir(entry) and not os.path.exists(os.path.join(entry, LIST)):
            put_aside(entry)
        if not os.path.isdir(entry):
            os.rename(made, entry)
    to_disk(above)


def save(entry, package):
    """Makes the entry of a package's folder. Where this user may not write, one line says so: the package itself is built.
    Error: why else not, a full disk for one; nothing half-made stays."""
    if os.path.exists(os.path.join(entry, LIST)):
        return
    above, name = os.path.split(entry)
    try:
        with run_folder(above, name + ".partial-", PARTIAL) as partial:
            made = os.path.join(partial, "made")
            os.mkdir(made)
            for part in PARTS:
                if os.path.exists(os.path.join(package, part)):
                    copy(os.path.join(package, part), os.path.join(made, part))
            set_modes(made)
            files, folders = describe(made)
            with open(os.path.join(made, LIST), "w", encoding="utf-8") as file:
                json.dump({"schema": 1, "files": files, "folders": folders}, file, indent=0, sort_keys=True)
            place(made, entry)
    except OSError as error:
        text = explained(f"cannot write {entry}: {error.strerror}")
        if error.errno not in NO_RIGHT:
            raise Failure(text) from None
        say(f"store: {text}")
