# SPDX-License-Identifier: BSD-3-Clause
"""Prints the last lines of a run: the file of each artifact, what its checks say, what it lacks, how to use it; the time.

summary.py <build folder> <artifact>... reads what the steps have left. The run began when the folder's lock was taken. Lines
that begin with "done: " or "warning: " have colours on a terminal. TSB_SHOW_CHECKS=ON also prints each row of the checks.
summary.py --not-run <build folder> <artifact>... prints what of their use could not be tried.
"""

import os
import pathlib
import shlex
import time

from deliver import not_run, passed, rows_of, some

from engine.artifact import Artifact
from engine.build_folder import BuildFolder, read_json
from engine.report import report
from engine.text import size_text


def files_of(folder, name, begun):
    """The file and its debug zip: `file`, and as `state` in words whether dist/ had one of this name before this run."""
    report = folder / f"check/{name}/dist.json"
    found = sorted(read_json(report), key=lambda entry: pathlib.Path(entry["file"]).name.startswith("debug-"))
    for entry in found:
        names = [one["input"] for one in entry.get("differs") or ()]
        words = f"replaces one that differs in {some(names)}" if names else "replaces one with other bytes"
        words = {"new": "new", "replaced": words}.get(entry["state"], "as it was")
        entry["state"] = words if report.stat().st_mtime >= begun else "as it was"
    return found


def use(record, file):
    """Lines for a shell; those of a libtorch, for the folder of a project that has find_package(Torch)."""
    word = shlex.quote(str(file))
    needed = f"{shlex.quote(str(file.parent))}/libtorch-*.conda " if record["tree"] == "wheel" else ""
    return {
        "wheel": [f"python{record.get('python')} -m pip install {word}"],
        "conda": [f"conda install {needed}{word}"],
        "libtorch": [f"unzip -q {word}", 'cmake -B build -D CMAKE_PREFIX_PATH="$PWD/libtorch"'],
    }[record["product"]]


def size_of(file):
    return size_text(os.path.getsize(file))


def summarize(folder, name, begun):
    artifact, work = Artifact(folder / f"artifacts/{name}.json"), folder / "check" / name
    if os.environ.get("TSB_SHOW_CHECKS", "").upper() in ("1", "ON", "TRUE", "YES", "Y"):
        print(*("-- {} {}: {}".format(*row) for row in rows_of(work)), sep="\n")
    main, *debug = files_of(folder, name, begun)
    file = pathlib.Path(main["file"])
    print(f"done: {file}, {size_of(file)}, {main['state']}; {passed(work)} checks passed")
    for line in not_run(work):
        print(f"warning: not run: {line}")
    for feature, off in sorted(artifact.features_off().items()):
        print(f"warning: without {feature}: {off['reason']}; to have it, {off['remedy']}")
    for entry in debug:
        print(f"    debug information: {entry['file']}, {size_of(entry['file'])}")
    print("    use it:", *use(artifact.record, file), sep="\n        ")


def main(folder, *names):
    if folder == "--not-run":
        for name in names[1:]:
            for line in not_run(pathlib.Path(names[0], "check", name)):
                print(f"    not run: {line}")
        return
    folder = pathlib.Path(folder)
    begun = (folder / ".lock").stat().st_mtime
    for name in names:
        summarize(folder, name, begun)
    left_out = BuildFolder(folder).settings.get("left_out")
    if left_out:
        remedy = "TSB_PYTHON_<digits> names one, TSB_PYTHONS those that are wanted"
        print(f"warning: nothing was made for Python {', '.join(left_out)}, which was not found: {remedy}")
    report.after_run(folder)
    minutes, seconds = divmod(round(time.time() - begun), 60)
    print(f"-- finished in {f'{minutes} min ' if minutes else ''}{seconds} s")
