# SPDX-License-Identifier: BSD-3-Clause
"""All that a report says about a run, as one object: from its journal and its plan, and from what its steps have left in the
build folder. Times are seconds since the run began."""

import contextlib
import json
import os
import pathlib
import re
import statistics
import subprocess
import zipfile

from deliver import rows_of

from engine.build_folder import BuildFolder, read_json
from engine.failure import Failure
from engine.one_run.journal import read_journal

LINK = re.compile(r"build (\S+?)(?: \S+)*: \w+_(?:SHARED|STATIC|MODULE)_LIBRARY_LINKER__\S+ (.*)")
LIBRARY = re.compile(r"lib([^/]*?)\.(?:a|so[.\d]*)$")
HITS = {"direct_cache_hit", "preprocessed_cache_hit"}
SMALL = 0.001  # of an artifact's size: such files are counted together


def if_there(path):
    return read_json(path) if path.is_file() else None


def compiles_of(package, begin, end):
    """[(package, what it makes, begin, end)] of Ninja's steps in this time. Its log has the times since that Ninja began, and
    of the file either when its command began, from 1.12 on, or when it was written."""
    entries = {}  # one for each command, which may make several files
    with contextlib.suppress(OSError), open(package.folder / "build/.ninja_log", errors="replace") as lines:
        for line in lines:
            fields = line.split("\t")
            if len(fields) == 5 and begin - 1 <= int(fields[2]) / 1e9 <= end + 1:
                times = int(fields[0]) / 1000, int(fields[1]) / 1000
                entries.setdefault((*times, fields[4]), (*times, int(fields[2]) / 1e9, fields[3]))
    if not entries:
        return []
    spread = []
    for when in (0, 1):
        zeros = [entry[2] - entry[when] for entry in entries.values()]
        middle = statistics.median(zeros)
        spread.append(statistics.median(abs(zero - middle) for zero in zeros))
    shift = int(spread[1] < spread[0])
    found = []
    for first, last, at, output in entries.values():
        since = at - (last - first) * shift - begin
        found.append([package.name, output, round(max(since, 0), 2), round(max(since, 0) + last - first, 2)])
    return sorted(found, key=lambda one: one[2])


def cache_of(folder):
    """{how ccache has found it: number}, and {name: {source: whether it was there}}; a source that was and was not has no word."""
    counts, words, source = {"hit": 0, "miss": 0, "not kept": 0}, {}, ""
    with contextlib.suppress(OSError), open(folder / "ccache.log", errors="replace") as lines:
        for line in map(str.strip, lines):
            if line.startswith("# "):
                source = line[2:]
            elif line in HITS or line == "cache_miss":
                word, of_name = "hit" if line in HITS else "miss", words.setdefault(os.path.basename(source), {})
                of_name[source] = word if of_name.get(source, word) == word else ""
                counts[word] += 1
            elif line.startswith(("unsupported", "could_not", "bad_")):
                counts["not kept"] += 1
    return counts if sum(counts.values()) else {}, words


def word_of(output, sources):
    """That of the source whose path ends most as the output's, {source: word}; none where two do."""
    parts = [path.split("/")[::-1] for path in (output, *sources)]
    ends = [len(os.path.commonprefix([parts[0], part])) for part in parts[1:]]
    return [*sources.values()][ends.index(max(ends))] if ends and ends.count(max(ends)) == 1 else ""


def links_of(package):
    """[[library, what it is linked with]] of the libraries of a build: those of its own, and others by name."""
    found = set()
    with contextlib.suppress(OSError), open(package.folder / "build/build.ninja", errors="replace") as lines:
        for line in lines:
            if match := LINK.match(line):
                name = LIBRARY.search(match[1])
                words = match[2].partition(" || ")[0].split()
                needs = [one[1] for one in map(LIBRARY.search, words) if one]
                found |= {(name[1], need) for need in needs if name and need != name[1]}
    return sorted(map(list, found))


