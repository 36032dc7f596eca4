# SPDX-License-Identifier: BSD-3-Clause
"""The store of built packages:

    python3 cmake/store list | verify | prune [--days <n>] [--gigabytes <n>] [--dry-run]
    python3 cmake/store restore | save --entry <folder> --package <folder>      (run_phases.cmake)

The store is the folder --store, else TSB_STORE (relative to the project's folder), else ~/.cache/torch-superbuild/store.
Exit status 0: done. 1: verify found a damaged entry. 3: an error, which one message explains. 10: restore found no entry.
128 + a signal: interrupted by it.
"""

import argparse
import contextlib
import os
import pathlib
import re
import time

import entry
from run import locked, remove_dead_runs
from text import Failure, say, size_text

NOT_THERE = 10
PROJECT = pathlib.Path(__file__).resolve().parents[2]


def unnamed_store():
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(cache, "torch-superbuild/store")


def default_store():
    named = os.environ.get("TSB_STORE")
    return os.path.join(PROJECT, os.path.expanduser(named)) if named else unnamed_store()


def size_of(folder):
    return sum(os.lstat(os.path.join(place, name)).st_size for place, _, files in os.walk(folder) for name in files)


def packages(store):
    """The folders of packages: those with the lock that `save` made. Whatever else is there, and in them, is somebody else's."""
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
    """(folder, size, time of the last use) of each entry and of each that was put aside, the least recently used first."""
    found = []
    for folder in folders:
        for name in os.listdir(folder):
            place = os.path.join(folder, name)
            if os.path.isdir(place) and not os.path.islink(place) and re.fullmatch(entry.NAME, name):
                listed = os.path.join(place, entry.LIST)
                with contextlib.suppress(FileNotFoundError):  # it was removed meanwhile
                    used = os.stat(listed if os.path.exists(listed) else place).st_mtime
                    found.append((place, size_of(place), used))
    return sorted(found, key=lambda item: item[2])


def was_put_aside(place):
    return ".damaged-" in os.path.basename(place)


def line_of(store, place, size, used):
    days = int((time.time() - used) / 86400)
    return f"{os.path.relpath(place, store)}  {size_text(size)}  used {days} days ago"


def list_entries(arguments):
    found = entries(packages(arguments.store))
    for item in found:
        print(line_of(arguments.store, *item))
    print(f"{len(found)} entries, {size_text(sum(size for _, size, _ in found))}, in {arguments.store}")
    return 0


def verify(arguments):
    damaged = 0
    for place, _, _ in entries(packages(arguments.store)):
        fault = ""
        if not was_put_aside(place):
            with contextlib.suppress(FileNotFoundError):
                fault = entry.fault_of(place, os.path.basename(place))
        if fault and os.path.isdir(place):  # else it was removed meanwhile
            damaged += 1
            print(f"{place} is damaged: {fault}")
    print(f"{damaged} entries are damaged" + (": they are built again when they are needed" if damaged else ""))
    return 1 if damaged else 0


def prune(arguments):
    """What was not used for so many days, then the least recently used until the rest is small enough."""
    folders = packages(arguments.store)
    found = entries(folders)
    total = sum(size for _, size, _ in found)
    for folder in [] if arguments.dry_run else folders:
        with locked(os.path.join(folder, entry.LOCK)):
            remove_dead_runs(folder, entry.PARTIAL)
    for place, size, used in found:
        old = arguments.days is not None and time.time() - used > arguments.days * 86400
        large = arguments.gigabytes is not None and total > arguments.gigabytes * 1e9
        if old or large or was_put_aside(place):
            print(("would remove " if arguments.dry_run else "removed ") + line_of(arguments.store, place, size, used))
            total -= size
            if not arguments.dry_run:
                entry.remove(place)
    print(f"{size_text(total)} stay in {arguments.store}")
    return 0


def restore(arguments):
    return 0 if entry.restore(arguments.entry, arguments.package) else NOT_THERE


def save(arguments):
    entry.save(arguments.entry, arguments.package)
    return 0


def amount(text):
    value = float(text)
    if not 0 <= value < float("inf"):
        raise ValueError
    return value


def parse(words):
    parser = argparse.ArgumentParser(prog="cmake/store", description="The store of built packages.")
    parser.add_argument("--store", default=default_store(), help="its folder; default: %(default)s")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="show the entries, the least recently used first").set_defaults(run=list_entries)
    commands.add_parser("verify", help="compare every file with its hash").set_defaults(run=verify)
    command = commands.add_parser("prune", help="remove entries, and what was put aside because it was damaged")
    command.add_argument("--days", type=amount, help="those that were not used for so many days")
    command.add_argument("--gigabytes", type=amount, help="the least recently used, until the rest is not larger")
    command.add_argument("--dry-run", action="store_true", help="only say what would be removed")
    command.set_defaults(run=prune)
    for name, run in (("restore", restore), ("save", save)):
        command = commands.add_parser(name, help=f"{name} an entry (for the build)")
        command.add_argument("--entry", required=True)
        command.add_argument("--package", required=True)
        command.set_defaults(run=run)
    return parser.parse_args(words)


def main(words):
    arguments = parse(words)
    try:
        return arguments.run(arguments)
    except Failure as failure:
        say(str(failure))
        return 3
    except OSError as error:
        say(entry.explained(f"cannot use {error.filename or arguments.store}: {error.strerror}"))
        return 3
