# SPDX-License-Identifier: BSD-3-Clause
"""The downloads that a command tried, as its log tells."""

import re

from text import lines_of, printable

# What the proxy writes into the log (network.py), and tsb_isolate_package.cmake too.
REFUSED = "refused a download: "

# After these words stands what was asked for.
WANTED = [
    (re.compile(pattern), label)
    for pattern, label in {
        REFUSED + "(.*)": "",
        "error: downloading '([^']*)": "",  # CMake's ExternalProject, as the next
        "Failed to clone repository: '([^']*)": "",
        "fatal: clone of '([^']*)": "",  # a submodule
        # No package finds a git that it does not declare.
        "could not find git for clone of (.*)": "a git repository for ",
        "No matching distribution found for (.*)": "",
        "Could not resolve host: (.*)": "",
    }.items()
]
GIT_NAMES_IT = re.compile("Failed to clone repository: '|fatal: clone of '")

# Said by programs that ask no proxy. What they ask for they do not say.
NO_NETWORK = re.compile(
    "Temporary failure in name resolution|Name or service not known|Network is unreachable"
    "|unable to resolve host address"
)
# git names no address when it may not use a protocol.
NOT_ALLOWED = re.compile("transport '([^']*)' not allowed")
CLONING = re.compile("Cloning into '([^']*)")
ANY = re.compile("|".join(pattern.pattern for pattern in [*dict(WANTED), NO_NETWORK, NOT_ALLOWED, CLONING]))


def git_request(line, before):
    match = NOT_ALLOWED.search(line)
    if not match:
        return ""
    folder = CLONING.match(before)
    return f"a git repository by {printable(match[1])}" + (f" for {printable(folder[1])}" if folder else "")


def request(line):
    for pattern, label in WANTED:
        match = pattern.search(line)
        if match:
            return label + printable(match[1].strip(" \t\n\v\f\r"))
    return printable(line.strip(" \t\n\v\f\r")) if NO_NETWORK.search(line) else ""


def downloads_in(pieces):
    """{what: line}, each once, in the order in which they were tried; `what` is a URL, a host, a requirement of pip's,
    else the log's own words. `pieces`: of a log, in whole lines."""
    downloads = {}
    by_git = {}  # until a line tells the address
    before = ""
    for line in (line for piece in pieces if ANY.search(piece) for line in lines_of(piece)):
        what = git_request(line, before)
        if what:
            by_git.setdefault(what, line)
        else:
            what = request(line)
            if what:
                downloads.setdefault(what, line)
                if GIT_NAMES_IT.search(line):
                    by_git.clear()
        before = line
    for what, line in by_git.items():
        downloads.setdefault(what, line)
    # The proxy sees the host only where the log, later, has the whole address.
    return {
        what: line for what, line in downloads.items() if not any(other.startswith(what + "/") for other in downloads)
    }
