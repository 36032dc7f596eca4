# SPDX-License-Identifier: BSD-3-Clause
"""Completes a folder for site-packages to a wheel: WHEEL, RECORD, and what the file is called.

    finish_wheel.py --root SITE_PACKAGES --python cp311 --machine x86_64 [--build 1large]
                    --result JSON

The rest of *.dist-info is there. The result is {"file": "torch-...whl", "dist_info": "torch-9.9.0+cpu.dist-info"}.
Needs packaging, auditwheel, pyelftools.
"""

import argparse
import base64
import concurrent.futures
import csv
import hashlib
import io
import json
import pathlib
import re

from packaging.metadata import Metadata
from packaging.utils import canonicalize_name
from platform_tag import platform_tag

from engine.elf_needs import elf_needs, files_in
from engine.failure import Failure


def record_row(root, path):
    """Path, hash and size, as RECORD wants them."""
    content = pathlib.Path(root, path).read_bytes()
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return path, "sha256=" + digest, len(content)


def metadata_of(root):
    """The folder *.dist-info and its METADATA. Error: Failure."""
    folders = [path for path in root.glob("*.dist-info") if path.is_dir()]
    if len(folders) != 1 or not (folders[0] / "METADATA").is_file():
        raise Failure(
            "%s does not have exactly one *.dist-info with METADATA" % root,
            "see the log of the Python layer's stage phase",
        )
    metadata = Metadata.from_email((folders[0] / "METADATA").read_bytes())
    stem = "%s-%s" % (canonicalize_name(metadata.name).replace("-", "_"), metadata.version)
    if folders[0].name != stem + ".dist-info":
        text = "%s has another name than METADATA says" % folders[0].name
        raise Failure(text, "name it %s.dist-info" % stem)
    return folders[0].name, stem, metadata


def check_files(root, paths, elves, python):
    """Error: Failure for what a wheel cannot have."""
    for path in paths:
        if (root / path).is_symlink():
            raise Failure("%s is a symlink, and wheels have none" % (root / path), "put the file itself in its place")
    for file in elves:
        other = re.search(r"\.cpython-(\d+)", file.path)
        if other and "cp" + other[1] != python:
            raise Failure("%s is not for %s" % (file.path, python), "build it with that Python")


def finish(root, python, machine, build):
    """Writes WHEEL and RECORD; returns the name of the wheel, and that of *.dist-info. Error: Failure."""
    info, stem, metadata = metadata_of(root)
    written = [info + "/WHEEL", info + "/RECORD"]
    paths = [path for path in files_in(root) if path not in written]
    paths.sort(key=lambda path: path.startswith(info + "/"))  # at the end, where tools that read only this look first
    elves = elf_needs(root)
    check_files(root, paths, elves, python)
    projects = [canonicalize_name(requirement.name) for requirement in metadata.requires_dist or []]
    platform, reason = platform_tag(elves, projects, machine)
    print("platform %s: %s" % (platform, reason))

    tag = "%s-%s-%s" % (python, python, platform)
    pure = str(platform == "any").lower()
    text = "Wheel-Version: 1.0\nGenerator: torch-superbuild\nRoot-Is-Purelib: %s\nTag: %s\n" % (pure, tag)
    (root / info / "WHEEL").write_text(text + ("Build: %s\n" % build if build else ""), encoding="utf-8")
    with concurrent.futures.ThreadPoolExecutor() as pool:
        rows = list(pool.map(lambda path: record_row(root, path), [*paths, written[0]]))
    record = io.StringIO()
    csv.writer(record, lineterminator="\n").writerows([*rows, (written[1], "", "")])
    (root / info / "RECORD").write_text(record.getvalue(), encoding="utf-8")
    file = "-".join(part for part in (stem, build, tag) if part) + ".whl"
    return file, info


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", required=True, type=pathlib.Path)
    parser.add_argument("--python", required=True)
    parser.add_argument("--machine", required=True)
    parser.add_argument("--build", default="")
    parser.add_argument("--result", required=True, type=pathlib.Path)
    options = parser.parse_args()
    file, info = finish(options.root, options.python, options.machine, options.build)
    options.result.write_text(json.dumps({"file": file, "dist_info": info}) + "\n", encoding="utf-8")
