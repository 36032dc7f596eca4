# SPDX-License-Identifier: BSD-3-Clause
"""How a run went:

    python3 engine --modules packaging report.report <build folder> [<folder of a run>]

Without the second it is the last run. Beside its journal.jsonl it writes report.json, all that is known;
report.html, the same to look at; trace.json for https://ui.perfetto.dev; and prints ten lines. Only the newest page is kept, as it
has megabytes: a run's folder brings it back."""

import json
import os
import pathlib

from engine.build_folder import read_json
from engine.failure import Failure, tell
from engine.one_run.journal import last_run, read_journal
from engine.partial_file import write_text
from engine.report import SCHEMA
from engine.report import page as pages
from engine.report.facts import Facts, trace, with_lanes
from engine.report.plan import COSTS, TOTALS, between, duration, keep_speed
from engine.text import counted, size_text

LEAST = 0.5  # seconds of a step that is shown


def title(facts):
    outcomes = {0: "has ended well", None: "has not ended, or was killed"}
    return (
        f"{facts['preset']} {outcomes.get(facts['code'], 'has failed (exit %s)' % facts['code'])}, {pages.began(facts)}"
    )


def beside(facts):
    """(what, planned, what happened) in words."""
    for what, (name, words) in TOTALS.items():
        planned = facts["plan"].get(name)
        if planned and isinstance(planned, dict):  # MB of each folder
            planned = [sum(mb for folder, mb in planned.items() if folder != "dist")] * 2  # whose files are the build's
        yield what, between(*planned, words) if planned else "-", words(facts["used"][name])


def ran(facts):
    return [step for step in facts["steps"] if step["ran"] and step["end"] - step["begin"] >= LEAST]


def hits(facts):
    if not facts["cache"]:
        return "no compiler cache was asked, or one that keeps no log"
    return f"{facts['cache']['hit']} of {sum(facts['cache'].values())} compiles were in the cache"


def lines_of(facts, place):
    yield title(facts)
    for what, planned, found in beside(facts):
        if what != "largest process":
            yield f"{what}: {found}" + (f" (planned: {planned})" if planned != "-" else "")
    longest = sorted(ran(facts), key=lambda step: step["begin"] - step["end"])[:3]
    words = [f"{one['step']} {duration(one['end'] - one['begin'])}" for one in longest]
    yield f"longest steps: {', '.join(words) or 'none'}"
    yield hits(facts)
    files = [file for artifact in facts["artifacts"] for file in artifact["files"] if "/debug-" not in file[0]]
    words = [f"{os.path.basename(file)} {size_text(size)}" for file, size in files[:2]] + ["..."] * (len(files) > 2)
    yield f"{counted(len(files), 'file')} in dist" + (f": {', '.join(words)}" if files else "")
    rows = [row for artifact in facts["artifacts"] for row in artifact["checks"]]
    failed = sum(row[0] not in ("ok", "skip", "n/a") for row in rows)
    off = [feature for feature, _, remedy in facts["off"] if remedy]
    yield f"checks that failed: {failed}; off: {', '.join(off) or 'nothing that nobody chose'}"
    yield f"more: {place}"


def seconds(facts):
    return {"range": [0, facts["used"]["wall_s"]], "ticksuffix": " s"}


def in_time(page, facts, name, rows, line):
    """A picture of bars: page.bars()."""
    height = 180 + line * len({row[1] for row in rows})
    axes = {"xaxis": seconds(facts), "yaxis": {"autorange": "reversed"}}
    return page.figure(name, pages.bars(rows), height, barmode="overlay", **axes)


def memory(page, facts):
    at, rss, largest, free = zip(*facts["samples"])
    lines = {"memory of all": rss, "largest process": largest, "disk, more than before": [free[0] - mb for mb in free]}
    data = [{"x": at, "y": [mb / 1000 for mb in values], "name": f"{name}, GB"} for name, values in lines.items()]
    data[2].update(yaxis="y2", line={"dash": "dot"})
    axis, right = {"rangemode": "tozero", "tickmode": "auto"}, {"overlaying": "y", "side": "right", "showgrid": False}
    return page.figure("memory", data, 340, xaxis=seconds(facts), yaxis=axis, yaxis2={**axis, **right})


def graph(page, title, name, edges):
    """`edges`: (what is needed, what needs it)."""
    if edges:
        users = {user: ", ".join(sorted(need for need, of in edges if of == user)) for _, user in sorted(edges)}
        height = 60 + 20 * len({name for edge in edges for name in edge})
        table = pages.folded("as a table", pages.table(("", "needs"), users.items()))
        page.part(title, page.figure(name, [pages.dependencies(edges)], height, margin={"b": 16}), table)


def sizes(page, title, name, parts):
    """`parts`: {part: {path: bytes}}; a click on one shows it alone."""
    found = {f"{part}/{path}": size for part, some in parts.items() for path, size in some.items()}
    if found:
        page.part(title, page.figure(name, [pages.treemap(found)], 520, margin={"b": 8}))