def device_code(torchpkg, file):
    """{"sm_90": bytes} of a library's code for NVIDIA's GPUs, packed as it is; {} of another one, and of one that is damaged."""
    done = subprocess.run([torchpkg, "scan", "--device-code", file], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return {} if done.returncode else json.loads(done.stdout)["files"][0].get("device_code", {}).get("sizes", {})


def sizes_of(folder, artifact):
    """[(path, bytes, bytes in the packed file or nothing)] of what is in an artifact."""
    packed = [file for file in folder.glob(f"packed/{artifact}/*") if file.suffix in (".zip", ".whl")]
    packed = [file for file in packed if not file.name.startswith("debug-")]
    if packed:
        with zipfile.ZipFile(packed[0]) as content:
            files = [(one.filename, one.file_size, one.compress_size) for one in content.infolist()]
    else:
        tree = folder / "stage" / artifact
        tree = tree / "prefix" if (tree / "prefix").is_dir() else tree  # of a conda package
        some = [pathlib.Path(top, name) for top, _, names in os.walk(tree) for name in names]
        some = [file for file in some if not file.is_symlink() and file.relative_to(tree).parts[0] != "debug"]
        files = [(str(file.relative_to(tree)), file.stat().st_size, 0) for file in some]
    least, found, rest = sum(size for _, size, _ in files) * SMALL, [], {}
    for path, size, inside in files:
        if size >= least:
            found.append([path, size, inside])
        elif size:
            more = rest.setdefault(os.path.dirname(path), [0, 0, 0])
            rest[os.path.dirname(path)] = [more[0] + 1, more[1] + size, more[2] + inside]
    found += [[f"{place or '.'}/({count} small)", *sizes] for place, (count, *sizes) in rest.items()]
    return found


class Facts:
    """`code`: how the run ends, for one that is about to; None where its journal says so."""

    def __init__(self, folder, run, code=None):
        self.folder, self.run, self.build = pathlib.Path(folder), pathlib.Path(run), BuildFolder(folder)
        self.entries = read_journal(run)
        codes = [entry["code"] for entry in self.entries if "code" in entry]
        ended = len(codes) == sum("command" in entry for entry in self.entries)
        self.code = codes[-1] if ended and codes else code
        times = [entry["begin"] for entry in self.entries if "command" in entry]
        if not times:
            raise Failure(f"there is no journal of a run in {run}", "run a preset first, or name another run")
        self.plan = if_there(self.run / "plan.json") or {}
        self.begin = min([*times, *map(int, re.findall(r"^\d+$", self.run.name))])
        self.end = max(entry[when] for entry in self.entries for when in ("begin", "end", "at") if when in entry)
        self.declared = if_there(self.run / "run.json") or read_json(self.folder / "plan/run.json")

    def steps(self):
        for entry in self.entries:
            if "step" in entry:
                owner, step = entry["step"].split(" ")
                stamp = self.folder / f"steps/{owner}/{step}.json"
                ran = owner == "torchpkg" or stamp.exists() and stamp.stat().st_mtime >= entry["begin"] - 1
                begin, end = (round(entry[when] - self.begin, 2) for when in ("begin", "end"))
                failed = not stamp.exists() and owner != "torchpkg" and self.code
                times = {"begin": begin, "end": end, "cpu": entry["cpu"]}
                yield {"step": entry["step"], **times, "ran": ran or bool(failed)}

    def used(self):
        samples = [entry for entry in self.entries if "at" in entry]
        ends = [entry for entry in self.entries if "code" in entry]
        free = [entry["free"] for entry in samples]
        cpu = max(sum(entry["cpu"] for entry in ends), sum(step["cpu"] for step in self.steps()))
        return {
            "wall_s": round(self.end - self.begin),
            "cpu_s": round(cpu),
            "memory_mb": max((entry["rss"] for entry in samples), default=0),
            "largest_mb": max([entry["largest"] for entry in ends] + [entry["one"] for entry in samples], default=0),
            "disk_mb": free[0] - min(free) if free else 0,
        }

    def packages(self):
        for name in self.declared["packages"]:
            package = self.build.package(name)
            sources = package.sources if self.build.has(name, "sources.json") else {}
            state = next((state for state, names in self.plan.get("packages", {}).items() if name in names), "")
            yield {
                "name": name,
                "version": sources.get(package.declaration["source"], {}).get("version", ""),
                "depends": package.declaration["depends"],
                "state": state,
            }

    def sources(self):
        passed, seen = if_there(self.folder / "fetch/origins.json") or {}, set()
        for name, entry in sorted(((if_there(self.folder / "fetch/result.json") or {}).get("sources") or {}).items()):
            told = passed.get(name, {})
            where = (
                told.get("from") or entry.get("provider") or (f"inside {entry['in']}" if "in" in entry else "the cache")
            )
            why = told.get("passed", []) + ([entry["reason"]] if "reason" in entry else [])
            if name not in seen:
                yield {
                    "name": name,
                    "version": entry.get("version", ""),
                    "status": entry["status"],
                    "from": where,
                    "why": why,
                }
            seen.add(name)

    def artifacts(self):
        """Checks, sizes, device code and what is off of each."""
        for name in self.declared["artifacts"]:
            work, files = self.folder / "check" / name, if_there(self.folder / f"check/{name}/dist.json") or []
            rows = []
            with contextlib.suppress(OSError):
                rows = [list(row) for row in rows_of(work)]
            yield {
                "name": name,
                "files": [[one["file"], os.path.getsize(one["file"])] for one in files if os.path.exists(one["file"])],
                "checks": rows,
                "sizes": sizes_of(self.folder, name),
            }

    def off(self):
        """[(feature, why, what helps)]: of what nobody has chosen, and of what the release leaves out."""
        found = {}
        for name in self.declared["packages"]:
            package = self.build.package(name)
            for feature, entry in package.declaration["features"].items():
                if entry["off"]:
                    found[feature] = [feature, entry["off"], entry["remedy"]]
            if self.build.has(name, "manifest.json"):
                for feature, entry in (package.manifest.get("features") or {}).items():
                    if "reason" in entry:
                        found[feature] = [feature, entry["reason"], entry.get("remedy", "")]
        return sorted(found.values())

    def all(self):
        cache, words = cache_of(self.run)
        packages = map(self.build.package, self.declared["packages"])
        compiles = [one for package in packages for one in compiles_of(package, self.begin, self.end)]
        for compile_ in compiles:
            source = compile_[1].removesuffix(".o")
            compile_.append(word_of(source, words.get(os.path.basename(source), {})))
        libraries = sorted(self.folder.glob("packages/pytorch/install/lib/*.so")) if self.declared["archs"] else []
        torchpkg = self.build.settings["torchpkg"]
        devices = {file.name: device_code(torchpkg, file) for file in libraries if not file.is_symlink()}
        return {
            "schema": 1,
            "preset": self.declared["preset"],
            "release": self.declared["release"],
            "begin": self.begin,
            "code": self.code,
            "machine": {name: self.declared[name] for name in ("cores", "available_mb", "compiler")},
            "plan": self.plan,
            "used": self.used(),
            "samples": [
                [round(entry["at"] - self.begin), entry["rss"], entry["one"], entry["free"]]
                for entry in self.entries
                if "at" in entry
            ],
            "steps": list(self.steps()),
            "compiles": compiles,
            "cache": cache,
            "packages": list(self.packages()),
            "links": links_of(self.build.package("pytorch")),
            "sources": list(self.sources()),
            "artifacts": list(self.artifacts()),
            "device_code": {name: code for name, code in devices.items() if code},
            "off": self.off(),
        }


def trace(facts):
    """For Perfetto, and chrome://tracing: steps, and Ninja's steps in as many lanes as ran at once."""
    events, lanes = [], {}
    for step in facts["steps"]:
        lanes.setdefault("steps", [])
        event = {"name": step["step"], "pid": "steps", "tid": 0, "ts": step["begin"] * 1e6}
        events.append({**event, "ph": "X", "dur": (step["end"] - step["begin"]) * 1e6, "args": {"cpu": step["cpu"]}})
    for package, output, begin, end, cache, lane in with_lanes(facts["compiles"]):
        event = {"name": os.path.basename(output), "pid": package, "tid": lane, "ts": begin * 1e6, "ph": "X"}
        events.append({**event, "dur": (end - begin) * 1e6, "args": {"output": output, "cache": cache}})
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
