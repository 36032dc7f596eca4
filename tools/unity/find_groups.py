#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Finds groups of PyTorch sources that compile as one unit and mean the same as alone.

    find_groups.py --database BUILD/compile_commands.json --source PYTORCH --measured alone.json
                   --version 9.9.0 --out DIR [--jobs N] [--compiler DIR] [--also FLAGS]

--measured is written by unity_compile.py --target torch_cpu --target c10 (any --target given here must be in it;
oneDNN and other third-party trees were searched in a run of their own). --also (repeatable): the groups must also compile
with these flags added, e.g. for features off; -I go before the usual ones, the rest after.
Writes unity_groups.txt, unity_exclude.txt and find_groups.json into DIR; the first two belong in
releases/<version>/pytorch/. The groups are proven in three ways: they compile (and with --also), no macro of a source reaches
a later one (macros.py), and each function is compiled to the same as alone (same_code.py). Takes 9 minutes on 16 cores.
"""

import argparse
import hashlib
import itertools
import json
import os
import shlex
import sys
import time

import blame
import compiles
import grouping
import headers
import macros
import same_code


class Finder:
    def __init__(self, options):
        self.options = options
        self.work = os.path.join(options.work or options.out, "units")
        os.makedirs(self.work, exist_ok=True)
        self.commands = {}
        every = [c for c in compiles.load(options.database, options.compiler) if c.target in options.target]
        for command in every:
            self.commands[command.file] = command
        self.flags = {t: grouping.usual_flags([c for c in every if c.target == t]) for t in options.target}
        with open(options.measured) as stream:
            self.measured = json.load(stream)["sources"]
        self.alone, self.culprits, self.units = {}, {}, {}
        self.numbers = itertools.count(1)  # next() of it is safe between threads
        self.compiles = 0

    def name(self, path):
        return os.path.relpath(path, self.options.source)

    def say(self, text):
        print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)

    def build(self, members, extra, output=None, front=()):
        unit = os.path.join(self.work, f"unit{next(self.numbers)}.cpp")
        thrown_away = output is None
        output = output or unit + ".o"
        compiles.write_unit(unit, members)
        flags = [*front, *self.flags[self.commands[members[0]].target]]
        self.compiles += 1
        result = compiles.compile_one(self.commands[members[0]], unit, output, extra, flags)
        if thrown_away and os.path.exists(output):
            os.remove(output)
        return result

    def passing(self, members, extra=("-w",), front=()):
        """(members that compile together, {culprit: why})."""
        members, out = list(members), {}
        while len(members) > 1:
            result = self.build(members, extra, front=front)
            if result.ok:
                if not front:
                    self.units[members[0]] = {
                        "members": [self.name(m) for m in members],
                        "cpu": round(result.cpu, 2),
                        "peak": round(result.peak, 1),
                    }
                break
            blamed = blame.blame(result.errors, members)
            if blamed:
                gone, why = blame.culprit(blamed)
            else:
                gone, why = members[-1], (result.errors.strip().splitlines() or ["killed"])[-1]
            members.remove(gone)
            out[gone] = why
        return members, out

    def candidates(self):
        """{key: sources in the target's order}"""
        keys = {}
        for path, command in self.commands.items():
            measured = self.measured.get(path)
            key, why = grouping.group_key(command, self.options.source, self.flags[command.target])
            if key and measured and measured["ok"]:
                keys.setdefault((command.target, *key), []).append(path)
            elif key:
                self.alone[path] = "did not compile alone when measured"
            elif path.startswith(self.options.source):
                self.alone[path] = why
        return keys

    def checked(self, group):
        sources = [macros.Source(m, self.measured[m]["headers"]) for m in group]
        return dict(macros.conflicts(sources))

    def search(self, keys):
        """Rounds of: split, check macros, compile; culprits meet again in the next round."""
        cost = {p: m["cpu"] for p, m in self.measured.items()}
        peak = {p: m["peak"] for p, m in self.measured.items()}
        found, why, left = [], {}, 0
        for number in range(1, 5):
            groups = [
                (key, g) for key, members in keys.items() for g in grouping.split(members, cost, peak) if len(g) > 1
            ]
            groups.sort(key=lambda item: -sum(cost[m] for m in item[1]))

            def one(item):
                key, group = item
                bad = self.checked(group)
                good, clash = self.passing([m for m in group if m not in bad])
                return key, good, {**bad, **clash}

            keys = {}
            for key, good, bad in compiles.run_all(self.options.jobs, one, groups):
                if len(good) > 1:
                    found.append((key, good))
                else:
                    bad = {**bad, **{m: why.get(m, "nothing left to share a unit with") for m in good}}
                why.update(bad)
                for member in bad:
                    keys.setdefault(key, []).append(member)
            self.say(
                f"round {number}: {len(found)} groups of {sum(len(g) for _, g in found)} sources, "
                f"{sum(map(len, keys.values()))} culprits, {self.compiles} compiles"
            )
            if not any(good for good in keys.values()) or sum(map(len, keys.values())) == left:
                break
            left = sum(map(len, keys.values()))
            order = {path: i for i, path in enumerate(self.commands)}
            for members in keys.values():
                members.sort(key=order.get)
        grouped = {m for _, g in found for m in g}
        self.culprits.update({m: w for m, w in why.items() if m not in grouped})
        return found

    def also(self, found, text):
        """Takes out what does not compile together under other flags."""
        flags = shlex.split(text)
        front = [f for f in flags if f.startswith("-I")]
        extra = ["-fsyntax-only", "-w"] + [f for f in flags if not f.startswith("-I")]

        def one(item):
            key, group = item
            good, bad = self.passing(group, extra, front)
            for member in list(bad):
                if not self.build([member], extra, front=front).ok:
                    del bad[member]  # not compiled at all in such a build
            return key, [m for m in group if m not in bad], bad

        result = []
        for key, good, bad in compiles.run_all(self.options.jobs, one, found):
            result.append((key, good))
            self.culprits.update({m: f"with {text}: {w}" for m, w in bad.items()})
        self.say(f"also {text}: {self.compiles} compiles so far")
        return result

    def same(self, found):
        """Takes out the members of which any function is compiled to something else than alone."""
        report = {}
        members = [m for _, g in found for m in g]
        members.sort(key=lambda m: -self.measured[m]["cpu"])

        def read(paths, name):
            output = os.path.join(self.work, name + ".o")
            result = self.build(paths, same_code.FLAGS, output)
            if not result.ok:
                return None
            return output

        def one(numbered):
            number, paths = numbered
            return read(paths, f"same{number}")

        work = [[m] for m in members] + [g for _, g in found]
        objects = compiles.run_all(self.options.jobs, one, enumerate(work))
        self.say("compiled for comparison")
        from concurrent.futures import ProcessPoolExecutor

        with ProcessPoolExecutor(self.options.jobs) as pool:
            codes = list(pool.map(_functions, objects))
        alone = dict(zip(members, codes))
        paths = dict(zip(members, objects))
        result = []
        for (key, group), code, unit in zip(found, codes[len(members) :], objects[len(members) :]):
            if code is None or any(alone[m] is None for m in group):
                report[self.name(group[0])] = "not compared: did not compile at -O0"
                self.culprits.update({m: "not compared: did not compile at -O0" for m in group})
                continue
            names, start = same_code.differences([alone[m] for m in group], code)
            if names or start:
                report[self.name(group[0])] = {
                    "functions": len(names),
                    "start_up": start,
                    "explained": same_code.explain([paths[m] for m in group], unit, names[:300]),
                }
                for member in group:
                    mine = [
                        n for n in names if n in alone[member][0] and not alone[member][0][n] <= code[0].get(n, set())
                    ]
                    if mine:
                        report[self.name(group[0])].setdefault("members", {})[self.name(member)] = mine
                        self.culprits[member] = (
                            f"in a unit, {mine[0][:60]} (digits left out) is compiled to something else"
                        )
                group = [m for m in group if m not in self.culprits]
            result.append((key, group))
        for path in filter(None, objects):
            os.remove(path)
        self.say(f"{len(codes)} objects compared, {len(report)} groups differ")
        return result, report

    def write(self, found, report):
        os.makedirs(self.options.out, exist_ok=True)
        version = self.options.version
        with open(os.path.join(self.options.out, "unity_groups.txt"), "w") as stream:
            stream.write(
                f"# Sources of PyTorch {version} that share a compile. Written by tools/unity/find_groups.py.\n"
            )
            for project, folders in headers.PROJECTS.items():
                stream.write(f"% {headers.digest(self.options.source, folders)} {project} {' '.join(folders)}\n")
            numbers = {}
            for (target, folder, assertion), group in found:
                if len(group) < 2:
                    continue
                label = folder.replace("/", "_").replace("aten_src_ATen", "aten")
                label += {
                    "": "",
                    "TORCH_ASSERT_NO_OPERATORS": "_no_operators",
                    "TORCH_ASSERT_ONLY_METHOD_OPERATORS": "_method_operators",
                }[assertion]
                numbers[label] = numbers.get(label, 0) + 1
                stream.write(f"@ {target} {label}_{numbers[label]:02}\n")
                stream.writelines(f"{digest(m)} {self.name(m)}\n" for m in group)
        with open(os.path.join(self.options.out, "unity_exclude.txt"), "w") as stream:
            for member, why in sorted(self.culprits.items()):
                stream.write(f"{self.name(member)} {why}\n")
        with open(os.path.join(self.options.out, "find_groups.json"), "w") as stream:
            json.dump(
                {
                    "compiles": self.compiles,
                    "units": list(self.units.values()),
                    "left_alone": {self.name(m): why for m, why in sorted(self.alone.items())},
                    "differences": report,
                },
                stream,
                indent=1,
            )

    def run(self):
        found = self.search(self.candidates())
        self.write(found, {})
        for text in self.options.also:
            found = self.also(found, text)
        found = [item for item in found if len(item[1]) > 1]
        self.write(found, {})
        found, report = self.same(found)
        self.write(found, report)


def digest(path):
    with open(path, "rb") as stream:
        return hashlib.sha256(stream.read()).hexdigest()[:12]


def _functions(path):
    return None if path is None else same_code.functions(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--measured", required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--work", help="folder for units and objects (default: --out)")
    parser.add_argument("--target", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--compiler", help="folder with the c++ to use instead of the recorded one")
    parser.add_argument("--also", action="append", default=[])
    options = parser.parse_args()
    options.target = options.target or ["torch_cpu", "c10"]
    options.source = os.path.abspath(options.source)
    Finder(options).run()


if __name__ == "__main__":
    sys.exit(main())
