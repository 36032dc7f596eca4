# SPDX-License-Identifier: BSD-3-Clause
"""Two runs beside each other, of one preset or of two, on one machine or on two:

    python3 engine report.compare <report.json> <report.json> [<page>]

The page is compare.html beside the second one, unless it is named. What is the same in both is left out."""

import contextlib
import json
import pathlib
import time

from engine.failure import Failure
from engine.report import page as pages
from engine.report.plan import duration, gigabytes, hours
from engine.text import size_text

TOTALS = (
    ("time", "wall_s", duration),
    ("CPU time", "cpu_s", hours),
    ("memory of all processes", "memory_mb", gigabytes),
    ("largest process", "largest_mb", gigabytes),
    ("disk, what it grew by at most", "disk_mb", gigabytes),
)


def share(was, now):
    return f"{(now - was) / was:+.0%}" if was else ""


def read(file):
    path = pathlib.Path(file)
    facts = None
    with contextlib.suppress(OSError, ValueError):
        facts = json.loads((path / "report.json" if path.is_dir() else path).read_text())
    if not isinstance(facts, dict) or facts.get("schema") != 1:
        remedy = "run `./bootstrap.sh report <preset>` first, which writes build/<preset>/runs/<number>/report.json"
        raise Failure(f"{file} has no report of a run", remedy, status=2)
    return facts


def steps_of(facts):
    """{step: seconds}"""
    return {one["step"]: round(one["end"] - one["begin"], 1) for one in facts["steps"] if one["ran"]}


def sizes_of(facts):
    """{artifact: bytes inside}, {artifact/file: bytes}"""
    sizes = {one["name"]: one["sizes"] for one in facts["artifacts"] if one["sizes"]}
    whole = {name: sum(size for _, size, _ in some) for name, some in sizes.items()}
    return whole, {f"{name}/{path}": size for name, some in sizes.items() for path, size, _ in some}


def differing(was, now, words=str):
    """Rows of what is not the same, by how much it differs."""
    rows = []
    for name in {**was, **now}:
        one, two = was.get(name), now.get(name)
        if one != two:
            numbers = isinstance(one, (int, float)) and isinstance(two, (int, float))
            more = share(one, two) if numbers else ""
            rows.append(
                (abs(two - one) if numbers else 0, (name, *("-" if v is None else words(v) for v in (one, two)), more))
            )
    return [row for _, row in sorted(rows, key=lambda row: -row[0])]


def settings_of(facts):
    return {
        "preset": facts["preset"],
        "release": facts["release"],
        **{f"machine: {name}": value for name, value in facts["machine"].items()},
        "jobs": facts["plan"].get("jobs"),
        **{f"source {one['name']}": f"{one['version']} {one['status']}" for one in facts["sources"]},
        **{f"off: {feature}": why for feature, why, _ in facts["off"]},
        **{f"cache: {name}": count for name, count in facts["cache"].items()},
    }


def page_of(was, now):
    names = [f"{one['preset']}, {time.strftime('%F %R', time.localtime(one['begin']))}" for one in (was, now)]
    page = pages.Page(f"{names[0]} and {names[1]}")
    head = ("", *names, "")
    rows = [(what, *(words(one["used"][name]) for one in (was, now)), share(*(one["used"][name] for one in (was, now))))
            for what, name, words in TOTALS]  # fmt: skip
    page.part("What they took", pages.table(head, rows))
    steps = [steps_of(one) for one in (was, now)]
    longest = sorted({**steps[0], **steps[1]}, key=lambda step: -max(one.get(step, 0) for one in steps))[:30]
    data = [
        {"type": "bar", "orientation": "h", "name": name, "y": longest, "x": [some.get(step, 0) for step in longest]}
        for name, some in zip(names, steps)
    ]
    axes = {"yaxis": {"autorange": "reversed"}, "xaxis": {"title": {"text": "seconds"}}}
    table = pages.folded("as a table", pages.table(head, differing(*steps, "{} s".format)))
    page.part("Steps", page.figure("steps", data, 140 + 28 * len(longest), barmode="group", **axes), table)
    compiles = [{f"{one[0]}: {one[1]}": round(one[3] - one[2], 1) for one in facts["compiles"]} for facts in (was, now)]
    page.part("Compiles that differ most", pages.table(head, differing(*compiles, "{} s".format)[:25]))
    whole, files = zip(*(sizes_of(one) for one in (was, now)))
    page.part(
        "Sizes that differ", pages.table(head, [*differing(*whole, size_text), *differing(*files, size_text)[:40]])
    )
    page.part("What else differs", pages.table(head, differing(settings_of(was), settings_of(now))))
    return page


def main(first, second, *place):
    was, now = read(first), read(second)
    path = pathlib.Path(second)
    page = pathlib.Path(*place) if place else (path if path.is_dir() else path.parent) / "compare.html"
    page_of(was, now).write(page)
    for what, name, words in TOTALS:
        one, two = (facts["used"][name] for facts in (was, now))
        print(f"-- compare: {what}: {words(one)}, {words(two)} {share(one, two)}".rstrip())
    print(f"-- compare: more: {page}")
