# SPDX-License-Identifier: BSD-3-Clause
"""Compares the files of the installed torch with those of the official wheel that it was made of:

    python compare_files.py <RECORD of the official wheel>

Others are ours: *.dist-info, the CMake package, and the compiler's libraries: auditwheel may have changed the name of the
OpenMP runtime, and there may be a libgfortran that nothing needs, and that needs a libquadmath which is not there. Prints
how many are the official wheel's; exits with 1 when one is missing, and names it."""

import csv
import importlib.metadata
import re
import sys

OTHERS = re.compile(r"torch-[^/]*[.]dist-info/|torch/share/cmake/|torch/lib/lib(gomp|gfortran)[^/]*[.]so[.][0-9]+$")
ours = {file.as_posix() for file in importlib.metadata.files("torch")}
with open(sys.argv[1], encoding="utf-8", newline="") as file:
    official = {row[0] for row in csv.reader(file) if row and not OTHERS.match(row[0])}
missing = sorted(official - ours)
print(f"all {len(official)} of the official wheel, except for its CMake package, metadata and the compiler's libraries")
for name in missing:
    print(f"FAIL {name} of the official wheel is missing")
sys.exit(1 if missing else 0)
