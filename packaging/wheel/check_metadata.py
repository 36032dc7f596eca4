# SPDX-License-Identifier: BSD-3-Clause
"""Exits with 1 if a package index or pip would refuse a wheel's METADATA, and names each field that is wrong.

    check_metadata.py DIST_INFO

Needs packaging.
"""

import email
import pathlib
import sys

from packaging.metadata import ExceptionGroup, Metadata


def problems(dist_info):
    text = (dist_info / "METADATA").read_bytes()
    # Python reads the rest of such a header as the description.
    if email.message_from_bytes(text).defects:
        return ["a line of the header has no field"]
    try:
        metadata = Metadata.from_email(text)
    except ExceptionGroup as group:
        return ["%s: %s" % (problem.field, problem) for problem in group.exceptions]
    licenses = dist_info / "licenses"
    return [
        "license-file: %s is missing" % (licenses / file)
        for file in metadata.license_files or []
        if not (licenses / file).is_file()
    ]


def main():
    dist_info = pathlib.Path(sys.argv[1])
    found = problems(dist_info)
    for problem in found:
        print("%s: %s" % (dist_info / "METADATA", problem), file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
