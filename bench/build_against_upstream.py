#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures our build of PyTorch against upstream's own, side by side: same sources, compiler and options.

    bench/build_against_upstream.py --build build/cpu-libtorch-shared                 # a sample of 5 %
    bench/build_against_upstream.py --build build/cpu-libtorch-shared --sample 20
    bench/build_against_upstream.py --build build/cpu-libtorch-shared --everything

"Upstream's own" is PyTorch's CMake as its README runs it, on the source tree that our build has fetched and patched,
with the cache options that our declaration gives: everything that its default target compiles, one source per
compile. Ours is what the superbuild compiles: sources in proven groups, and without the files that only
third-party tests use. No compiler cache on either side.

A sample is drawn from our compiles: every n-th, after sorting by name. Each one is run, and right after it upstream's
compiles of the same sources; upstream's compiles that ours has no counterpart for are sampled at the same rate. CPU seconds
are user + system of each compiler process. --everything runs all compiles of both sides, one side after the other, and
gives wall time as well; --repeat N does so N times, every second time in the other order. Writes bench/results/build.json.

--prepare ends before the first compile. The same folders can then be measured on another machine that has this compiler,
with --prepared.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "unity"))
import compiles  # noqa: E402

GENERATED = ["generate-torch-sources", "ATEN_CPU_FILES_GEN_TARGET"]


def cache_options(package):
    """The -D options of our configure, from its CMakeCache.txt: what the declaration set, without our folders."""
    with open(os.path.join(package, "package.json")) as stream:
        declared = json.load(stream)
    names = {option.split("=", 1)[0] for option in declared["options"]} - {"XNNPACK_BUILD_ALL_MICROKERNELS"}
    names |= {feature["option"] for feature in declared["features"].values()}
    names |= {"CMAKE_C_COMPILER", "CMAKE_CXX_COMPILER", "CMAKE_BUILD_TYPE", "CMAKE_PREFIX_PATH"}
    options = []
    with open(os.path.join(package, "build", "CMakeCache.txt")) as stream:
        for line in stream:
            match = re.match(r"([A-Za-z0-9_]+):[A-Z]+=(.*)", line)
            if match and match.group(1) in names:
                options.append(f"-D{match.group(1)}={match.group(2)}")
    environment = dict(os.environ, **dict(pair.split("=", 1) for pair in declared["environment"]))
    for name, value in environment.items():
        environment[name] = re.sub(
            r"@PREFIX_([a-z0-9-]+)@", lambda m: os.path.join(package, "..", m.group(1), "install"), value
        )
    return options, environment


