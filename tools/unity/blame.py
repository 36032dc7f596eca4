# SPDX-License-Identifier: BSD-3-Clause
"""Which source of a group that does not compile as one unit has to leave, by the compiler's messages."""

import os
import re

ERROR = re.compile(r"^(/[^:\s]+):\d+:(?:\d+:)? (?:fatal )?error: (.*)$")
NOTE = re.compile(r"^(/[^:\s]+):\d+:(?:\d+:)? note: ")
PLACE = re.compile(r"(/[^:,\s]+\.(?:cpp|cc))")


def blame(errors, members):
    """[(member, partners, message)] out of the compiler's messages, in their order."""
    known, found, mentioned = set(members), [], []
    for line in errors.splitlines():
        error, note = ERROR.match(line), NOTE.match(line)
        if error:
            owner = error.group(1) if error.group(1) in known else next(reversed(mentioned), None)
            if owner:
                found.append((owner, set(), error.group(2)))
            mentioned = []
        elif note:
            if found:
                partners = mentioned + [note.group(1)]
                found[-1][1].update(p for p in partners if p in known and p != found[-1][0])
            mentioned = []
        else:
            mentioned += [p for p in PLACE.findall(line) if p in known]
    return found


def culprit(blamed):
    """The member whose leaving ends most of the conflicts, and why it has to leave."""
    edges = {}
    for owner, partners, _ in blamed:
        edges.setdefault(owner, set()).update(partners or {owner})
        for partner in partners:
            edges.setdefault(partner, set()).add(owner)
    order = [owner for owner, _, _ in blamed]
    best = max(edges, key=lambda m: (len(edges[m]), m in order, -order.index(m) if m in order else 0))
    for owner, partners, message in blamed:
        if best == owner or best in partners:
            other = owner if best != owner else next(iter(sorted(partners)), "")
            return best, message + (f" (with {os.path.basename(other)})" if other else "")
    return best, ""
