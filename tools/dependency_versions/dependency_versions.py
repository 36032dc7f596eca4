#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/dependency-versions.md: for each release the version of each dependency that upstream uses, the one
pinned here, each with its source, and the newest in a conda channel if one was asked.

    tools/dependency_versions/dependency_versions.py             from the data; keeps the column of a channel
    tools/dependency_versions/dependency_versions.py --channel conda-forge --tools build/<preset>/python-tools
                                                                 asks the channel, a name or an address; the folder
                                                                 --tools has py-rattler
    tools/dependency_versions/dependency_versions.py --wheels    first asks pip for METADATA of the official wheels
    tools/dependency_versions/dependency_versions.py --check     changes nothing; fails if the file differs

--release 9.9.0 limits this to one release. Upstream's versions are in releases/<version>/upstream_versions.json:
requires_dist of the official wheel, which --wheels writes, and facts from the source tree, each with its file, added by
hand.
"""

import argparse
import asyncio
import json
import os
import pathlib
import re
import subprocess
import sys

if __loader__ and __name__ == "__main__":  # by Python alone: engine has no loader
    os.execv(sys.executable, [sys.executable, os.path.dirname(__file__) + "/../../engine", *sys.argv])

from engine.failure import Failure, run
from engine.folders import PROJECT
from engine.model.data import Data

# {name: (names among the pins, name in conda-forge)}
ROWS = {
    **{name: ([name], name) for name in ("libuv", "sleef", "numpy", "pyyaml", "six", "setuptools")},
    **{name: ([], name) for name in ("filelock", "fsspec", "jinja2", "networkx", "requests", "sympy", "triton")},
    "cuda": ([], "cuda-version"),
    "libabseil": ([], "libabseil"),
    "magma": (["magma"], "libmagma"),
    "mkl": (["mkl-static"], "mkl"),
    "nccl": (["nccl", "nvidia-nccl"], "nccl"),
    "protobuf": (["protobuf"], "libprotobuf"),
    "typing-extensions": (["typing-extensions"], "typing_extensions"),
}
HEAD = """# Versions of dependencies

The version of each dependency that upstream uses, and the one pinned here. A column for the newest version in a conda
channel is added when a channel is asked. Write the page again with:

```sh
tools/dependency_versions/dependency_versions.py        # --help lists options, such as --channel conda-forge
```