def page_of(facts):
    page, machine, steps, artifacts = pages.Page(title(facts)), facts["machine"], ran(facts), facts["artifacts"]
    page.body.append(f"<p>PyTorch {facts['release']}, {machine['cores']} cores, {machine['compiler']}</p>")
    page.part("Planned, and what happened", pages.table(("", "planned", "happened"), beside(facts)))
    words = [(name, ", ".join(some)) for name, some in facts["plan"].get("packages", {}).items()]
    page.body.append(pages.folded("packages in the plan", pages.table(("", "packages"), words)))
    if steps:
        rows = [(*one["step"].split(" ")[::-1], one["begin"], one["end"], one["step"]) for one in steps]
        spent = [(one["step"], round(one["end"] - one["begin"], 1), one["cpu"]) for one in steps]
        table = pages.folded("as a table", pages.table(("step", "seconds", "CPU s"), spent))
        page.part("Steps", in_time(page, facts, "steps", rows, 22), table)
    if facts["compiles"]:
        lanes = with_lanes(facts["compiles"])
        rows = [(of, lane + 1, begin, end, f"{of}: {what}") for of, what, begin, end, lane in lanes]
        words = f"<p>{hits(facts)}; in trace.json for Perfetto too</p>"
        page.part(
            "Compiles and links, as many as there were at once", words, in_time(page, facts, "compiles", rows, 14)
        )
        rows = [(of, what, round(end - begin, 1)) for of, what, begin, end in facts["compiles"]]
        rows = sorted(rows, key=lambda row: -row[2])[:25]
        page.part("The slowest", pages.table(("package", "what", "seconds"), rows))
    if facts["samples"]:
        page.part("Memory and disk", memory(page, facts))
    needs = [(needed, name) for name, depends in facts["packages"].items() for needed in depends]
    graph(page, "What our packages need", "packages", needs)
    links = [(needed, library) for library, needed in facts["links"]]
    graph(page, "PyTorch's own libraries, and what they are linked with", "links", links)
    sizes(page, "What is in the packed files", "sizes", {one["name"]: one["sizes"] for one in artifacts})
    sizes(page, "Code for each GPU architecture", "device", facts["device_code"])
    rows = [(one["name"], one["version"], one["from"], "; ".join(one["why"])) for one in facts["sources"]]
    head = ("source", "version", "from", "why not from those before")
    page.part("Where each source came from", pages.table(head, rows))
    page.part("What is off", pages.table(("feature", "why", "to have it"), facts["off"]))
    checks = []
    for name, rows in ((one["name"], one["checks"]) for one in artifacts if one["checks"]):
        words = f"{name}: {sum(row[0] == 'ok' for row in rows)} of {len(rows)} passed"
        checks.append(pages.folded(words, pages.table(("", "check", "found"), rows)))
    page.part("Checks", *checks or ["<p>None.</p>"])
    return page


def learn(facts):
    """A compile of PyTorch without help of a cache or a farm says how fast the machine is, for the next plan: speed.json."""
    cpu = {one["step"]: one["cpu"] for one in facts["steps"] if one["ran"]}.get("pytorch build")
    cache, machine, scale = facts["cache"], facts["machine"], COSTS["releases"].get(facts["release"])
    known = cpu and scale and facts["code"] == 0 and not facts["plan"].get("archs")
    alone = not machine["farm"] and (cache["hit"] <= cache["miss"] / 20 if cache else not machine["compiler_cache"])
    if known and alone and len(facts["compiles"]) > 1500:
        factor = round(cpu / COSTS["packages"]["pytorch"]["cpu"] / scale, 3)
        keep_speed({"factor": factor, "from": "a run", **{name: machine[name] for name in ("compiler", "cores")}})


def write(folder, run, code=None):
    """The facts of a run, with its files. Once another run or configure has changed the build folder they stay as they are."""
    kept, configured = run / "report.json", pathlib.Path(folder, "plan/run.json")
    if kept.exists() and (last_run(folder) != run or configured.stat().st_mtime > kept.stat().st_mtime):
        facts = read_json(kept)
        if facts.get("schema") != SCHEMA:
            raise Failure(f"{kept} is of another version, its folder has changed", "run the preset again", status=2)
    else:
        facts = Facts(folder, run, code).all()
        write_text(kept, json.dumps(facts) + "\n")
        write_text(run / "trace.json", trace(facts))
        learn(facts)
    for old in run.parent.glob("*/report.html"):
        old.unlink()
    page_of(facts).write(run / "report.html")
    return facts


def say_lines(facts, run):
    for line in lines_of(facts, run / "report.html"):
        print(f"-- report: {line}")


def after_run(folder):
    """By the target check, of a run that has built something: what has just passed is not lost for a report."""
    try:
        run = last_run(folder)
        entries = read_journal(run) if run else []
        steps = [entry["step"] for entry in entries if "step" in entry and entry["end"] - entry["begin"] > LEAST]
        if any(step.endswith((" build", " pack")) for step in steps):
            say_lines(write(folder, run, 0), run)
    except Exception as error:  # whatever a log holds
        tell(f"no report of this run: {type(error).__name__}: {error}", "the target report says more", "warning")


def main(folder, *runs):
    folder = os.path.realpath(folder)
    run = pathlib.Path(os.path.realpath(runs[0])) if runs else last_run(folder)
    if not run or not run.is_dir():
        raise Failure(f"no run is known in {folder}", "run the preset first", status=2)
    say_lines(write(folder, run), run)
