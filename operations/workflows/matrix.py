# SPDX-License-Identifier: BSD-3-Clause
"""Computes the CI matrix from the presets and the model: compiles, their artifacts, and the subset for pull
requests."""

import collections
import dataclasses
import itertools

from engine.selection import Data, all_presets

# Pull requests build wheels and conda packages only for the Python of ubuntu-24.04, where jobs run without an image.
PYTHON = "3.12"
# Pull requests build every pair of values of PAIRS that occurs in a preset, and every value of EACH. Not what nobody has
# compiled yet: a failure would say nothing about the change, and there is a workflow of its own for it.
PAIRS = "kind", "product", "linkage", "deps"
EACH = "backend", "style", "blas"


@dataclasses.dataclass
class Compile:
    """The presets that share one compile. A job builds them, and other jobs follow it.

    whole: the presets to build for all artifacts; sparse: those that a pull request builds; gpu: cuda, rocm, or empty
    if no GPU is needed; artifacts: {artifact, as in a preset's name: whether a pull request builds it}."""

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
    """The pairs and values of a preset that the presets of pull requests must cover."""
    pairs = {frozenset((name, facts[name]) for name in pair) for pair in itertools.combinations(PAIRS, 2)}
    return pairs | {(name, facts[name]) for name in EACH}


def cover(candidates):
    """A small set of presets that covers what all candidates, {preset: facts}, want. Greedy: takes what adds most."""
    missing, chosen = set().union(*map(wants, candidates.values())), []
    while missing:
        best = max(candidates, key=lambda name: len(wants(candidates[name]) & missing))
        chosen.append(best)
        missing -= wants(candidates[best])
    for name in list(chosen):  # drops those that later choices made redundant
        others = [wants(candidates[other]) for other in chosen if other != name]
        if wants(candidates[name]) <= set().union(*others):
            chosen.remove(name)
    return chosen


def compiles(presets=None):
    """Yields a Compile for each group of presets, by default the shipped ones, in the order of the preset files."""
    data, facts, groups, candidates, places = Data(), {}, collections.OrderedDict(), {}, {}
    for preset in presets or all_presets(user=False):
        version = preset.variables["TSB_DEFAULT_PYTORCH_VERSION"]
        if version not in facts:
            release = data.release(version)
            facts[version] = release, {one["name"]: one for one in data.backends(release)}
        release, backend = facts[version][0], facts[version][1][preset.variables["TSB_BACKEND"]]
        row = data.artifacts(release, backend, "").get(preset.variables["TSB_ARTIFACTS"])
        key = backend["name"], preset.blas.strip(", "), version
        groups.setdefault(key, []).append(preset)
        places[key] = backend
        if row and row.get("python", PYTHON) == PYTHON and row["cell"]["word"] != "pinned":
            candidates[preset.name] = facts_of(preset, row, backend)
    sparse = cover(candidates)
    for (name, blas, version), members in groups.items():
        backend = places[name, blas, version]
        only = not any(other != version for one, two, other in groups if (one, two) == (name, blas))
        names = [preset.name for preset in members]
        # A preset for everything builds the artifacts of all others.
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
