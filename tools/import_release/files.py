# SPDX-License-Identifier: BSD-3-Clause
"""What an official wheel says: its files, compared with those of another, and what it requires."""

import csv
import glob
import os
import re
import zipfile
from collections import defaultdict

from engine.failure import Failure


def read_files(path):
    """The files in a wheel, in its RECORD, or in a list with a path a line; without what differs by version and Python."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as wheel:
            names = wheel.namelist()
    elif os.path.isfile(path):
        with open(path, newline="") as stream:
            names = [row[0] for row in csv.reader(stream) if row]
    else:
        raise Failure("there is no %s" % path, "name a wheel, its RECORD, or a list of files")
    return {
        re.sub(r"\.cpython-[\w-]+\.so$", ".so", re.sub(r"^torch-[^/]*\.dist-info/", "dist-info/", name))
        for name in names
        if not name.endswith("/")  # a folder
    }


def by_folder(names, shown=8):
    """A line for each file, or for each folder that has more of them than that."""
    folders = defaultdict(list)
    for name in names:
        folders[os.path.dirname(name)].append(name)
    for folder, files in sorted(folders.items()):
        if len(files) > shown:
            yield "%s/: %d files, such as %s" % (folder, len(files), os.path.basename(min(files)))
        else:
            yield from sorted(files)


def known_requirements(folder, pins):
    """What is pinned for the check of the release's wheel, a line for each: its files, those of its sources that are wheels,
    and what releases have in common."""
    names = (os.path.join(folder, "wheel_check", name) for name in ("requirements.txt", "libraries.txt"))
    common = glob.glob(os.path.join(os.path.dirname(__file__), "../../backends/*/wheel_check.txt"))
    text = ""
    for name in filter(os.path.isfile, [*names, *common]):
        with open(name, encoding="utf-8") as stream:
            text += stream.read().lower()
    for pin in pins["sources"].values():
        for one in pin["candidates"]:
            if "python-index" in one:
                text += "\n%s==%s" % (one["python-index"]["project"], one["version"])
    return text


def requirements_not_checked(wheel, folder, pins):
    """What the wheel requires and the check of the release's wheel does not have, by that version if there is only one."""
    if not zipfile.is_zipfile(wheel):
        return
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", name))
        text = archive.read(name).decode()
    known = known_requirements(folder, pins)
    for line in re.findall(r"^Requires-Dist: (.*)$", text, re.M):
        project, version = re.match(r"([\w.-]+)[^;]*?(==[^,;) ]+|)\)? *(?:;|$)", line).groups()
        pattern = r"^%s%s" % (re.escape(project.lower().replace("_", "-")), re.escape(version) or "[=]")
        if "extra ==" not in line and not re.search(pattern, known, re.M):
            yield line
