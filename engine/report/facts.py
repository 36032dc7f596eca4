# SPDX-License-Identifier: BSD-3-Clause
"""All that a report says about a run, as one object: from its journal and its plan, and from what its steps have left in the
build folder. Times are seconds since the run began."""

import collections
import contextlib
import json
import math
import os
import pathlib
import re
import statistics
import subprocess

from deliver import rows_of

from engine.build_folder import BuildFolder, read_json
from engine.failure import Failure
from engine.one_run.journal import read_journal
from engine.report import SCHEMA

LINK = re.compile(r"build (\S+?)(?: \S+)*: \w+_(?:SHARED|STATIC|MODULE)_LIBRARY_LINKER__\S+ (.*)")
LIBRARY = re.compile(r"lib([^/]*?)\.(?:a|so[.\d]*)$")
SMALL = 0.001  # of an artifact's size: such a file counts as its folder


def if_there(path, otherwise):
    return read_json(path) if path.is_file() else otherwise


def compiles_of(package, begin, end):
    """[package, what it makes, begin, end] of each of Ninja's steps in this time. Its log has the times since Ninja began, and
    when the command began, which before the log's version 6 is when its file was written, or an older file's time."""
    starts, last = [], math.inf  # of Ninja, whose times begin anew: its commands, each of which may make several files
    with contextlib.suppress(OSError), open(package.folder / "build/.ninja_log", errors="replace") as lines:
        of_files = lines.readline().endswith("v5\n")
        for fields in (fields for fields in (line.split("\t") for line in lines) if len(fields) == 5):
            times, at = (int(fields[0]) / 1000, int(fields[1]) / 1000), int(fields[2]) / 1e9
            if times[1] < last:
                starts.append({})
            last = times[1]
            if begin - 1 <= at <= end + 1:
                name, zero = fields[3].removeprefix(f"{package.folder}/"), at - begin - times[of_files]
                starts[-1].setdefault((*times, fields[4]), (*times, zero, name))
    for commands in (start.values() for start in starts if start):
        zero = max(statistics.median(one[2] for one in commands), 0)
        for since, to, _, what in commands:
            yield [package.name, what, round(zero + since, 2), round(zero + to, 2)]


def cache_of(folder):
    """How many compiles ccache has found, and not found; {} where nobody asked it."""
    words = collections.Counter()
    with contextlib.suppress(OSError):
        words.update((folder / "ccache.log").read_text(errors="replace").splitlines())
    found = {"hit": words["direct_cache_hit"] + words["preprocessed_cache_hit"], "miss": words["cache_miss"]}
    return found if any(found.values()) else {}


def links_of(package):
    """[[library, what it is linked with]] of the libraries of a build: those of its own, and others by name."""
    found = set()
    with contextlib.suppress(OSError), open(package.folder / "build/build.ninja", errors="replace") as lines:
        for match in filter(None, map(LINK.match, lines)):
            name, needs = LIBRARY.search(match[1]), map(LIBRARY.search, match[2].partition(" || ")[0].split())
            found |= {(name[1], need[1]) for need in needs if name and need and need[1] != name[1]}
    return sorted(map(list, found))


def device_code(torchpkg, file):
    """{"sm_90": bytes} of a library's code for NVIDIA's GPUs, packed as it is; {} of another one, of one that is damaged, and without torchpkg."""
    with contextlib.suppress(OSError, subprocess.CalledProcessError):
        found = subprocess.check_output([torchpkg, "scan", "--device-code", file], stderr=subprocess.DEVNULL)
        return json.loads(found)["files"][0].get("device_code", {}).get("sizes", {})
    return {}


def sizes_of(tree):
    """{path: bytes} of what was packed, without debug information."""
    files = [pathlib.Path(top, name) for top, _, names in os.walk(tree) for name in names]
    sizes = {str(file.relative_to(tree)): file.stat().st_size for file in files if not file.is_symlink()}
    sizes = {path: size for path, size in sizes.items() if not path.startswith("debug/")}
    least, found = sum(sizes.values()) * SMALL, collections.Counter()
    for path, size in sizes.items():
        found[path if size >= least else os.path.dirname(path) or "."] += size
    return dict(found)


