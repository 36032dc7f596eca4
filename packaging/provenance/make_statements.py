# SPDX-License-Identifier: BSD-3-Clause
"""Writes the provenance statement of each packed file of an artifact beside it, <file>.intoto.json, and lets the command
in TSB_SIGN sign it (docs/provenance.md).

    python3 make_statements.py --build-folder <folder> --artifact <name> --manifest <manifest.json>
                               [--commit <of the project> --clean true|false]

Prints what it has made, one path a line; else what is wrong and what to do, with the exit status 1. Statement and
signature are made in a folder of their own and only then moved into dist/. Python's standard library only, 3.9 or newer.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

PROJECT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(PROJECT / "packaging/sbom"), str(PROJECT / "cmake/sources")]

from components import Fault  # noqa: E402
from statement import Build  # noqa: E402


def sign(path):
    """The files that the user's command leaves beside the statement: its signature."""
    command = os.environ.get("TSB_SIGN")
    if not command:
        return []
    before = path.read_bytes()
    # The command may hold a secret, so that no message repeats it. What it prints is not one of our paths.
    status = subprocess.run(["sh", "-c", command + ' "$1"', "sh", str(path)], stdout=sys.stderr)
    remedy = "see its message above and run the same command again, or unset TSB_SIGN to sign nothing"
    if status.returncode:
        raise Fault("the command in TSB_SIGN ended with %d for %s" % (status.returncode, path.name), remedy)
    if path.read_bytes() != before:
        raise Fault("the command in TSB_SIGN has changed %s" % path.name, "let it write a file beside it only")
    made = [file for file in sorted(path.parent.iterdir()) if file != path]
    good = [file for file in made if file.name.startswith(path.name + ".") and file.is_file() and file.stat().st_size]
    if not good or good != made:
        names = ", ".join(file.name for file in made) or "no file"
        remedy = "let it write files that are called %s.<suffix> and are not empty" % path.name
        raise Fault("the command in TSB_SIGN left no signature beside %s, but %s" % (path.name, names), remedy)
    return good


def put(file, place):
    """Under its name only when all of it is on the disk."""
    new = place.with_name(place.name + ".new")
    try:
        with open(new, "wb") as stream:
            stream.write(file.read_bytes())
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(new, place)
    except OSError:
        new.unlink(missing_ok=True)
        raise
    return place


def make(build, packed, sha256, options):
    folder = pathlib.Path(options.build_folder, "statement")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    path = folder / (packed.name + ".intoto.json")
    said = build.statement(packed.name, sha256, options.commit, options.clean == "true")
    path.write_text(json.dumps(said, indent=2, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
    made = [path, *sign(path)]
    for old in packed.parent.iterdir():  # a signature of another statement would only mislead
        if old.name.startswith(path.name + "."):
            old.unlink()
    return [put(file, packed.with_name(file.name)) for file in made]


def main():
    parser = argparse.ArgumentParser()
    for name in ("build-folder", "artifact", "manifest"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--commit", default="")
    parser.add_argument("--clean", default="")
    options = parser.parse_args()
    try:
        build = Build(options.build_folder, options.artifact, options.manifest)
        for file, sha256 in sorted(build.packed["outputs"].items()):
            if not file.endswith(".json"):
                for made in make(build, pathlib.Path(file), sha256, options):
                    print(made)
    except Fault as fault:
        print("\n".join(fault.args))
        return 1
    except OSError as error:
        print("cannot write the statement: %s" % error)
        print("free space on the disk, or set TSB_DIST to a folder that can be written")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
