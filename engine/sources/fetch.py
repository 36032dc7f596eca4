# SPDX-License-Identifier: BSD-3-Clause
"""Brings every source of a request into the cache, verified, several at once, and says what is missing, all of it at once.

    python3 engine sources.fetch <request> <file for the result> [--offline]

request.py describes the request. Exit status 4: a required source is missing; the result says which.
"""

import concurrent.futures
import contextlib
import json
import os
import threading
import time

from engine.failure import Failure, is_full
from engine.model.record import write_record
from engine.partial_file import write_text
from engine.sources.local import hole_in
from engine.sources.report import report
from engine.sources.request import members, read_request
from engine.sources.run import Run, run_folder
from engine.sources.source import fetch_source
from engine.sources.transfer import trust
from engine.sources.try_patches import check
from engine.text import say, size_text

WORKERS = 4


class Workers:
    """Fetches sources, several at once. `count`: how many there are in all."""

    def __init__(self, run, pins, count):
        self.run, self.pins, self.count = run, pins, count
        self.lock, self.done, self.active, self.passed, self.origins = threading.Lock(), 0, [], {}, {}
        self.full = ""  # what could not be written

    def fetch(self, name):
        self.active.append(name)
        self.show()
        origin, passed, begin = "", [], time.monotonic()
        try:
            entry, origin, passed = fetch_source(self.run, name, self.pins["sources"][name])
        except OSError as error:
            if is_full(str(error)):  # a feature would be off that nobody chose to switch off
                self.full = f"{error.filename or self.run.cache}: {error.strerror or error}"
            entry = {"status": "missing", "reason": f"{error.filename or self.run.cache}: {error.strerror or error}"}
        with self.lock:
            self.active.remove(name)
            self.done += 1
            if origin:
                took = f"{size_text(entry['size'])}, {time.monotonic() - begin:.0f} s"
                say(f"fetch: {self.done} of {self.count}: {name} {entry['version']} from {origin}, {took}")
                self.origins[name] = {"from": origin, "passed": passed}
            for reason in passed:
                self.passed.setdefault(reason, []).append(name)
            self.show()
        return entry

    def show(self):
        at_work = f": {', '.join(self.active)}" if self.active else ""
        share = min(self.done / self.count, 0.999)
        say(f"tsb_progress: {share:.3f} fetch sources, {self.done} of {self.count}{at_work}")

    def fetch_all(self, names):
        """The entries of these sources."""
        pool = concurrent.futures.ThreadPoolExecutor(WORKERS)  # without `with`: an interrupt would wait for it
        futures = {name: pool.submit(self.fetch, name) for name in names}
        concurrent.futures.wait(futures.values())
        pool.shutdown()
        return {name: future.result() for name, future in futures.items()}


def included(pin, tree_name, tree, member):
    """The entry of a submodule whose place a tree has, from the tree's own entry; None when it has to be fetched."""
    # What a release brings is what it pins, and that is the first candidate. For a folder's git has to say so.
    first = pin["candidates"][0] if pin["candidates"] else {}
    version, commit = first.get("version", ""), first.get("commit", "")
    entry = {"in": tree_name}
    told = tree.get("submodules", {}).get(member)
    if told is not None:
        checkout = empty = told.get("checkout", "")
        hole = hole_in(pin, os.path.join(tree["archive"], told["path"])) if "path" in told else ""
        if hole in pin.get("holds", ()):
            reason = f"{tree['archive']} has a hole: there is no {told['path']}/{hole}"
            return {"in": tree_name, "status": "missing", "reason": reason}
        if hole:
            checkout, empty = told["path"], f"{told['path']}/{hole}"
        if checkout:
            reason = f"the submodule {empty} of {tree['archive']} is empty"
            return {"in": tree_name, "status": "missing", "checkout": checkout, "reason": reason}
        if not told["commit"] or told["commit"] != commit:
            version = ""
        commit = told["commit"]
    elif not tree.get("complete"):
        return None
    entry.update(status="included", version=version, commit=commit, license=pin.get("license", ""))
    if commit and commit == first.get("commit"):
        entry["candidate"] = first
    # Where its licence lies when its place is only a part of its repository.
    entry.update({name: first[name] for name in ("subdir", "license_file") if first.get(name)})
    return entry


MISSING = 4  # after Failure's 3, and what Python itself ends with


def write_package_sources(request_file, packages, result):
    """packages/<package>/sources.json beside the request's folder: the entries of each package's sources. A submodule of a tree
    that is complete by itself has none."""
    for name, sources in packages.items():
        place = os.path.join(
            os.path.dirname(os.path.dirname(os.path.abspath(request_file))), "packages", name, "sources.json"
        )
        write_record(place, {source: result[source] for source in sources if source in result}, "sources")


def keep_origins(folder, origins):
    """Where each source came from when it was not in the cache yet, and why not from the providers before: for the report."""
    file, known = os.path.join(folder, "origins.json"), {}
    if origins:
        with contextlib.suppress(OSError, ValueError), open(file, encoding="utf-8") as stream:
            known = json.load(stream)
        write_text(file, json.dumps(known | origins, indent=1, sort_keys=True) + "\n")


def main(request_file, result_file, *options):
    request, pins, names = read_request(request_file)
    request["offline"] = request.get("offline", False) or "--offline" in options
    begin = time.monotonic()
    trust()
    with run_folder(request["work"], "fetch-") as folder:
        run = Run(request, folder)
        workers = Workers(run, pins, len(names))
        # First everything but the submodules that a tree may bring itself, then what such a tree turned out to lack, and what
        # the user has a folder of instead of the tree's.
        below = {name: [member["name"] for member in members(pins, name)] for name in names}
        first = [name for name in names if not any(name in submodules for submodules in below.values())]
        result = workers.fetch_all(first)
        second = []
        for name in first:
            for member in below[name]:
                entry = included(pins["sources"][member], name, result[name], member)
                if entry and member not in run.local:
                    result[member] = entry
                    workers.done += 1
                else:
                    second.append(member)
        result.update(workers.fetch_all(second))
    for reason, passed in workers.passed.items():  # once, and not for each of thirty sources
        say(f"fetch: not from {reason} ({', '.join(sorted(passed))})")
    keep_origins(request["work"], workers.origins)
    if workers.full:
        raise Failure(f"fetch: {workers.full}", "free some space, or set TSB_SOURCES to another folder")
    write_text(result_file, json.dumps({"sources": result}, indent=1, sort_keys=True) + "\n")
    if report(request, pins, result, time.monotonic() - begin):
        return MISSING
    write_package_sources(request_file, request.get("packages", {}), result)
    check(request, pins, names)
