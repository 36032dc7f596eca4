# SPDX-License-Identifier: BSD-3-Clause
"""Errors with their remedies, and text for the terminal."""

import errno
import os
import re

from engine.failure import Failure

ENVIRONMENT = 4
REMEDIES = {
    errno.ENOSPC: "free some disk space (or choose another folder) and run it again",
    errno.EDQUOT: "free some disk space (or choose another folder) and run it again",
    errno.EACCES: "give yourself the permission, or choose another folder",
}
# Colours, cursor movements, titles of windows; and what else moves the cursor.
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\r")


def system_failure(message, error):
    return Failure(f"{message}: {os.strerror(error.errno)}", REMEDIES.get(error.errno, ""), ENVIRONMENT)


def show(stream, text):
    """Writes to the terminal, or whatever is in its place. A build does not end because nobody can see it."""
    try:
        stream.write(text)
        stream.flush()
    except OSError:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), stream.fileno())


def plain(text):
    """A build's text without what a terminal would obey: escape sequences go, other control characters but the ends of
    lines and tabs, and bytes that are not UTF-8, become `\\x1b`."""
    return re.sub(
        r"[\x00-\x08\x0b-\x1f\x7f-\x9f\udc80-\udcff]", lambda c: f"\\x{ord(c[0]) & 0xFF:02x}", ESCAPES.sub("", text)
    )


def join_some(items, limit):
    """The first `limit` items, and how many more there are: "a, b, c and 5 more"."""
    more = f" and {len(items) - limit} more" if len(items) > limit else ""
    return ", ".join(items[:limit]) + more