def prepare_upstream(package, work):
    """Configures upstream's own build and generates its sources; returns its build folder."""
    build = os.path.join(work, "upstream")
    options, environment = cache_options(package)
    if not os.path.exists(os.path.join(build, "build.ninja")):
        subprocess.run(
            [
                "cmake",
                "-S",
                os.path.join(package, "source"),
                "-B",
                build,
                "-G",
                "Ninja",
                "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
                *options,
            ],
            check=True,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    targets = subprocess.run(["ninja", "-C", build, "-t", "targets", "all"], check=True, capture_output=True, text=True)
    generated = re.findall(r"^(\S*\.pb\.(?:h|cc)): CUSTOM_COMMAND", targets.stdout, re.M)
    subprocess.run(
        ["ninja", "-C", build, *GENERATED, *generated], check=True, env=environment, stdout=subprocess.DEVNULL
    )
    return build


def relative(path, build, source):
    """A name that is the same for both builds."""
    for folder, name in ((build, "build"), (source, "source")):
        if path.startswith(folder + os.sep):
            return name + path[len(folder) :]
    return path


def members_of(command):
    """The sources of a unit that CMake's UNITY_BUILD wrote, or the file itself."""
    if "/Unity/unity_" not in command.file:
        return [command.file]
    with open(command.file) as stream:
        return re.findall(r'#include "([^"]+)"', stream.read())


def cost(command, work):
    result = compiles.compile_one(command, command.file, os.path.join(work, "out.o"))
    if not result.ok:
        sys.exit(f"{command.file} does not compile:\n{result.errors[-2000:]}")
    return result


def default_compiles(build, out):
    """Writes the compiles of the default target to the file out, as a compile_commands.json."""
    listing = subprocess.run(
        ["ninja", "-C", build, "-t", "commands"], check=True, capture_output=True, text=True
    ).stdout
    objects = set(re.findall(r" -o (\S+\.o) -c ", listing))
    entries = json.loads(
        subprocess.run(["ninja", "-C", build, "-t", "compdb"], check=True, capture_output=True, text=True).stdout
    )
    compiled = []
    for entry in entries:
        if entry["output"] not in objects or not re.search(r" -c \S+$", entry["command"]):
            continue
        # Ninja's list names the dependency file; the object alone is what is measured.
        entry["command"] = re.sub(r" -MD -MT \S+ -MF \S+", "", entry["command"])
        entry["file"] = entry["command"].rsplit(" -c ", 1)[1]
        compiled.append(entry)
    with open(out, "w") as stream:
        json.dump(compiled, stream)


def prepare(package, work):
    """Configures upstream's build and lists the compiles of both."""
    default_compiles(os.path.join(package, "build"), os.path.join(work, "ours.json"))
    upstream = prepare_upstream(package, work)
    default_compiles(upstream, os.path.join(work, "theirs.json"))
    # What only a target behind many compiles writes is the same file in both builds.
    for command in compiles.load(os.path.join(work, "theirs.json")):
        if not os.path.exists(command.file):
            shutil.copy(os.path.join(package, "build", os.path.relpath(command.file, upstream)), command.file)


def everything(name, commands, jobs, work):
    """Runs all compiles of one side."""
    start = time.monotonic()
    costs = compiles.run_all(
        jobs,
        lambda n: compiles.compile_one(n[1], n[1].file, os.path.join(work, f"{n[0]}.o")),
        list(enumerate(commands)),
    )
    wall = time.monotonic() - start
    failed = [(c.file, r.errors) for c, r in zip(commands, costs) if not r.ok]
    if failed:
        sys.exit(f"{len(failed)} sources of {name} do not compile, first: {failed[0][0]}\n{failed[0][1][-2000:]}")
    return {
        "cpu_s": round(sum(r.cpu for r in costs), 1),
        "wall_s": round(wall, 1),
        "peak_mib": round(max(r.peak for r in costs)),
        "jobs": jobs,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="build folder of a preset that has been built")
    parser.add_argument("--sample", type=float, default=5, help="percent of our compiles (default 5)")
    parser.add_argument("--everything", action="store_true")
    parser.add_argument("--repeat", type=int, default=1, help="for --everything (default 1)")
    parser.add_argument(
        "--prepare", action="store_true", help="configure upstream, generate its sources, list all compiles"
    )
    parser.add_argument("--prepared", action="store_true", help="take the lists that --prepare made")
    parser.add_argument("--compiler", help="folder whose c++ and cc are used instead of the recorded ones")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="for --everything")
    parser.add_argument("--work", help="folder for upstream's build (default: <build>/bench)")
    parser.add_argument(
        "--out", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "results", "build.json")
    )
    options = parser.parse_args()
    package = os.path.abspath(os.path.join(options.build, "packages", "pytorch"))
    work = os.path.abspath(options.work or os.path.join(options.build, "bench"))
    os.makedirs(work, exist_ok=True)
    ours_build, source = os.path.join(package, "build"), os.path.join(package, "source")
    upstream_build = os.path.join(work, "upstream")
    if not options.prepared:
        prepare(package, work)
    ours = compiles.load(os.path.join(work, "ours.json"), options.compiler)
    theirs = compiles.load(os.path.join(work, "theirs.json"), options.compiler)
    partners = {}
    for command in theirs:
        partners.setdefault(relative(command.file, upstream_build, source), []).append(command)
    for command in ours:
        command.members = [relative(m, ours_build, source) for m in members_of(command)]
    ours_names = {m for c in ours for m in c.members}
    only_theirs = [c for c in theirs if relative(c.file, upstream_build, source) not in ours_names]
    print(
        f"compiles: ours {len(ours)}, upstream {len(theirs)}, of which {len(only_theirs)} have no counterpart",
        flush=True,
    )

    report = {
        "machine": {
            "cores": len(os.sched_getaffinity(0)),
            "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        },
        "compiles": {"ours": len(ours), "upstream": len(theirs), "only_upstream": len(only_theirs)},
    }
    if options.prepare:
        return
    if options.everything:
        report["runs"] = []
        for number in range(options.repeat):
            sides = [("ours", ours), ("upstream", theirs)]
            run = {
                name: everything(name, commands, options.jobs, work)
                for name, commands in sides[:: -1 if number % 2 else 1]
            }
            run["ratio"] = {k: round(run["ours"][k] / run["upstream"][k], 3) for k in ("cpu_s", "wall_s")}
            report["runs"].append(run)
            print(json.dumps(run), flush=True)
    else:
        step = max(1, round(100 / options.sample))
        pairs = []
        for command in sorted(ours, key=lambda c: c.members[0])[step // 2 :: step]:
            mine = cost(command, work)
            other = [cost(p, work) for m in command.members for p in partners.get(m, [])[:1]]
            pairs.append(
                {
                    "source": command.members[0],
                    "members": len(command.members),
                    "ours_cpu_s": round(mine.cpu, 2),
                    "upstream_cpu_s": round(sum(r.cpu for r in other), 2),
                    "peak_mib": round(mine.peak),
                }
            )
            print(
                f"{pairs[-1]['ours_cpu_s']:8.2f} {pairs[-1]['upstream_cpu_s']:8.2f}  {command.members[0]}", flush=True
            )
        extra = [cost(c, work).cpu for c in sorted(only_theirs, key=lambda c: c.file)[step // 2 :: step]]
        sums = {
            "ours": sum(p["ours_cpu_s"] for p in pairs),
            "upstream": sum(p["upstream_cpu_s"] for p in pairs) + sum(extra),
        }
        report["sample"] = {
            "percent": options.sample,
            "compiles": len(pairs),
            "only_upstream_cpu_s": round(sum(extra), 1),
            "ours_cpu_s": round(sums["ours"], 1),
            "upstream_cpu_s": round(sums["upstream"], 1),
            "ratio": round(sums["ours"] / sums["upstream"], 3),
            "ratio_same_sources": round(sums["ours"] / sum(p["upstream_cpu_s"] for p in pairs), 3),
        }
        report["pairs"] = pairs
    os.makedirs(os.path.dirname(options.out), exist_ok=True)
    with open(options.out, "w") as stream:
        json.dump(report, stream, indent=2)
        stream.write("\n")
    print(json.dumps({k: v for k, v in report.items() if k != "pairs"}, indent=2))


if __name__ == "__main__":
    main()
