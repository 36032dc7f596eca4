# SPDX-License-Identifier: BSD-3-Clause
"""The store of built packages:

    python3 engine store list | verify | prune [--days <n>] [--gigabytes <n>] [--dry-run]
    python3 engine store restore | save --entry <folder> --package <folder>      (run_phases.cmake)
    python3 engine store ask                                                     (the doctor)

The store is --store, else TSB_STORE (relative to the project's folder), else ~/.cache/torch-superbuild/store. For list
and prune, --store can also be a remote store (remote.py): its folder, or s3://bucket/prefix. restore, save and ask use
the remote store that TSB_STORE_REMOTE names.
Exit status: 0 success, 1 verify found a damaged entry, 3 an error, 10 restore found no entry, 128 + the signal's number
after an interrupt.
"""

import argparse
import contextlib
import os
import pathlib
import re
import time

from engine.failure import Failure
from engine.folders import PROJECT, cache_folder
from engine.sources.run import locked, remove_dead_runs
from engine.store import entry, remote
from engine.text import counted, size_text

NOT_THERE = 10


def unnamed_store():
    return str(cache_folder() / "store")


def default_store():
    named = os.environ.get("TSB_STORE")
    return os.path.join(PROJECT, os.path.expanduser(named)) if named else unnamed_store()


def size_of(folder):
    return sum(os.lstat(os.path.join(place, name)).st_size for place, _, files in os.walk(folder) for name in files)


def packages(store):
    """The packages' folders: those with the lock file that `save` creates. Other files do not belong to the store."""
    try:
        names = sorted(os.listdir(store))
    except FileNotFoundError:
        if store != unnamed_store():
            raise Failure(f"there is no store {store}\n  correct --store or TSB_STORE") from None
        print(f"there is no store {store} yet")
        names = []
    folders = [os.path.join(store, name) for name in names]
    return [folder for folder in folders if os.path.isfile(os.path.join(folder, entry.LOCK))]


def entries(folders):
    """(folder, size in bytes, time of last use) of each entry, including damaged ones that were moved aside."""
    found = []
    for folder in folders:
        for name in os.listdir(folder):
            place = os.path.join(folder, name)
            if os.path.isdir(place) and not os.path.islink(place) and re.fullmatch(entry.NAME, name):
                listed = os.path.join(place, entry.LIST)
                with contextlib.suppress(FileNotFoundError):  # another process removed it
                    used = os.stat(listed if os.path.exists(listed) else place).st_mtime
                    found.append((place, size_of(place), used))
    return found


def archives(store):
    """The same for the archives in the folder of a remote store."""
    found = []
    for place in pathlib.Path(store).glob(f"*/*{remote.SUFFIX}*"):
        if re.fullmatch(remote.ARCHIVE, place.name):
            with contextlib.suppress(FileNotFoundError):
                status = place.lstat()
                found.append((str(place), status.st_size, max(status.st_atime, status.st_mtime)))
    return found


def items(store):
    """The same for any store, least recently used first; of one time, since S3 counts seconds, the largest first."""
    found = remote.Remote(store).archives() if "://" in store else entries(packages(store)) + archives(store)
    return sorted(found, key=lambda item: (item[2], -item[1]))


def is_waste(place, used):
    """Whether it was moved aside, or left by a killed upload."""
    name = os.path.basename(place)
    return ".damaged-" in name or ("#" in name and time.time() - used > 86400)


def remove(store, place):
    """Removes an entry or archive. False: a build is using it."""
    if "://" in store:
        return remote.Remote(store).remove(os.path.relpath(place, store))
    if os.path.isdir(place):
        return entry.remove(place)
    pathlib.Path(place).unlink(missing_ok=True)
    return True


def line_of(store, place, size, used):
    days = int((time.time() - used) / 86400)
    return f"{os.path.relpath(place, store)}  {size_text(size)}  used {counted(days, 'day')} ago"


def list_entries(arguments):
    found = items(arguments.store)
    for item in found:
        print(line_of(arguments.store, *item))
    count = counted(len(found), "entry", "entries")
    print(f"{count}, {size_text(sum(size for _, size, _ in found))}, in {arguments.store}")
    return 0


def verify(arguments):
    damaged = 0
    for place, _, _ in entries(packages(arguments.store)):
        fault = ""
        if not is_waste(place, 0):
            with contextlib.suppress(FileNotFoundError):
                fault = entry.fault_of(place, os.path.basename(place))
        if fault and os.path.isdir(place):  # else another process removed it
            damaged += 1
            print(f"{place} is damaged: {fault}")
    print(f"{damaged} entries are damaged" + (": they are built again when needed" if damaged else ""))
    return 1 if damaged else 0


def prune(arguments):
    """Removes entries unused for --days, then the least recently used ones until the rest is within --gigabytes."""
    found = items(arguments.store)
    total = sum(size for _, size, _ in found)
    for folder in [] if arguments.dry_run or "://" in arguments.store else packages(arguments.store):
        with locked(os.path.join(folder, entry.LOCK)):
            remove_dead_runs(folder, entry.PARTIAL)
    for place, size, used in found:
        old = arguments.days is not None and time.time() - used > arguments.days * 86400
        large = arguments.gigabytes is not None and total > arguments.gigabytes * 1e9
        if old or large or is_waste(place, used):
            line = line_of(arguments.store, place, size, used)
            if arguments.dry_run:
                print("would remove " + line)
            elif remove(arguments.store, place):
                print("removed " + line)
            else:
                print("in use: " + line)
                continue
            total -= size
    print(f"{size_text(total)} left in {arguments.store}")
    return 0


def restore(arguments):
    level = remote.configured()
    found = entry.restore(arguments.entry, arguments.package)
    if level and found:
        level.attempt("write", arguments.entry, level.fill)
    elif level:
        level.attempt("read", arguments.entry, level.fetch)
        found = entry.restore(arguments.entry, arguments.package)
    return 0 if found else NOT_THERE


def save(arguments):
    entry.save(arguments.entry, arguments.package)
    level = remote.configured()
    if level:
        level.attempt("write", arguments.entry, level.replace)
    return 0


def ask(_):
    level = remote.configured()
    print(f"remote store: {level.answer()}" if level else "remote store: not used, since TSB_OFFLINE is set")
    return 0


def amount(text):
    value = float(text)
    if not 0 <= value < float("inf"):
        raise ValueError
    return value


def parse():
    parser = argparse.ArgumentParser(prog="engine store", description="The store of built packages.")
    parser.add_argument("--store", default=default_store(), help="the store; default: %(default)s")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="list the entries, least recently used first").set_defaults(run=list_entries)
    commands.add_parser("verify", help="check the hash of every file").set_defaults(run=verify)
    command = commands.add_parser("prune", help="remove old entries, and damaged ones that were moved aside")
    command.add_argument("--days", type=amount, help="remove entries unused for this many days")
    command.add_argument("--gigabytes", type=amount, help="remove the least recently used until this much is left")
    command.add_argument("--dry-run", action="store_true", help="print what would be removed, remove nothing")
    command.set_defaults(run=prune)
    for name, run in (("restore", restore), ("save", save)):
        command = commands.add_parser(name, help=f"{name} an entry (for the build)")
        command.add_argument("--entry", required=True)
        command.add_argument("--package", required=True)
        command.set_defaults(run=run)
    commands.add_parser("ask", help="check that the remote store answers (for the doctor)").set_defaults(run=ask)
    return parser.parse_args()


def main():
    arguments = parse()
    try:
        return arguments.run(arguments)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Failure(entry.explained(f"cannot use {error.filename or arguments.store}: {error.strerror}")) from None
