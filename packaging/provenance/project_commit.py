# SPDX-License-Identifier: BSD-3-Clause
"""Prints the commit of this project's checkout and, after a ";", whether nothing in it differs from that commit: true or
false. Prints nothing without a checkout; one that is around an unpacked archive is somebody's own."""

import pathlib
import sys

PROJECT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(PROJECT / "cmake/sources"))

from local import state_of  # noqa: E402

commit, changes, _ = state_of(str(PROJECT))
if commit:
    print(commit, "false" if changes else "true", sep=";")
