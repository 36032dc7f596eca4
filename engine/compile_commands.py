# SPDX-License-Identifier: BSD-3-Clause
"""Writes compile_commands.json, for editors: how the sources of packages are compiled, by what their Ninja says.

    python3 engine compile_commands <build folder> <package>...

A package out of the store was not compiled here, and has none.
"""

import json
import pathlib
import re
import subprocess

from engine.build_folder import BuildFolder
from engine.failure import Failure
from engine.partial_file import write_changed
from engine.text import counted, say

SOURCE = re.compile(r"\.(c|cc|cpp|cu|cxx|hip|m|mm|s|S)$")


def commands_of(ninja, folder):
    """The entries of one package. Error: Ninja says none."""
    run = subprocess.run(
        [ninja, "-C", folder, "-t", "compdb"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    if run.returncode:
        raise Failure(f"ninja cannot list the commands of {folder}: {run.stderr.strip()}", "build the package again")
    return [one for one in json.loads(run.stdout) if SOURCE.search(one["file"]) and re.search(" -c ", one["command"])]


def main(build_folder, *packages):
    build, found, missing = BuildFolder(build_folder), [], []
    for name in packages:
        folder = build.folder / "packages" / name / "build"
        if (folder / "build.ninja").is_file():
            found += commands_of(build.settings["ninja"], folder)
        elif build.package(name).declaration["build_system"] == "cmake":
            missing.append(name)
    file = pathlib.Path(build_folder, "compile_commands.json")
    write_changed(file, json.dumps(found, indent=1) + "\n")
    out = f"; not compiled here: {', '.join(missing)}" if missing else ""
    say(f"{file}: {counted(len(found), 'source')}{out}")
