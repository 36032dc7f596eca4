# SPDX-License-Identifier: BSD-3-Clause
"""Which workflow presets a fleet runs, in the order in which one compile serves most of them."""

import fnmatch
import json
import os

from engine import presets as preset_files
from engine.failure import Failure
from engine.folders import PROJECT as ROOT
from engine.model.data import MEMORY, Data


class Preset:
    """A workflow preset: its configure preset with the variables, what bootstrap.sh installs for it, what it has of a compile.
    `backends`: {name: what is true of it}. `folder`: where it builds."""

    def __init__(self, name, configure, variables, needs, backends, folder=""):
        self.name, self.configure, self.variables, self.needs, self.folder = name, configure, variables, needs, folder
        self.everything = variables.get("TSB_ARTIFACTS") == "all"
        # Presets that differ only in their artifacts share a compile, static libraries included.
        self.build = {key: value for key, value in variables.items() if key not in ("TSB_ARTIFACTS", "TSB_PRESET")}
        backend = variables.get("TSB_BACKEND", "")  # CMake says what an own preset lacks, when it is run
        facts = backends.get(backend, {})
        self.prebuilt, self.memory_mb = facts.get("prebuilt", False), facts.get("memory_mb", MEMORY)
        self.compile = "" if self.prebuilt else backend + self.blas
        # What only one preset may make at a time: a compile, the Python layer of one Python; an unpacked wheel.
        pythons = {need for need in needs if need.startswith("python")}
        build = json.dumps(self.build, sort_keys=True)
        self.makes = {(build, part) for part in {self.compile} | (set() if self.prebuilt else pythons)}

    @property
    def blas(self):
        blas = self.variables.get("TSB_BLAS") or self.variables.get("TSB_DEFAULT_BLAS")
        return f", {blas}" if blas else ""


def all_backends():
    """{name: what is true of it}"""
    data = Data(os.environ.get("TSB_ADDITIONS"))
    return {one["name"]: one for version in data.names("releases") for one in data.backends(data.release(version))}


def all_presets(user=True):
    """The presets of the project, and those of the user."""
    presets = {"configurePresets": {}, "workflowPresets": {}}
    for name in ["CMakePresets.json", "CMakeUserPresets.json"] if user else ["CMakePresets.json"]:
        preset_files.read(str(ROOT / name), presets, set())
    backends = all_backends()
    found = []
    for name, preset in presets["workflowPresets"].items():
        configure = preset["steps"][0]["name"]
        variables = preset_files.variables_of(configure, presets["configurePresets"])
        if "TSB_ARTIFACTS" in variables:  # not those of the project's own tests, nor one to develop in
            needs = preset_files.needs_of(configure, presets["configurePresets"]).split()
            folder = preset_files.build_folder(configure, presets["configurePresets"])
            found.append(Preset(name, configure, variables, needs, backends, folder))
    return found


def select(patterns):
    """The presets whose names match one of these patterns, such as `cpu-*`: those of one compile after each other, the one that
    makes most of it first. Error: a pattern that matches none."""
    presets = all_presets()
    names = [preset.name for preset in presets]
    chosen = []
    for pattern in patterns:
        fitting = [preset for preset in presets if fnmatch.fnmatchcase(preset.name, pattern)]
        if not fitting:
            remedy = preset_files.nearest(pattern, names)
            if "=" in pattern:
                remedy = f"a fleet takes settings from the environment: {pattern} ./bootstrap.sh fleet ..."
            raise Failure(f"fleet: no workflow preset that makes packages is called {pattern}", remedy, 2)
        chosen += [preset for preset in fitting if preset not in chosen]
    builds = []
    for preset in chosen:
        if preset.build not in builds:
            builds.append(preset.build)
    return sorted(chosen, key=lambda one: (builds.index(one.build), not one.everything))


def outlook(presets):
    """What will be compiled, once each, and which presets only pack what others have compiled."""
    compiled, packs = {}, []
    for preset in [one for one in presets if one.compile]:
        build = json.dumps(preset.build, sort_keys=True)  # two releases are two compiles
        if build in compiled:
            packs.append(preset.name)
        compiled.setdefault(build, preset)
    official = [preset.name for preset in presets if preset.prebuilt]
    lines = [f"compiled once: {preset.compile} (by {preset.name})" for preset in compiled.values()]
    if packs:
        lines.append(f"packed from these compiles: {', '.join(packs)}")
    if official:
        lines.append(f"packed from official wheels: {', '.join(official)}")
    return lines
