# SPDX-License-Identifier: BSD-3-Clause
"""Lists of the files of a wheel, and what came and went between two of them."""

import csv
import os
import re
import zipfile
from collections import defaultdict

from upstream import Problem


def read_files(path):
    """The files in a wheel, in its RECORD, or in a list with a path a line; without what differs by version and Python."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as wheel:
            names = wheel.namelist()
    elif os.path.isfile(path):
        with open(path, newline="") as stream:
            names = [row[0] for row in csv.reader(stream) if row]
    else:
        raise Problem("there is no %s" % path, "name a wheel, its RECORD, or a list of files")
    return {
        re.sub(r"\.cpython-[\w-]+\.so$", ".so", re.sub(r"^torch-[^/]*\.dist-info/", "dist-info/", name))
        for name in names
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
