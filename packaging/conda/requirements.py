# SPDX-License-Identifier: BSD-3-Clause
"""Prints what a package depends on, in conda's words, one a line: its Requires-Dist that hold for a Python.

    requirements.py METADATA PYTHON

Needs packaging. Exits with 1 for a requirement that conda cannot express (a URL).
"""

import pathlib
import sys

from packaging.metadata import Metadata
from packaging.utils import canonicalize_name

# Where conda-forge has another name than the Python package index.
CONDA_NAMES = {"typing-extensions": "typing_extensions"}


def main(metadata, python):
    machine = {"python_version": python, "python_full_version": python + ".0", "extra": ""}
    for requirement in Metadata.from_email(pathlib.Path(metadata).read_bytes()).requires_dist or []:
        if requirement.marker and not requirement.marker.evaluate(machine):
            continue
        if requirement.url:
            print("%s: a conda package cannot depend on a URL" % requirement, file=sys.stderr)
            return 1
        name = canonicalize_name(requirement.name)
        print(("%s %s" % (CONDA_NAMES.get(name, name), requirement.specifier)).strip())
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
