# SPDX-License-Identifier: BSD-3-Clause
"""What came out: the table that is printed at the end, and result.json."""

import collections
import json

from output import say, write_lines
from shards import crash

OUTCOMES = ("passed", "failed", "skipped", "xfailed", "crashed")


def report(runner, known, facts, path):
    """Prints the table, writes the JSON file; whether all that failed is known."""
    rows, failures, passes, reasons = [], [], [], collections.Counter()
    for file in runner.options.file:
        row = dict.fromkeys(("run", *OUTCOMES, "known", "left"), 0)
        row.update(file=file, seconds=0.0)
        entries = []
        for shard in runner.shards:
            if shard.file == file:
                done, seconds = shard.results()
                entries += [done[test] for test in shard.tests if test in done]
                row["seconds"] += seconds
                row["left"] += len(shard.tests) - len(done)
        if file in runner.uncollected:
            entries.append(crash(file, runner.uncollected[file]))
        for entry in entries:
            bad = entry["outcome"] in ("failed", "crashed")
            matching = [one for one in known if one.expression.fullmatch(entry["id"])]
            for one in matching:
                one.seen += 1
            row[entry["outcome"]] += 1
            row["run"] += entry["outcome"] != "skipped"
            if entry["outcome"] == "skipped":
                reasons[entry["message"]] += 1
            if bad:
                row["known"] += bool(matching)
                failures.append(dict(entry, known=matching[0].reason if matching else None))
            elif matching and entry["outcome"] == "passed":
                passes.append({"id": entry["id"], "reason": matching[0].reason})
        row["seconds"] = round(row["seconds"], 1)
        if file not in runner.collected:
            row["left"] = None  # interrupted before it was known how many there are
        rows.append(row)
    # Only for files that were run completely.
    complete = {row["file"] for row in rows if row["left"] == 0} - set(runner.uncollected)
    unused = [one.pattern for one in known if not one.seen and one.pattern.partition("::")[0] in complete]

    for entry in failures:
        what = "known" if entry["known"] else entry["outcome"].upper()
        say("%-7s %s: %s" % (what, entry["id"], entry["known"] or entry["message"][:200]))
    for one in passes:
        say("PASSES  %s, a known failure: %s" % (one["id"], one["reason"]))
    for pattern in unused:
        say("UNUSED  %s is a known failure, but there is no such test" % pattern)
    columns = ("run", *OUTCOMES, "known", "left", "seconds")
    width = max(len(row["file"]) for row in rows)
    say(" ".join(["file".ljust(width), *(column.rjust(8) for column in columns)]))
    for row in rows:
        cells = ["?" if row[column] is None else "%d" % round(row[column]) for column in columns]
        say(" ".join([row["file"].ljust(width), *(cell.rjust(8) for cell in cells)]))
    result = dict(facts, files=rows, failures=failures, known_that_pass=passes, known_without_test=unused)
    result["skipped"] = dict(reasons.most_common())
    write_lines(path, json.dumps(result, indent=1).splitlines())
    return all(entry["known"] for entry in failures)
