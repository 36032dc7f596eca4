# SPDX-License-Identifier: BSD-3-Clause
"""The one error for people, and how a command ends with it."""

import functools
import sys


class Failure(Exception):
    """What is wrong, and what to do: a line each. `status`: how a command ends with it, if not as with others."""

    def __init__(self, what, remedy="", status=None):
        super().__init__(what, remedy)
        self.what, self.remedy, self.status = what, remedy, status

    def text(self, head="", between="\n  "):
        return head + self.what + (between + self.remedy if self.remedy else "")

    __str__ = text


# How the two lines begin: for CMake, which reads them from standard output (z_tsb_run_script), and for people.
LINES = {"between": "\n", "to": "stdout"}
INDENTED = {"head": "error: ", "between": "\n       "}
REMEDY = {"head": "error: ", "between": "\nremedy: "}


def ends(status, to="stderr", **form):
    """For a function main(): a Failure ends it with this status, after its lines."""

    def of(main):
        @functools.wraps(main)
        def told(*words):
            try:
                return main(*words)
            except Failure as failure:
                print(failure.text(**form), file=getattr(sys, to), flush=True)
                return failure.status or status

        return told

    return of
