# SPDX-License-Identifier: BSD-3-Clause
"""What a run will do and take, before it begins:

    python3 engine report.plan <build folder> [measure]

Prints it in lines, and leaves it in plan/plan.json, which the run takes into its folder, and in steps/plan.txt what the progress
is shown by (engine/one_run/screen.py). cmake/package/explain.cmake has written plan/run.json, what is to be made on
which machine, and plan/states.txt, what is there of it. The figures come from costs.json. How fast the machine is, compared with
the one that the costs are of, is in speed.json beside the store and the sources: `measure` finds out where no run has, with as
many compiles at once as there will be. What is not known well is a range.
"""

import contextlib
import json
import os
import pathlib
import subprocess
import tempfile

from engine.build_folder import BuildFolder, read_json
from engine.folders import cache_folder
from engine.partial_file import write_changed, write_text

COSTS = json.loads(pathlib.Path(__file__).with_name("costs.json").read_text())
PROBE = """
#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>
template <int N> double part(std::string text, std::map<std::string, std::vector<double>>& found) {
  std::sort(text.begin(), text.end(), [](char a, char b) { return (a ^ N) < (b ^ N); });
  std::function<double(double)> grow = [&](double x) { return x * N + found.size(); };
  for (auto& [name, values] : found) for (auto& value : values) value = grow(value);
  return grow(text.size());
}
double all(std::map<std::string, std::vector<double>>& f) { return part<1>("a", f) + part<2>("b", f) + part<3>("c", f); }
"""
UNKNOWN, MEASURED, KNOWN = (0.6, 1.8), (0.8, 1.25), (0.85, 1.15)  # of a machine's speed: none, a probe's, a run's
CACHED = 0.04  # of the CPU time, where a compiler cache has everything
MB = 10**6


def probe(compiler, count):
    """CPU seconds of a compile, with as many at once."""
    with tempfile.TemporaryDirectory(prefix="tsb-probe-") as folder:
        source = pathlib.Path(folder, "probe.cpp")
        source.write_text(PROBE)
        command = [compiler, "-std=c++17", "-O2", "-c", "-o", os.devnull, str(source)]
        before = os.times()
        running = [subprocess.Popen(command, stderr=subprocess.DEVNULL) for _ in range(count)]
        codes = [one.wait() for one in running]
        after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return 0 if any(codes) else spent / count


def speed_file():
    return cache_folder() / "speed.json"


def keep_speed(speed):
    """Where it cannot be written, nobody knows it the next time."""
    with contextlib.suppress(OSError):
        write_changed(speed_file(), json.dumps(speed) + "\n")


def between(low, high, words):
    """ "7 s", or "7 s to 12 s"."""
    return words(high) if high <= low * 1.3 else f"{words(low)} to {words(high)}"


def duration(seconds):
    minutes = round(seconds / 60)
    if seconds < 100:
        return f"{max(round(seconds), 1)} s"
    return f"{minutes // 60} h {minutes % 60:02} min" if minutes >= 60 else f"{minutes} min"


def gigabytes(mb):
    return f"{mb / 1000:.1f} GB" if mb >= 1000 else f"{round(mb)} MB"


# What a plan and a run have under the same names, and how it is written.
TOTALS = {
    "time": ("wall_s", duration),
    "CPU time": ("cpu_s", duration),
    "memory of all processes": ("memory_mb", gigabytes),
    "largest process": ("largest_mb", gigabytes),
    "disk, what it grew by at most": ("disk_mb", gigabytes),
}


def tail(jobs):
    """By how much a compile takes longer than its CPU time on so many cores: the last ones leave the others idle."""
    known = [[2, 1.0], *COSTS["tail"]]
    for (least, low), (most, high) in zip(known, known[1:]):
        if jobs <= most:
            return low + (high - low) * max(jobs - least, 0) / (most - least)
    return known[-1][1]


