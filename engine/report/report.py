# SPDX-License-Identifier: BSD-3-Clause
"""How a run went:

    python3 engine --modules packaging report.report <build folder> [<folder of a run>]

Without the second it is the last run. Beside its journal.jsonl it writes report.json, all that is known;
report.html, the same to look at; trace.json for https://ui.perfetto.dev; and prints ten lines. Only the newest page is kept, as it
has megabytes: a run's folder brings it back."""

import json
import os
import pathlib
import time

from engine.build_folder import read_json
from engine.failure import Failure, tell
from engine.one_run.journal import last_run, read_journal
from engine.partial_file import write_text
from engine.report import page as pages
from engine.report.facts import Facts, trace, with_lanes
from engine.report.plan import COSTS, between, duration, gigabytes, hours, keep_speed
from engine.text import counted, size_text

LEAST = 0.5  # seconds of a step that is shown
OUTCOMES = {0: "has ended well", None: "has not ended, or was killed"}


def outcome(facts):
    return OUTCOMES.get(facts["code"], f"has failed (exit {facts['code']})")


def beside(facts):
    """(what, planned, what happened) in words."""
    plan, used = facts["plan"], facts["used"]
    for what, planned, found, words in (
        ("time", "wall_s", "wall_s", duration),
        ("CPU time", "cpu_s", "cpu_s", hours),
        ("memory of all processes", "memory_mb", "memory_mb", gigabytes),
        ("disk, what it grew by at most", "disk_mb", "disk_mb", gigabytes),
    ):
        value = plan.get(planned)
        if isinstance(value, dict):
            value = [sum(mb for folder, mb in value.items() if folder != "dist")] * 2  # whose files are the build's
        yield what, between(*value, words) if value else "-", words(used[found])
    yield "largest process", "-", gigabytes(used["largest_mb"])
    yield "download", f"{plan['download_mb']} MB" if "download_mb" in plan else "-", "-"


def slowest(facts, count=25):
    """(package, what, seconds, cache) of Ninja's steps."""
    found = sorted(facts["compiles"], key=lambda one: one[2] - one[3])[:count]
    return [(package, output, round(end - begin, 1), cache) for package, output, begin, end, cache in found]


def ran(facts):
    return [step for step in facts["steps"] if step["ran"] and step["end"] - step["begin"] >= LEAST]


def hits(facts):
    cache = facts["cache"]
    if not cache:
        return "no compiler cache was asked, or one that keeps no log"
    share = cache["hit"] / max(cache["hit"] + cache["miss"], 1)
    return f"{cache['hit']} of {cache['hit'] + cache['miss']} compiles were in the cache ({share:.0%})"


def lines_of(facts, place):
    rows = {what: (planned, found) for what, planned, found in beside(facts)}
    yield f"{facts['preset']} {outcome(facts)}, {time.strftime('%F %R', time.localtime(facts['begin']))}"
    for what in ("time", "CPU time", "memory of all processes", "disk, what it grew by at most"):
        planned, found = rows[what]
        yield f"{what}: {found}" + (f" (planned: {planned})" if planned != "-" else "")
    longest = sorted(ran(facts), key=lambda step: step["begin"] - step["end"])[:3]
    yield "longest steps: " + (
        ", ".join(f"{one['step']} {duration(one['end'] - one['begin'])}" for one in longest) or "none"
    )
    yield hits(facts)
    files = [file for artifact in facts["artifacts"] for file in artifact["files"] if "/debug-" not in file[0]]
    made = ", ".join(f"{os.path.basename(file)} {size_text(size)}" for file, size in files[:2])
    yield (
        f"{counted(len(files), 'file')} in dist" + (f": {made}" if files else "") + (", ..." if len(files) > 2 else "")
    )
    off = [feature for feature, _, remedy in facts["off"] if remedy]
    failed = [
        row for artifact in facts["artifacts"] for row in artifact["checks"] if row[0] not in ("ok", "skip", "n/a")
    ]
    yield f"checks that failed: {len(failed)}; off: {', '.join(off) or 'nothing that nobody chose'}"
    yield f"more: {place}"