class Facts:
    """`code`: how the run ends, for one that is about to; None where its journal says so."""

    def __init__(self, folder, run, code=None):
        self.folder, self.run, self.build = pathlib.Path(folder), pathlib.Path(run), BuildFolder(folder)
        self.entries = read_journal(run)
        self.ends = [entry for entry in self.entries if "code" in entry]
        times = [entry["begin"] for entry in self.entries if "command" in entry]
        if not times:
            raise Failure(f"there is no journal of a run in {run}", "run a preset first, or name another run")
        self.code = self.ends[-1]["code"] if len(self.ends) == len(times) else code
        self.plan = if_there(self.run / "plan.json", {})
        self.begin = min([*times, *map(int, re.findall(r"^\d+$", self.run.name))])
        self.end = max(entry[when] for entry in self.entries for when in ("begin", "end", "at") if when in entry)
        self.declared = if_there(self.run / "run.json", None) or read_json(self.folder / "plan/run.json")
        self.packages = [*map(self.build.package, self.declared["packages"])]

    def steps(self):
        """`ran`: it had something to do."""
        for entry in self.entries:
            if "step" in entry:
                owner, step = entry["step"].split(" ")
                stamp = self.folder / f"steps/{owner}/{step}.json"
                new = stamp.stat().st_mtime >= entry["begin"] - 1 if stamp.exists() else bool(self.code)
                begin, end = (round(entry[when] - self.begin, 2) for when in ("begin", "end"))
                times = {"begin": begin, "end": end, "cpu": entry["cpu"]}
                yield {"step": entry["step"], **times, "ran": new or owner == "torchpkg"}

    def used(self, steps, samples):
        at_once, largest, free = zip(*(sample[1:] for sample in samples)) if samples else ([0], [0], [0])
        largest = max([*largest, *(entry["largest"] for entry in self.ends)])
        return {
            "wall_s": round(self.end - self.begin),
            "cpu_s": round(max(sum(one["cpu"] for one in some) for some in (self.ends, steps))),
            "memory_mb": max(*at_once, largest),
            "largest_mb": largest,
            "disk_mb": free[0] - min(free),
        }

    def sources(self):
        passed = if_there(self.folder / "fetch/origins.json", {})
        result = if_there(self.folder / "fetch/result.json", {}).get("sources") or {}
        for name, entry in sorted(result.items()):
            origin = passed.get(name, {})
            place = f"inside {entry['in']}" if "in" in entry else "the cache"
            known = {"name": name, "version": entry.get("version", ""), "status": entry["status"]}
            why = origin.get("passed", []) + ([entry["reason"]] if "reason" in entry else [])
            yield {**known, "from": origin.get("from") or entry.get("provider") or place, "why": why}

    def artifacts(self):
        for name in self.declared["artifacts"]:
            files = [one["file"] for one in if_there(self.folder / f"check/{name}/dist.json", [])]
            rows = []
            with contextlib.suppress(OSError):
                rows = [list(row) for row in rows_of(self.folder / "check" / name)]
            files = [[file, os.path.getsize(file)] for file in files if os.path.exists(file)]
            yield {"name": name, "files": files, "checks": rows, "sizes": sizes_of(self.folder / "stage" / name)}

    def off(self):
        """[feature, why, what helps]: of what nobody has chosen, and of what the release leaves out."""
        found = {}
        for package in self.packages:
            built = package.manifest.get("features", {}) if self.build.has(package.name, "manifest.json") else {}
            for feature, entry in (*package.declaration["features"].items(), *built.items()):
                why = entry.get("off") or entry.get("reason")
                if why:
                    found[feature] = [feature, why, entry.get("remedy", "")]
        return sorted(found.values())

    def all(self):
        steps, of_machine = list(self.steps()), ("cores", "farm", "available_mb", "compiler", "compiler_cache")
        samples = [one for one in self.entries if "at" in one]
        samples = [[round(one["at"] - self.begin), one["rss"], one["one"], one["free"]] for one in samples]
        libraries = sorted(self.folder.glob("packages/pytorch/install/lib/*.so")) if self.declared["archs"] else []
        torchpkg = self.build.settings["torchpkg"]
        devices = {file.name: device_code(torchpkg, file) for file in libraries if not file.is_symlink()}
        return {
            "schema": SCHEMA,
            "preset": self.declared["preset"],
            "release": self.declared["release"],
            "begin": self.begin,
            "code": self.code,
            "machine": {name: self.declared[name] for name in of_machine},
            "plan": self.plan,
            "used": self.used(steps, samples),
            "samples": samples,
            "steps": steps,
            "compiles": [one for package in self.packages for one in compiles_of(package, self.begin, self.end)],
            "cache": cache_of(self.run),
            "packages": {package.name: package.declaration["depends"] for package in self.packages},
            "links": links_of(self.build.package("pytorch")),
            "sources": list(self.sources()),
            "artifacts": list(self.artifacts()),
            "device_code": {name: code for name, code in devices.items() if code},
            "off": self.off(),
        }


def trace(facts):
    """For Perfetto, and chrome://tracing: steps, and Ninja's steps in as many lanes as ran at once."""
    rows = [(one["step"], "steps", 0, one["begin"], one["end"]) for one in facts["steps"]]
    rows += [(output, package, lane, begin, end) for package, output, begin, end, lane in with_lanes(facts["compiles"])]
    events = [
        {"name": name, "pid": of, "tid": lane, "ph": "X", "ts": begin * 1e6, "dur": (end - begin) * 1e6}
        for name, of, lane, begin, end in rows
    ]
    for at, memory, *_ in facts["samples"]:
        events.append({"name": "memory", "pid": "steps", "ph": "C", "ts": at * 1e6, "args": {"MB": memory}})
    return json.dumps({"traceEvents": events, "displayTimeUnit": "ms"})


def with_lanes(compiles):
    """Each with the number of the first lane that is free when it begins."""
    ends = []
    for one in sorted(compiles, key=lambda one: one[2]):
        lane = next((lane for lane, end in enumerate(ends) if end <= one[2] + 0.05), len(ends))
        ends[lane : lane + 1] = [one[3]]
        yield [*one, lane]
