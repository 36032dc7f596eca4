# SPDX-License-Identifier: BSD-3-Clause
"""Puts the files of an artifact that has passed its checks into dist/, which is the user's: only a file of the same name is
replaced there, by a rename, when all of the new ones are on that disk.

deliver.py <folder with the files> <dist> <report> <file>... writes a report, JSON, that has of each packed file `file`, `state`
(new, replaced, same) and, of one that was replaced, `differs`: what differs from the statement that lay beside it,
[{"input", "was", "now"}], or null without one; summary.py prints it. A debug zip of the last run goes with the file that is
replaced, when this run has none (TSB_DEBUG_INFO=none): it is of other libraries. <file>.checks.json gets how many of its checks `passed`,
what was `not_run` of them, and why.
"""

import contextlib
import filecmp
import json
import pathlib

from consumer_results import rows

from engine.failure import Failure
from engine.partial_file import copied, write_text


def some(names):
    names = list(dict.fromkeys(names))
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def rows_of(work):
    """(verdict, name, what was found) of the checks of the file and of its use."""
    for row in json.loads((work / "check.json").read_text())["checks"]:
        yield {"pass": "ok"}.get(row["verdict"], "n/a"), row["name"], row["found"]
    yield from rows(work / "consumer/results.xml")


def passed(work):
    return sum(verdict == "ok" for verdict, _, _ in rows_of(work))


def not_run(work):
    """What could not be tried of the file's use, and why."""
    skipped = {}
    for verdict, name, why in rows(work / "consumer/results.xml"):
        if verdict == "skip":
            skipped.setdefault(why, []).append(name.partition(", ")[2])
    return [f"{some(steps)}: {why}" for why, steps in skipped.items()]


def inputs_of(statement):
    """{what: value} of all that a statement names; None without one."""
    try:
        build = json.loads(statement.read_text())["predicate"]["buildDefinition"]
        found = {**build["externalParameters"], **build["internalParameters"]}
        found.update((f"package {name}", key) for name, key in found.pop("fingerprints").items())
        found.update((f"{one['annotations']['kind']} {one['name']}", one) for one in build["resolvedDependencies"])
        return found
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def replaced(was, now):
    """What differs between two statements; None without one."""
    if was is None or now is None:
        return None
    names = sorted(name for name in {**was, **now} if was.get(name) != now.get(name))
    return [{"input": name, "was": was.get(name), "now": now.get(name)} for name in names]


def stale_debug_zips(report, found):
    """Those of the last run, if this one has replaced its file and has none."""
    last = {entry["file"] for entry in json.loads(report.read_text())} if report.exists() else set()
    if not last & {entry["file"] for entry in found if entry["state"] == "replaced"}:
        return []
    files = map(pathlib.Path, last - {entry["file"] for entry in found})
    return [file for file in files if file.name.startswith("debug-")]


def deliver(folder, dist, report, names):
    found, new = [], []
    for name in names:
        file, place, statement = folder / name, dist / name, f"{name}.intoto.json"
        state = "new" if not place.exists() else "same" if filecmp.cmp(file, place, shallow=False) else "replaced"
        new += [] if state == "same" else [name]
        if statement in names:
            found.append({"file": str(place), "state": state})
            if state == "replaced":
                found[-1]["differs"] = replaced(inputs_of(dist / statement), inputs_of(folder / statement))
    with contextlib.ExitStack() as files:
        for name in new:
            (dist / name).parent.mkdir(parents=True, exist_ok=True)
            files.enter_context(copied(folder / name, dist / name))
    for name in [name for name in new if name.endswith(".intoto.json")]:
        for old in (dist / name).parent.glob(f"{pathlib.Path(name).name}.*"):
            if str(old.relative_to(dist)) not in names:  # the signature of another statement would mislead
                old.unlink()
    for debug in stale_debug_zips(report, found):
        for file in debug, *debug.parent.glob(f"{debug.name}.intoto.json*"):
            file.unlink(missing_ok=True)
    checks = {"passed": passed(report.parent), "not_run": not_run(report.parent)}
    for entry in [entry for entry in found if not pathlib.Path(entry["file"]).name.startswith("debug-")]:
        write_text(f"{entry['file']}.checks.json", json.dumps(checks, indent=1) + "\n")
    write_text(report, json.dumps(found, indent=1) + "\n")


def main(folder, dist, report, *names):
    try:
        deliver(pathlib.Path(folder), pathlib.Path(dist), pathlib.Path(report), names)
    except OSError as error:
        what = f"{folder} has passed its checks, but cannot be put into {dist}: {error}"
        raise Failure(what, "free space there, or set TSB_DIST to a folder that can be written") from None
