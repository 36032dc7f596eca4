#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a Containerfile for each kind of machine (operations/containers/kinds.json), with the packages that the doctor
asks for (cmake/doctor/tools.txt, backends/<kind>/tools.txt).

    operations/containers/generate_containerfiles.py [--check]

--check changes nothing, and fails when a file differs.
"""

import argparse
import json
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
PROJECT = FOLDER.parents[1]
INSTALL = {
    "apt": "apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends",
    "dnf": "dnf -y install",
}
TOOLS = "cmake", "ctest", "cpack", "ninja", "patchelf"
CLEAN = {"apt": "rm -rf /var/lib/apt/lists/*", "dnf": "dnf clean all"}


def kinds():
    return json.loads((FOLDER / "kinds.json").read_text())["kinds"]


def packages(kind):
    """The packages in the doctor's lists, sorted."""
    lines = (PROJECT / "cmake/doctor/tools.txt").read_text().splitlines()
    for backend in sorted(PROJECT.glob("backends/*/tools.txt")):
        lines += [f"{backend.parent.name}|{line}" for line in backend.read_text().splitlines()]
    rows = [line.split("|") for line in lines if "#" not in line]
    names = {row[3 if kind.get("manager") == "dnf" else 2] for row in rows if row[0] in kind["needs"]} - {"-"}
    return sorted(name.replace("@version@", kind.get("python", "")) for name in names)


def text(kind):
    manager = kind.get("manager", "apt")
    steps = ([kind["before"]] if "before" in kind else []) + [f"{INSTALL[manager]}@", CLEAN[manager]]
    install = " && \\\n    ".join(steps).replace("@", "".join(f" \\\n      {name}" for name in packages(kind)))
    lines = [
        "# SPDX-License-Identifier: BSD-3-Clause",
        "# Made by operations/containers/generate_containerfiles.py from kinds.json and the doctor's and backends' tools.txt.",
        f"ARG BASE={kind['base']}",
        "FROM ${BASE}",
        f"RUN {install}",
    ]
    if "path" in kind:
        lines.append(f"ENV PATH={kind['path']}:$PATH")
    if kind.get("old_tools"):  # those of the distribution are too old
        pip = "/opt/tools/bin/python -m pip install --no-cache-dir --require-hashes --only-binary :all: --no-deps"
        steps = ["python3 -m venv /opt/tools", f"{pip} -r /opt/bootstrap_tools.txt"]
        # One by one, since that folder also has a python3.
        steps += ["ln -sf " + " ".join(f"/opt/tools/bin/{tool}" for tool in TOOLS) + " /usr/local/bin/"]
        lines += ["COPY tools/bootstrap_tools.txt /opt/", "RUN " + " && \\\n    ".join(steps)]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    files = {FOLDER / f"{kind['name']}.Containerfile": text(kind) for kind in kinds()}
    differing = [file for file, new in files.items() if not file.exists() or file.read_text() != new]
    differing += set(FOLDER.glob("*.Containerfile")) - set(files)
    if options.check:
        if differing:
            print("These files differ from what kinds.json and the doctor's lists give:", file=sys.stderr)
            print(", ".join(sorted(file.name for file in differing)), file=sys.stderr)
            print("Write them again: operations/containers/generate_containerfiles.py", file=sys.stderr)
        return bool(differing)
    for file in differing:
        file.write_text(files[file]) if file in files else file.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
