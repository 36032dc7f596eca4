# SPDX-License-Identifier: BSD-3-Clause
"""Two runs beside each other, of one preset or of two, on one machine or on two:

    python3 engine report.compare <report.json> <report.json>

The page is compare.html beside the second one. What is the same in both is left out."""

import contextlib
import json
import pathlib

from engine.failure import Failure
from engine.report import SCHEMA
from engine.report.page import Page, began, table
from engine.report.plan import TOTALS

MOST, REST = 40, "What else differs"  # rows of a table, except this one


def read(file):
    path = pathlib.Path(file)
    facts = None
    with contextlib.suppress(OSError, ValueError):
        facts = json.loads((path / "report.json" if path.is_dir() else path).read_text())
    if not isinstance(facts, dict) or facts.get("schema") != SCHEMA:
        remedy = "run `./bootstrap.sh report <preset>` first, which writes build/<preset>/runs/<number>/report.json"
        raise Failure(f"{file} has no report of a run, or one of another version", remedy, status=2)
    return facts


def parts_of(facts):
    """{title: {name: value}} of what may differ."""
    sizes = {f"{one['name']}/{path}": size for one in facts["artifacts"] for path, size in one["sizes"].items()}
    return {
        "Seconds of each step": {
            one["step"]: round(one["end"] - one["begin"], 1) for one in facts["steps"] if one["ran"]
        },
        "Seconds of each compile": {
            f"{of}: {what}": round(end - begin, 1) for of, what, begin, end in facts["compiles"]
        },
        "Bytes in the packed files": sizes,
        REST: {
            "preset": facts["preset"],
            "release": facts["release"],
            **facts["machine"],
            **{f"source {one['name']}": f"{one['version']} {one['status']}" for one in facts["sources"]},
            **{f"off: {feature}": why for feature, why, _ in facts["off"]},
        },
    }


def share(was, now):
    return f"{(now - was) / was:+.0%}" if was else ""


def differing(was, now):
    """(name, one, other, by how much) of what is not the same; what differs most first."""
    rows = []
    for name in {**was, **now}:
        both = was.get(name, "-"), now.get(name, "-")
        numbers = [value for value in both if not isinstance(value, str)]
        if both[0] != both[1]:
            by = abs(numbers[1] - numbers[0]) if len(numbers) == 2 else sum(numbers)
            rows.append((by, (name, *both, share(*numbers) if len(numbers) == 2 else "")))
    return [row for _, row in sorted(rows, key=lambda row: -row[0])]


def main(first, second):
    was, now = read(first), read(second)
    path = pathlib.Path(second)
    place = (path if path.is_dir() else path.parent) / "compare.html"
    names = [f"{facts['preset']}, {began(facts)}" for facts in (was, now)]
    page, head = Page(" and ".join(names)), ("", *names, "")
    used = {what: (was["used"][name], now["used"][name], words) for what, (name, words) in TOTALS.items()}
    rows = [(what, words(one), words(two), share(one, two)) for what, (one, two, words) in used.items()]
    page.part("What they took", table(head, rows))
    for (title, one), two in zip(parts_of(was).items(), parts_of(now).values()):
        found = differing(one, two)
        most = len(found) if title == REST else MOST
        page.part(title, table(head, found[:most]), f"<p>and {len(found) - most} more</p>" * (len(found) > most))
    page.write(place)
    for what, one, two, more in rows:
        print(f"-- compare: {what}: {one}, {two} {more}".rstrip())
    print(f"-- compare: more: {place}")
