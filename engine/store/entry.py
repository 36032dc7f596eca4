# SPDX-License-Identifier: BSD-3-Clause
"""One entry of the store: `<store>/<package>/<fingerprint>/`, with a package's install tree, licences and manifest,
which contains the fingerprint. `files.json` lists the SHA-256 of each file, and the empty folders. It is written last.

An entry is created in a temporary folder beside its final place, flushed to disk, and renamed. It is verified on each
use. An entry that differs from its list is moved aside, and the package is built again.
"""

import contextlib
import fcntl
import json
import os
import secrets
import shutil
import subprocess
import tempfile
import time

from engine.failure import Failure, is_full
from engine.sources import tree
from engine.sources.run import READ_ONLY, locked, run_folder
from engine.text import say

LIST, LOCK, MANIFEST = "files.json", "runs.lock", "manifest.json"
PARTS = ("install", "licenses", MANIFEST)
# Folder names: an entry, possibly moved aside; an entry that is being created or removed.
NAME = r"[0-9a-f]{64}(\.damaged-[0-9a-f-]+)?"
PARTIAL = NAME + r"\.partial-"


def explained(text):
    """The message, with a remedy."""
    if any(os.strerror(number) in text for number in READ_ONLY):
        return f"{text}\n  give yourself permission, or set TSB_STORE to another folder"
    return f"{text}\n  free some disk space, or set TSB_STORE to a writable folder that has some"


def describe(folder):
    """({path: hash and executable bit, or a link's target}, {empty folders}) of all that is in an entry, as in
    files.json."""
    paths, empty = [], {}
    for part in sorted(set(os.listdir(folder)) - {LIST}):
        top = os.path.join(folder, part)
        if os.path.islink(top) or not os.path.isdir(top):
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
    """The fingerprint in the manifest, or None."""
    try:
        with open(os.path.join(folder, MANIFEST), encoding="utf-8") as file:
            return json.load(file)["fingerprint"]
    except (OSError, ValueError, KeyError, TypeError):
        return None


def fault_of(folder, fingerprint):
    """How the folder differs from its list or the fingerprint; empty if it does not."""
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
    """Moves the entry aside if it is damaged, and returns the fault. It is checked again here, under the caller's lock:
    another build may have replaced it."""
    fault = fault_of(entry, os.path.basename(entry)) if os.path.isdir(entry) else ""
    if fault:
        aside = f"{entry}.damaged-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(4)}"
        os.rename(entry, aside)
        say(f"store: {entry} is damaged: {fault}\n  It was moved aside to {aside}; the package is built again.")
    return fault


def set_modes(folder):
    """Sets modes to 755 and 644. The list has only the executable bit, so any other bit could be set, even setuid."""
    for place, _, files in os.walk(folder):
        os.chmod(place, 0o755)
        for file in (os.path.join(place, name) for name in files):
            if not os.path.islink(file):
                os.chmod(file, 0o755 if os.access(file, os.X_OK) else 0o644)


def copy(source, target):
    """Copies files, links and folders unchanged. Error: Failure."""
    done = subprocess.run(
        ["cp", "-a", "--reflink=auto", source, target], stderr=subprocess.PIPE, text=True, errors="replace"
    )
    if done.returncode:
        message = done.stderr.partition("\n")[0]
        raise Failure(explained(f"cannot copy {source} to {target}: {message}"))


@contextlib.contextmanager
def in_use(entry, alone=False):
    """Locks an entry: shared for reading, exclusive (`alone`) to remove it. Errors: OSError, if it is missing or not
    readable; BlockingIOError, if another process uses it."""
    folder = os.open(entry, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(folder, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:  # the file system has no locks, or none on folders
            pass
        yield
    finally:
        os.close(folder)


def pass_over(entry, why):
    """Warns in one line: a faulty store does not stop a build."""
    say(f"store: {entry} is not used: {why}; the package is built")


def restore(entry, package):
    """Copies the entry into a package's folder. False: it is missing, damaged or not readable. Error: Failure or
    OSError, if the package's folder cannot be written."""
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(in_use(entry))
        except PermissionError as error:
            pass_over(entry, error.strerror)
            return False
        except OSError:  # it is missing, or is being removed
            return False
        return take(entry, package)


def take(entry, package):
    """The part of restore() that needs the lock."""
    taken = os.path.join(package, "restoring")
    shutil.rmtree(taken, ignore_errors=True)
    try:
        # "." also copies from an entry that is a link. The copy is verified, not the entry, since the copy is used.
        copy(os.path.join(entry, "."), taken)
        fault = fault_of(taken, os.path.basename(entry))
        if fault:
            try:
                with locked(os.path.join(os.path.dirname(entry), LOCK)):
                    if not put_aside(entry):
                        pass_over(entry, f"the copy was incomplete: {fault}")
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
        what = failure.what.partition("\n")[0]
        if os.path.isdir(entry) and is_full(what):
            raise Failure(what, "free some disk space for the build folder") from None
        if os.path.isdir(entry):  # else another process removed it
            pass_over(entry, what)
        return False
    finally:
        shutil.rmtree(taken, ignore_errors=True)
    with contextlib.suppress(OSError):  # another user's, or on a read-only disk
        os.utime(os.path.join(entry, LIST))  # the time of last use
    return True


def remove(entry):
    """Renames the entry, then deletes it. If this is killed, the next prune or save deletes it. False: it is in use."""
    above, name = os.path.split(entry)
    with locked(os.path.join(above, LOCK)), contextlib.suppress(FileNotFoundError):  # another prune has removed it
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
    """Flushes the folder's whole file system to disk. An fsync for each of ten thousand files takes minutes."""
    subprocess.run(["sync", "--file-system", folder], check=True)


def place(made, entry):
    """Renames a complete entry to its final name, unless another build has stored the same one."""
    above = os.path.dirname(entry)
    to_disk(made)
    with locked(os.path.join(above, LOCK)):
        if os.path.isdir(entry) and not os.path.exists(os.path.join(entry, LIST)):
            put_aside(entry)
        if not os.path.isdir(entry):
            os.rename(made, entry)
    to_disk(above)


def save(entry, package):
    """Stores a package's folder as an entry. Without write permission it only warns, since the package itself is built.
    Error: Failure, such as for a full disk. No incomplete entry is left."""
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
        if error.errno not in READ_ONLY:
            raise Failure(text) from None
        say(f"store: {text}")