def timeline(page, facts):
    steps = ran(facts)
    rows = [(step["step"].partition(" ")[0], step["begin"], step["end"]) for step in steps]
    words = [f"{step['step']}: {duration(step['end'] - step['begin'])}, CPU {duration(step['cpu'])}" for step in steps]
    data, phases = [], list(dict.fromkeys(step["step"].split(" ")[1] for step in steps))
    for number, phase in enumerate(phases):
        some = [at for at, step in enumerate(steps) if step["step"].endswith(" " + phase)]
        colour = pages.PALETTE[number % len(pages.PALETTE)]
        data.append({**pages.bars([rows[at] for at in some], colour, [words[at] for at in some]), "name": phase})
    height = 120 + 22 * len({line for line, _, _ in rows})
    axes = {"xaxis": {"title": {"text": "seconds"}}, "yaxis": {"autorange": "reversed"}}
    return page.figure("steps", data, height, barmode="overlay", bargap=0.3, **axes)


def compiles(page, facts):
    colours = {"hit": pages.PALETTE[2], "miss": pages.PALETTE[4], "": pages.PALETTE[0]}
    lanes, data = list(with_lanes(facts["compiles"])), []
    for word, colour in colours.items():
        some = [one for one in lanes if one[4] == word]
        if some:
            text = [f"{one[0]}: {one[1]}, {one[3] - one[2]:.1f} s" for one in some]
            rows = [(one[5] + 1, one[2], one[3]) for one in some]
            name = {"hit": "in the cache", "miss": "not in the cache"}.get(word, "without a word of the cache")
            data.append({**pages.bars(rows, colour, text), "name": name})
    height = 160 + 14 * len({one[5] for one in lanes})
    axes = {"xaxis": {"title": {"text": "seconds"}}, "yaxis": {"title": {"text": "at once"}, "autorange": "reversed"}}
    return page.figure("compiles", data, height, barmode="overlay", bargap=0.1, **axes)


def memory(page, facts):
    samples = facts["samples"]
    at, first = [sample[0] for sample in samples], samples[0][3]
    disk = [(first - sample[3]) / 1000 for sample in samples]
    data = [
        {"x": at, "y": [sample[1] / 1000 for sample in samples], "name": "memory of all, GB", "line": {"shape": "hv"}},
        {
            "x": at,
            "y": [sample[2] / 1000 for sample in samples],
            "name": "largest process, GB",
            "line": {"shape": "hv"},
        },
        {"x": at, "y": disk, "name": "disk, GB more than at the beginning", "yaxis": "y2", "line": {"dash": "dot"}},
    ]
    axes = {"yaxis": {"rangemode": "tozero"}, "yaxis2": {"overlaying": "y", "side": "right"}}
    return page.figure("memory", data, 340, legend={"y": -0.3}, xaxis={"title": {"text": "seconds"}}, **axes)


def graphs(page, facts):
    """Our packages, and the libraries of PyTorch's build; those of the machine that everything has are left out."""
    of_packages = [(needed, one["name"]) for one in facts["packages"] for needed in one["depends"]]
    own = {library for library, _ in facts["links"]}
    of_links = [
        (needed, library) for library, needed in facts["links"] if needed not in ("c", "m", "dl", "rt", "pthread")
    ]
    users = [needed for needed, _ in of_links]
    of_links = [edge for edge in of_links if edge[0] in own or users.count(edge[0]) < 3]
    for title, name, edges in (
        ("What our packages need", "packages", of_packages),
        ("PyTorch's own libraries, and what they are linked with", "links", of_links),
    ):
        if edges:
            nodes = {name for edge in edges for name in edge}
            picture = page.figure(name, [pages.dependencies(edges)], max(320, 20 * len(nodes)), margin={"b": 16})
            rows = sorted(
                {user: ", ".join(sorted(need for need, of in edges if of == user)) for _, user in edges}.items()
            )
            page.part(title, picture, pages.folded("as a table", pages.table(("", "needs"), rows)))