"upstream" comes from METADATA of the official wheel ("wheel"), a file in PyTorch's source tree, or `release.json`.
"here" comes from a file in `releases/<version>` or `backends/`. A – means that nothing pins the dependency or that its
version is unknown. Rows with no versions are left out, except for releases that are built from source here.
"""


def read(file):
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def ask_pip(version):
    """{"wheel", "requires_dist"} of the official wheel for Linux and the Python of tools/import_official, of which pip reads
    METADATA alone."""
    words = [f"--platform={tag}_x86_64" for tag in ("manylinux1", "manylinux_2_28")]
    words += ["--only-binary=:all:", "--python-version=3.12", "--target=none", "--no-deps", "--ignore-installed"]
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--dry-run",
        "--report=-",
        *words,
        f"torch=={version}",
    ]
    done = subprocess.run(command, stdout=subprocess.PIPE)
    if done.returncode:
        raise Failure(f"pip does not find METADATA of torch {version}\nsee its message above")
    (found,) = json.loads(done.stdout)["install"]
    required = [text for text in found["metadata"]["requires_dist"] if not re.search("extra *==", text)]
    return {"wheel": found["download_info"]["url"].rpartition("/")[2], "requires_dist": required}


def upstream_of(name, release, facts, pins):
    """(version, its source)."""
    if name in facts.get("tree", {}):
        return facts["tree"][name]
    if name == "cuda":
        versions = [version for kind in ("cuda", "official-cuda") for version in release["backends"].get(kind, ())]
        return "/".join(dict.fromkeys(versions)) or "–", "release.json"
    for text in facts.get("requires_dist", []):
        project = re.match(r"[A-Za-z0-9._-]+", text)[0]
        if re.sub(r"^nvidia-|-cu\d+$", "", re.sub(r"[._]", "-", project.lower())) == name:
            return text[len(project) :].partition(";")[0].strip(" ()") or "any", "wheel"
    for submodule in pins.get("pytorch", {}).get("submodules", []):  # pinned as in upstream's tree
        if submodule["name"] == name:
            return pins[name]["candidates"][0]["version"], submodule["path"]
    return "–", ""


def here_of(name, release, folder, pins):
    if name == "cuda":
        versions = release["backends"].get("cuda") or release["backends"].get("official-cuda") or []
        return "/".join(versions) or "–", "release.json"
    if name == "triton" and "triton" in release:
        return release["triton"], "release.json"
    for pin in ROWS[name][0]:
        if pin in pins:
            return pins[pin]["candidates"][0]["version"], f"sources.json: {pin}"
    for file in [*sorted(folder.glob("wheel_check/*.txt"), reverse=True), *Data().of_backends("wheel_check.txt")]:
        found = re.findall(rf"(?m)^{name}==([^ ]+)", file.read_text(encoding="utf-8"))
        if found:
            return "/".join(dict.fromkeys(found)), f"{file.parent.name}/{file.name}"
    return "–", ""


async def ask_channel(channel):
    """{name: the newest version}."""
    try:
        from rattler import Gateway
        from rattler.exceptions import GatewayError
    except ImportError:
        raise Failure("there is no py-rattler\nname a folder that has it with --tools") from None
    names = {conda: name for name, (_, conda) in ROWS.items()}
    try:
        found = await Gateway().query([channel], ["linux-64", "noarch"], list(names), recursive=False)
    except GatewayError as error:
        raise Failure(f"the channel cannot be read: {error}\nname another one with --channel") from None
    newest = {}
    for record in (record for records in found for record in records):
        name = names[record.name.normalized]
        if name not in newest or record.version > newest[name]:
            newest[name] = record.version
    return {name: str(newest.get(name, "–")) for name in ROWS}


def table(version, asked):
    """The lines about a release; those of which nothing is known are left out."""
    data = Data()
    folder = PROJECT / "releases" / version
    release, facts = data.release(version), read(folder / "upstream_versions.json")
    pins = data.merged(version, "sources.json").get("sources", {})
    yield from (f"\n## {version}\n", f"wheel: METADATA of `{facts.get('wheel', 'an unknown file')}`\n")
    conda = {name: answer for (one, name), answer in asked.items() if one == version}
    yield "| package | upstream | from | here | from |" + " conda |" * bool(conda)
    yield "|---|---|---|---|---|" + "---|" * bool(conda)
    for name in sorted(ROWS):
        cells = [*upstream_of(name, release, facts, pins), *here_of(name, release, folder, pins)]
        if cells[0] != "–" or cells[2] != "–" or data.merged(version, "options.json"):
            yield "| " + " | ".join([name, *cells, *([conda.get(name, "–")] if conda else [])]) + " |"


def said_before(text):
    """{(release, package): what the channel said}."""
    found, version = {}, ""
    for line in text.splitlines():
        version = line[3:] if line.startswith("## ") else version
        cells = line.strip("| ").split(" | ")
        if version and len(cells) == 6:
            found[version, cells[0]] = cells[5]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--release", action="append")
    parser.add_argument("--channel")
    parser.add_argument("--tools", default="")
    parser.add_argument("--wheels", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--output", type=pathlib.Path, default=PROJECT / "docs/dependency-versions.md")
    options = parser.parse_args()
    data = Data()
    releases = [name for name in data.names("releases") if (PROJECT / "releases" / name / "release.json").exists()]
    chosen = options.release or releases
    for version in chosen if options.wheels else ():
        file = PROJECT / "releases" / version / "upstream_versions.json"
        facts = read(file) | ask_pip(version)
        file.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    old = options.output.read_text(encoding="utf-8") if options.output.exists() else ""
    asked = said_before(old)
    if options.channel:
        sys.path.insert(0, os.path.abspath(options.tools))
        newest = asyncio.run(ask_channel(options.channel))
        asked |= {(version, name): newest[name] for version in chosen for name in ROWS}
    new = HEAD + "\n".join(line for version in releases for line in table(version, asked)) + "\n"
    if options.check and new != old:
        print(f"{options.output} is not what the data says: run tools/dependency_versions/dependency_versions.py")
        return 1
    if not options.check:
        options.output.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    status = run(main)
    sys.stdout.flush()
    os._exit(status)  # a thread of py-rattler may crash a Python that ends: packaging/consumer_check
