# SPDX-License-Identifier: BSD-3-Clause
"""CTest's report (JUnit XML) on the tests in consumer_check/: also what could not run, each part of a test too, and why."""

import re
from xml.etree import ElementTree

SKIPPED = re.compile(r"skip (\S+): (.*)")


def results(file):
    """(test, whether it ended well, None if it could not run, what it has printed)."""
    for case in ElementTree.parse(file).iter("testcase"):
        skipped = any(one.get("message") == "SKIP_RETURN_CODE=77" for one in case)
        lines = [line for line in (case.findtext("system-out") or "").splitlines() if line.strip()]
        yield case.get("name"), None if skipped else case.get("status") == "run", lines


def rows(file):
    """(verdict, test, what was found)."""
    for name, good, lines in results(file):
        place = name.partition(", ")[0]
        for found in filter(None, map(SKIPPED.fullmatch, lines)):
            yield "skip", f"{place}, {found[1]}", found[2]
        yield {True: "ok", None: "skip"}.get(good, "FAIL"), name, "".join(lines[-1:])