def sizes(page, facts):
    figures = {
        artifact["name"]: (f"sizes-{number}", [pages.treemap(artifact["sizes"])])
        for number, artifact in enumerate(facts["artifacts"])
        if artifact["sizes"]
    }
    if figures:
        page.part("What is in the packed files", page.choice(figures))
    if facts["device_code"]:
        libraries = list(facts["device_code"])
        targets = sorted({target for code in facts["device_code"].values() for target in code})
        data = [
            {
                "type": "bar",
                "name": target,
                "orientation": "h",
                "y": libraries,
                "x": [facts["device_code"][library].get(target, 0) / 1e6 for library in libraries],
            }
            for target in targets
        ]
        axes = {"xaxis": {"title": {"text": "MB in the file"}}, "yaxis": {}}
        page.part(
            "Code for each GPU architecture",
            page.figure("device", data, 140 + 40 * len(libraries), barmode="stack", **axes),
        )


def page_of(facts):
    when = time.strftime("%F %R", time.localtime(facts["begin"]))
    page = pages.Page(f"{facts['preset']} {outcome(facts)}, {when}")
    plan = facts["plan"]
    words = [(name, ", ".join(some)) for name, some in plan.get("packages", {}).items()]
    page.body.append(
        f"<p>PyTorch {facts['release']}, {facts['machine']['cores']} cores, {facts['machine']['compiler']}</p>"
    )
    page.part("Planned, and what happened", pages.table(("", "planned", "happened"), beside(facts)))
    page.body.append(pages.folded("packages in the plan", pages.table(("", "packages"), words)))
    if ran(facts):
        rows = [(one["step"], round(one["end"] - one["begin"], 1), one["cpu"]) for one in ran(facts)]
        page.part(
            "Steps", timeline(page, facts), pages.folded("as a table", pages.table(("step", "seconds", "CPU s"), rows))
        )
    if facts["compiles"]:
        page.part("Compiles and links", f"<p>{hits(facts)}; in trace.json for Perfetto too</p>", compiles(page, facts))
        page.part("The slowest", pages.table(("package", "what", "seconds", "cache"), slowest(facts)))
    if facts["samples"]:
        page.part("Memory and disk", memory(page, facts))
    graphs(page, facts)
    sizes(page, facts)
    rows = [(one["name"], one["version"], one["from"], "; ".join(one["why"])) for one in facts["sources"]]
    page.part(
        "Where each source came from", pages.table(("source", "version", "from", "why not from those before"), rows)
    )
    off = pages.table(("feature", "why", "to have it"), facts["off"])
    page.part("What is off", off)
    checks = []
    for artifact in facts["artifacts"]:
        good = sum(row[0] == "ok" for row in artifact["checks"])
        title = f"{artifact['name']}: {good} of {len(artifact['checks'])} passed"
        checks.append(pages.folded(title, pages.table(("", "check", "found"), artifact["checks"])))
    if any(artifact["checks"] for artifact in facts["artifacts"]):
        page.part("Checks", *checks)
    return page


def learn(facts):
    """A compile of PyTorch without help of a cache says how fast the machine is: for the next plan, in speed.json."""
    cache, cpu = facts["cache"], {one["step"]: one["cpu"] for one in facts["steps"] if one["ran"]}
    plan, machine = facts["plan"], facts["machine"]
    known = facts["release"] in COSTS["releases"] and not plan.get("archs") and "pytorch build" in cpu
    if (
        facts["code"] == 0
        and known
        and cache.get("hit", 0) <= cache.get("miss", 0) / 20
        and len(facts["compiles"]) > 1500
    ):
        factor = cpu["pytorch build"] / COSTS["packages"]["pytorch"]["cpu"] / COSTS["releases"][facts["release"]]
        speed = {
            "factor": round(factor, 3),
            "from": "a run",
            "compiler": machine["compiler"],
            "cores": machine["cores"],
        }
        keep_speed(speed)


def write(folder, run, code=None):
    """The facts of a run, with its files. Once another run or configure has changed the build folder they stay as they are."""
    kept, configured = run / "report.json", pathlib.Path(folder, "plan/run.json")
    if kept.exists() and (last_run(folder) != run or configured.stat().st_mtime > kept.stat().st_mtime):
        facts = read_json(kept)
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
