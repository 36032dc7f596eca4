# SPDX-License-Identifier: BSD-3-Clause
"""The matrix of the jobs, from the presets and the model: what is compiled, what is made of it, and which of it a pull request
makes."""

import collections
import dataclasses
import itertools
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "fleet"))

from selection import Data, all_presets  # noqa: E402

# Of ubuntu-24.04, where jobs run without an image: pull requests make wheels and conda packages for it alone.
PYTHON = "3.12"
# Each two of these are together in a preset of a pull request, if any preset has them together; and each of EACH is in one.
PAIRS = "kind", "product", "linkage", "deps"
EACH = "backend", "style", "blas"


@dataclasses.dataclass
class Compile:
    """Presets of one compile: a job that builds them, and those that follow it. `whole` is all of it, `sparse` what a pull
    request makes; `gpu`: cuda or rocm, for what runs on such a GPU; `artifacts`: {what it is, as in a preset's name: whether a pull request makes it}."""

    name: str
    release: str
    gpu: str
    target: str
    whole: list
    sparse: list
    artifacts: dict


def facts_of(preset, row, backend):
    chosen = {name: row[name] for name in ("product", "linkage", "deps")}
    return chosen | {
        "kind": backend["folder"],
        "backend": backend["name"],
        "style": row.get("style"),
        "blas": preset.blas,
    }


def wants(facts):
    """What a set of presets must have of these facts."""
    pairs = {frozenset((name, facts[name]) for name in pair) for pair in itertools.combinations(PAIRS, 2)}
    return pairs | {(name, facts[name]) for name in EACH}


def cover(candidates):
    """A few of {preset: facts} that have all that all of them want: again and again the one that adds most."""
    missing, chosen = set().union(*map(wants, candidates.values())), []
    while missing:
        best = max(candidates, key=lambda name: len(wants(candidates[name]) & missing))
        chosen.append(best)
        missing -= wants(candidates[best])
    for name in list(chosen):  # whose part those after it have as well
        others = [wants(candidates[other]) for other in chosen if other != name]
        if wants(candidates[name]) <= set().union(*others):
            chosen.remove(name)
    return chosen


def compiles(presets=None):
    """[Compile] of presets that the project ships, in the order of the preset files."""
    data, groups, candidates, places = Data(), collections.OrderedDict(), {}, {}
    for preset in presets or all_presets(user=False):
        version = preset.variables["TSB_DEFAULT_PYTORCH_VERSION"]
        release = data.release(version)
        backend = next(one for one in data.backends(release) if one["name"] == preset.variables["TSB_BACKEND"])
        row = data.artifacts(release, backend, "").get(preset.variables["TSB_ARTIFACTS"])
        key = backend["name"], preset.blas.strip(", "), version
        groups.setdefault(key, []).append(preset)
        places[key] = backend
        if row and row.get("python", PYTHON) == PYTHON:
            candidates[preset.name] = facts_of(preset, row, backend)
    sparse = cover(candidates)
    for (name, blas, version), members in groups.items():
        backend = places[name, blas, version]
        only = not any(other != version for one, two, other in groups if (one, two) == (name, blas))
        names = [preset.name for preset in members]
        # One of everything makes the artifacts of the others, once.
        whole = [preset.name for preset in members if preset.everything] or names
        yield Compile(
            name="-".join(filter(None, [name, blas, "" if only else version])),
            release=version,
            gpu=backend["kind"] if backend.get("toolkit") else "",
            target=backend.get("target", "x86_64"),
            whole=whole,
            sparse=[preset for preset in names if preset in sparse],
            artifacts={
                preset.name.removeprefix(name + "-").removesuffix(f"-{version}"): preset.name in sparse
                for preset in members
                if not preset.everything
            },
        )
