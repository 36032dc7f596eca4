# SPDX-License-Identifier: BSD-3-Clause
"""What is written for people: sizes, times, lists, and errors with their remedies."""

import errno
import os

BAD_INPUT, ENVIRONMENT = 3, 4

REMEDIES = {
    errno.ENOSPC: "free some disk space (or choose another folder) and run it again",
    errno.EDQUOT: "free some disk space (or choose another folder) and run it again",
    errno.EACCES: "give yourself the permission, or choose another folder",
    errno.EPERM: "give yourself the permission, or choose another folder",
    errno.EROFS: "the file system is read-only: choose another folder",
    errno.ENOENT: "check the path",
    errno.EMFILE: "raise the limit of open files (ulimit -n)",
    errno.ENFILE: "raise the limit of open files (ulimit -n)",
}


class Failure(Exception):
    """What a user has done wrong or what the machine lacks."""

    def __init__(self, exit_code, message, remedy=""):
        super().__init__(message)
        self.exit_code = exit_code
        self.remedy = remedy


def system_failure(message, error):
    return Failure(ENVIRONMENT, f"{message}: {os.strerror(error.errno)}", REMEDIES.get(error.errno, ""))


def show(stream, text):
    """Writes to the terminal, or whatever is in its place. A build does not end because nobody can see it."""
    try:
        stream.write(text)
        stream.flush()
    except OSError:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), stream.fileno())


def read_text(path):
    try:
        with open(path, "rb") as file:
            return file.read().decode("utf-8", "surrogateescape")
    except OSError as error:
        raise system_failure(f"{path} cannot be read", error) from error


def lines_of(text):
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def join_some(items, limit):
    """The first `limit` items, and how many more there are: "a, b, c and 5 more"."""
    more = f" and {len(items) - limit} more" if len(items) > limit else ""
    return ", ".join(items[:limit]) + more


def printable(text):
    """`text` for a terminal: control characters and bytes that are not UTF-8 become `\\x1b`."""
    return "".join(
        f"\\x{ord(c) & 0xFF:02x}" if c < " " or c == "\x7f" or "\udc80" <= c <= "\udcff" else c for c in text
    )


def human_size(size):
    """ "512 B", "3.1 MiB"."""
    if size < 1024:
        return f"{size} B"
    units = ["KiB", "MiB", "GiB", "TiB"]
    size /= 1024
    while size >= 1024 and len(units) > 1:
        size /= 1024
        units.pop(0)
    return f"{size:.1f} {units[0]}"


def human_time(seconds):
    """ "7s", "3m10s", "2h05m"."""
    total = int(max(seconds, 0) + 0.5)
    if total < 60:
        return f"{total}s"
    if total < 3600:
        return f"{total // 60}m{total % 60:02}s"
    return f"{total // 3600}h{total // 60 % 60:02}m"
