# SPDX-License-Identifier: BSD-3-Clause
"""Prints what a package depends on, in conda's words, one a line: its Requires-Dist that hold for this interpreter.

    requirements.py METADATA

Needs setuptools, for the module packaging inside it. Exits with 1 for a requirement that conda cannot express (a URL).
"""

import email
import sys

from setuptools._vendor.packaging.requirements import Requirement

# Where conda-forge has another name than the Python package index.
CONDA_NAMES = {"typing-extensions": "typing_extensions"}


def main():
    with open(sys.argv[1], encoding="utf-8") as stream:
        metadata = email.message_from_file(stream)
    for line in metadata.get_all("Requires-Dist") or []:
        requirement = Requirement(line)
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue
        if requirement.url:
            print("%s: a conda package cannot depend on a URL" % line, file=sys.stderr)
            return 1
        name = requirement.name.lower().replace("_", "-")
        print(("%s %s" % (CONDA_NAMES.get(name, name), requirement.specifier)).strip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