class Plan:
    def __init__(self, folder):
        self.build, self.folder = BuildFolder(folder), pathlib.Path(folder)
        self.run = read_json(self.folder / "plan/run.json")
        lines = (self.folder / "plan/states.txt").read_text().splitlines()
        self.states = dict(reversed(line.split(" ", 1)) for line in lines)
        self.costs = {name: self.costs_of(name) for name in self.run["packages"]}

    def costs_of(self, name):
        """`cpu` seconds of a compile on the machine of the costs, and its memory, `mb`; {} of what is only unpacked."""
        declared = self.build.package(name).declaration
        if declared["build_system"] == "none":
            return {}
        found = COSTS["packages"].get(name.partition("-py")[0] + "-py" * ("-py" in name), {"cpu": 60})
        cpu, archs = found.get("cpu", 0), len(self.run["archs"])
        if archs:
            cpu += found.get("toolkit", 0) + archs * found.get("arch", 0)
        largest = found.get("largest", found.get("mb", 400))
        if declared["heavy_sources"]:
            largest = max(largest, declared["heavy_memory_per_job_mb"])
        declared = {"per_job": declared["memory_per_job_mb"], "link": declared["link_memory_mb"]}
        return {"cpu": cpu, "mb": found.get("mb", 400), "largest": largest, **declared}

    def jobs(self, per_job, most=None):
        """As tsb_job_pools() counts them when a package is built, and when a program is compiled with the result."""
        found = [self.run["cores"] + self.run["farm"] if most is None else min(self.run["cores"], most)]
        found += [int(self.run["jobs"])] if self.run["jobs"] else []
        if self.run["available_mb"]:
            found.append((int(self.run["available_mb"]) - 1024) // per_job)
        return max(min(found), 1)

    def speed(self, measure):
        """{factor, from, compiler, cores}: CPU seconds here for one of the costs'; {} where nobody knows."""
        same = {"compiler": self.run["compiler"], "cores": self.run["cores"]}
        with contextlib.suppress(OSError, ValueError):
            found = json.loads(speed_file().read_text())
            if found | same == found:
                return found
        count = min(int(self.run["cores"]), 64)
        seconds = probe(self.run["compiler_path"], count) if measure else 0
        if not seconds:
            return {}
        found = {"factor": round(seconds / COSTS["probe"], 3), "from": f"{count} compiles at once", **same}
        keep_speed(found)
        return found

    def cache_is_warm(self):
        """Whether a compiler cache may have some of it; "unknown" of another one than ccache, whose server may be elsewhere."""
        program, said = self.run["compiler_cache"], ""
        if os.path.basename(program) not in ("ccache", ""):
            return "unknown"
        with contextlib.suppress(OSError):  # there is none, or no longer
            said = subprocess.run([program, "--print-stats"], capture_output=True, text=True).stdout
        return any(line.split() > ["files_in_cache", "0"] for line in said.splitlines() if line.startswith("files_in"))

    def state(self, name):
        """keep, store, compile, unpack, left-out; whether less may do."""
        state = self.states.get(name, "unknown")
        stored = os.path.isdir(f"{self.run['store']}/{name}") and not self.build.package(name).declaration["machine"]
        if state in ("compile", "unknown") and not self.costs[name]:
            return "unpack", False
        if state == "unknown":
            return "compile", stored or bool(self.run["remote_store"])
        return state, (self.folder / f"packages/{name}/build/.ninja_log").exists()

    def make(self, measure=False):
        speed = self.speed(measure)
        spread = UNKNOWN if not speed else KNOWN if "run" in speed["from"] else MEASURED
        factor, release = speed.get("factor", 1.0), self.run["release"]
        scale, unsure = (COSTS[of].get(release, COSTS[of][""]) for of in ("releases", "uncertain"))
        slow = max(0.6 * factor, 1)  # of what one core does: the factor is that of all at once
        warm, cpu, wall, by_state, lines = self.cache_is_warm(), [0.0, 0.0], [0.0, 0.0], {}, []
        memory = [500, 1200] if self.run["artifacts"] else [100, 500]

        def add(step, low, high, due=True, jobs=1):
            """CPU seconds, of which each job takes its part."""
            part = tail(jobs) / jobs
            lines.append(f"{(low + high) / 2 * part:.0f} {step}\n")
            if due:
                cpu[:] = cpu[0] + low, cpu[1] + high
                wall[:] = wall[0] + low * part, wall[1] + high * part

        def hold(costs, jobs):
            """The largest compile and the usual size of the others, or a link, which often runs alone."""
            for at, (others, link) in enumerate(((0.6 * (jobs - 1), 0.7), (1.4 * (jobs - 0.7), 1))):
                memory[at] = max(memory[at], costs["largest"] + costs["mb"] * others, costs["link"] * link)

        due = not os.path.exists(self.build.settings["torchpkg"])
        full = COSTS["packages"]["torchpkg"]["cpu"] * factor
        add("torchpkg configure", 5, 5, due)
        add("torchpkg build", full * 0.8, full * 1.2, due, min(self.run["cores"], 8))
        add("fetch sources", 2, COSTS["steps"]["fetch"], "sources" in self.states)
        for name, costs in self.costs.items():
            state, less = self.state(name)
            by_state.setdefault(state, []).append(name)
            due = state in ("compile", "unpack")
            for step in ("patch", "configure", "build", "stage"):
                seconds = COSTS["steps"].get(f"{name.partition('-py')[0]} {step}", COSTS["steps"][step])
                spent, jobs = [0 if less else seconds * 0.6, seconds * 1.3 * slow], 1
                if costs and step == "build":
                    full = costs["cpu"] * (scale if name.startswith("pytorch") else 1) * factor
                    jobs = self.jobs(costs["per_job"])
                    spent = [full * spread[0] / unsure * (CACHED if warm else not less), full * spread[1] * unsure]
                    if due:
                        hold(costs, jobs)
                add(f"{name} {step}", *spent, due, jobs)
            if state == "store":
                wall[:] = wall[0] + 1, wall[1] + 10
        made = [name for name in self.run["artifacts"] if not (self.folder / f"steps/{name}/deliver.json").exists()]
        products = {name: self.build.artifact(name)["product"] for name in self.run["artifacts"]}
        consumer, size = COSTS["consumer"], 2.5 if self.run["archs"] else 1
        for steps in ("stage",), ("check_stage",), ("pack", "statement"), ("check", "consumer", "deliver"):
            for name, product in products.items():
                due = name in made or by_state.get("compile")
                for step in steps:
                    seconds, jobs = COSTS["artifacts"][product][step] * size, 1
                    if step == "consumer":
                        jobs = self.jobs(consumer["per_job"], consumer["sources"].get(product, 1))
                        if due:
                            hold(consumer, jobs)
                    add(f"{name} {step}", seconds * 0.5, seconds * 1.6 * slow, due, jobs)
        write_text(self.folder / "steps/plan.txt", "".join(lines))
        compiled = by_state.get("compile", [])
        needs = [int(mb) * 3 // 4 for mb in self.run["needs"]]  # the doctor asks for a third more than was measured
        disk = {**dict(zip(("build", "store", "sources", "dist"), needs)), "sources": self.download()}
        return {
            **{name: self.run[name] for name in ("preset", "artifacts", "dist", "cores", "archs")},
            "in_place": "".join(self.build.package(name).declaration.get("in_place", "") for name in self.costs),
            "packages": by_state,
            "jobs": max((self.jobs(self.costs[name]["per_job"]) for name in compiled), default=0),
            "speed": speed,
            "compiler_cache": warm,
            "cpu_s": [round(value) for value in cpu],
            "wall_s": [round(value) for value in wall],
            "memory_mb": [round(value) for value in memory],
            "disk_mb": disk if needs and (compiled or made) else {},
            "download_mb": disk["sources"],
        }

    def download(self):
        """MB of the sources that the cache has nothing of; where git brings them, as large as their archives."""
        request, size, seen = read_json(self.folder / "fetch/request.json"), 0, set()
        for name in self.run["packages"]:
            package = self.build.package(name)
            for source, pin in package.pins.items():
                there = any(files for _, _, files in os.walk(f"{request['cache']}/{source}"))
                if source not in seen | set(request["local"]) and not there:
                    sizes = [candidate["size"] for candidate in pin["candidates"] if "size" in candidate]
                    size += sizes[0] if sizes else 5 * MB
                seen.add(source)
        return round(size / MB)


def lines_of(plan):
    count, states = len(plan["artifacts"]), plan["packages"]
    into = plan["dist"] if count else plan["in_place"] or "the store"
    names = plan["artifacts"] if count < 6 else [*plan["artifacts"][:4], f"{count - 4} more"]
    yield f"{', '.join(names) or 'packages alone'}, into {into}"
    words = {"compile": "compiled", "store": "from the store", "unpack": "unpacked", "keep": "there already"}
    parts = [
        f"{', '.join(states[state]) if state in ('compile', 'store') else len(states[state])} {word}"
        for state, word in words.items()
        if state in states
    ]
    yield "packages: " + "; ".join(parts)
    speed, low = plan["speed"], plan["wall_s"][0]
    why = "" if speed else ": the plan command measures how fast this machine is"
    cached = " if all is in the compiler cache" if plan["compiler_cache"] and states.get("compile") else ""
    wall = between(*plan["wall_s"], duration)
    wall = wall.replace(" to ", f"{cached}, up to ", 1) if cached else wall
    jobs = f", {plan['jobs']} at once" if plan["jobs"] else ""
    yield f"time {wall}; CPU {between(*plan['cpu_s'], duration)}{jobs}{why if low else ''}"
    disk = plan["disk_mb"]
    held = f"disk {gigabytes(disk['build'])} here, {gigabytes(disk['store'])} in the store" if disk else "disk as it is"
    yield f"memory {between(*plan['memory_mb'], gigabytes)}; {held}; downloads {plan['download_mb']} MB"


def main(folder, *options):
    plan = Plan(folder).make("measure" in options)
    write_text(pathlib.Path(folder, "plan/plan.json"), json.dumps(plan, indent=1) + "\n")
    for line in lines_of(plan):
        print(f"-- plan: {line}")
