# SPDX-License-Identifier: BSD-3-Clause
"""Writes beside each packed file of an artifact its provenance statement, <file>.intoto.json, and which known
vulnerabilities it has, <file>.openvex.json, and lets the command in TSB_SIGN sign both (docs/provenance.md).

    python3 make_statements.py --build-folder <folder> --artifact <name> --manifest <manifest.json>
                               [--commit <of the project> --clean true|false] [--advisories <advisories.json>]

Prints what it has made, one path a line; else what is wrong and what to do, with the exit status 1. Document and
signature are made in a folder of their own and only then moved into dist/. Python's standard library only, 3.9 or newer.
"""

import argparse
import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

PROJECT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(PROJECT / "packaging/sbom"), str(PROJECT / "cmake/sources")]

import vex  # noqa: E402
from advisories import read_advisories  # noqa: E402
from components import Fault  # noqa: E402
from partial_file import MARK, copy, run_interruptible  # noqa: E402
from run import take_lock  # noqa: E402
from statement import Build  # noqa: E402


def sign(path):
    """The files that the user's command leaves beside a document: its signature."""
    command = os.environ.get("TSB_SIGN")
    if not command:
        return []
    before = path.read_bytes()
    # The command may hold a secret: neither a message nor the shell's command line has it. What it prints is not one of our
    # paths.
    status = subprocess.run(["sh", "-c", 'eval "$TSB_SIGN \\"\\$1\\""', "sh", str(path)], stdout=sys.stderr)
    remedy = "see its message above and run the same command again, or unset TSB_SIGN to sign nothing"
    if status.returncode:
        raise Fault("the command in TSB_SIGN ended with %d for %s" % (status.returncode, path.name), remedy)
    if not path.is_file() or path.read_bytes() != before:
        raise Fault("the command in TSB_SIGN has changed %s" % path.name, "let it write a file beside it only")
    made = [file for file in sorted(path.parent.iterdir()) if file != path]
    name = re.compile(re.escape(path.name) + r"\.(?!partial-)[A-Za-z0-9._-]+")
    good = [file for file in made if name.fullmatch(file.name) and file.is_file() and file.stat().st_size]
    if not good or good != made:
        names = ", ".join(file.name for file in made) or "no file"
        remedy = "let it write files that are called %s.<suffix> and are not empty" % path.name
        raise Fault("the command in TSB_SIGN left no signature beside %s, but %s" % (path.name, names), remedy)
    return good


@contextlib.contextmanager
def alone_in(folder):
    """One run at a time: a document must not get the signature that another one made."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):  # some network file systems have no locks for folders
            take_lock(descriptor, "statement: another run is writing statements into %s" % folder)
        yield
    finally:
        os.close(descriptor)


def put(document, files, folder):
    """Moves a document and its signatures into the folder: where they are then."""
    places = [folder / file.name for file in files]
    with alone_in(folder):
        for old in folder.iterdir():  # a signature of another document would only mislead
            if old.name.startswith(document.name + ".") and MARK not in old.name:
                old.unlink()
        for file, place in zip(files, places):
            copy(file, place)
    return places


def documents(build, advisories, packed, sha256, options):
    """{suffix: what the document says}. Nobody runs the debug information, and OpenVEX has no empty document."""
    found = {".intoto.json": build.statement(packed.name, sha256, options.commit, options.clean == "true")}
    if advisories and advisories["advisories"] and packed.name != build.artifact.get("debug_file"):
        found[".openvex.json"] = vex.document(advisories, build.artifact, packed.name, sha256)
    return found


def make(packed, suffix, said, options):
    folder = pathlib.Path(options.build_folder, "statement")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    path = folder / (packed.name + suffix)
    path.write_text(json.dumps(said, indent=2, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
    return put(path, [path, *sign(path)], packed.parent)


def main():
    parser = argparse.ArgumentParser()
    for name in ("build-folder", "artifact", "manifest"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--commit", default="")
    parser.add_argument("--clean", default="")
    parser.add_argument("--advisories", default="")
    options = parser.parse_args()
    try:
        build = Build(options.build_folder, options.artifact, options.manifest)
        advisories, faults = read_advisories(options.advisories, build.artifact["version"])
        if faults:
            raise Fault(*faults[0])
        for file, sha256 in sorted(build.packed["outputs"].items()):
            packed = pathlib.Path(file)
            if packed.suffix == ".json":  # a bill of materials
                continue
            for suffix, said in documents(build, advisories, packed, sha256, options).items():
                for made in make(packed, suffix, said, options):
                    print(made)
    except Fault as fault:
        print("\n".join(fault.args))
        return 1
    except (KeyError, TypeError, AttributeError, UnicodeError) as error:
        print("the build folder's files are not those of this version: %r" % error)
        print("run the same command again; if that does not help, begin with an empty build folder")
        return 1
    except OSError as error:
        print("cannot write the statement: %s" % error)
        print("free space on the disk, or set TSB_DIST to a folder that can be written")
        return 1
    return 0


if __name__ == "__main__":
    run_interruptible(main)
