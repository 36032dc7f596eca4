# SPDX-License-Identifier: BSD-3-Clause
"""Completes what configure has declared by what the pins say, and writes it for the steps that build.

    plan.py <build folder>

Read are plan/declared.json (cmake/model/tsb_plan_packages.cmake) and what model.py has written. Written are

    packages/<package>/package.json   the declaration, with places, patches, toolchain, and options for another processor
    packages/<package>/pins.json      the pins of its sources
    packages/<package>/machine.json   where on this machine it lies (MACHINE)
    artifacts/<name>.json             an artifact: its row in packaging/artifacts.json, and all that decides what is in it
    plan/backend.json                 the backend, with `configured`, what configure knows of the machine
    fetch/request.json                what fetch has to get (engine/sources/request.py)

A file that is the same already keeps its time.
"""

import difflib
import os
import re
from hashlib import sha256

from engine.build_folder import read_json
from engine.failure import Failure
from engine.model.artifacts import artifacts_of
from engine.model.own_patches import of_pins
from engine.model.record import write_record
from engine.model.variant import set_options
from engine.sources.pins import read as read_pins
from engine.sources.request import choose_pins
from engine.sources.run_pip import python_with_pip
from engine.text import say, without_password


def lower(arguments):
    """Members instead of a CMake function's arguments: OPTIONS is `options`."""
    return {name.lower(): value for name, value in arguments.items()}


def shown(mirror):
    """As an input, which explain may show: what a path holds may be a token."""
    return re.sub("(://[^/]*).*", r"\1", without_password(mirror)) + f" ({sha256(mirror.encode()).hexdigest()[:8]})"


def check_spelling(arguments):
    """A misspelt argument counts as an entry of the list before it; what the other lists hold is looked for elsewhere."""
    for member in ("PROVIDES", "SYSTEM", "MODULES"):
        for entry in filter(re.compile("[A-Z_]+").fullmatch, arguments[member]):
            for nearest in difflib.get_close_matches(entry, arguments, 1, 0.88):
                raise Failure(f"package {arguments['NAME']}: {member} has '{entry}'. Did you mean {nearest}?")


class Plan:
    def __init__(self, folder):
        self.folder = folder
        self.declared = read_json(f"{folder}/plan/declared.json")
        for of in self.declared["packages"].values():
            check_spelling(of["declared"])
        self.packages = {
            name: lower(of["declared"]) | {"features": {key: lower(one) for key, one in of["features"].items()}}
            for name, of in self.declared["packages"].items()
        }
        self.backend = self.model("backend")
        configured = {**(self.declared["resolved"] or {}), **(self.declared["configured"] or {})}
        if configured:
            self.backend["configured"] = configured
        self.target = self.model("target")
        self.release = self.model("release")
        self.cross = bool(self.target.get("cross"))
        self.pins_file = self.declared["pins"]
        self.pins = read_pins(self.pins_file)
        self.off = []

    def model(self, name):
        """A record that model.py has written."""
        file = f"{self.folder}/model/{name}.json"
        return read_json(file) if os.path.exists(file) else {}

    def check_allowed(self):
        """TSB_ALLOW_MISSING may name features of other presets."""
        features = [name for package in self.packages.values() for name in package["features"]]
        known = sorted({"all", *features, *self.model("model").get("features", [])})
        for name in set(self.declared["allow_missing"]) - set(known):
            near = [f"did you mean {one}?" for one in difflib.get_close_matches(name.upper(), known, 1)]
            hint = "".join(near) or f"there are: {', '.join(known)};"
            raise Failure(
                f"  TSB_ALLOW_MISSING names '{name}', which is not a feature\n  {hint} correct it, or unset it"
            )

    def leave_out(self):
        """Takes out what another backend needs, and what only features need that are off in all packages."""
        features = [feature for package in self.packages.values() for feature in package["features"].items()]
        on = {name for name, feature in features if not feature["off"]}
        self.off = sorted({name for name, _ in features} - on)
        for name, feature in features:
            feature["sources"] = [] if name in self.off else feature["sources"]
        choose_pins(self.pins, self.backend, self.off)

    def optional(self):
        """{package: (the feature that needs it, whose it is)}: packages that can be done without."""
        found = {}
        for package in self.packages.values():
            for name, feature in package["features"].items():
                for needed in feature["packages"]:
                    if needed not in self.packages:
                        raise Failure(
                            f"feature {name} of {package['name']} needs package {needed}, on which nothing depends: "
                            "add it to DEPENDS"
                        )
                    found[needed] = (name, package["name"])
        return found

    def sources_of(self, package):
        """Adds where further sources and submodules belong in the tree, and to each feature its submodules."""
        main = package["source"]
        places = {}
        for names in (package["sources"], *(feature["sources"] for feature in package["features"].values())):
            places.update((name, name) for name in names if name != main)
        spare = []
        for submodule in self.pins["sources"].get(main, {}).get("submodules", []):
            name, feature = submodule["name"], submodule.get("feature")
            places.pop(name, None)
            places[name] = submodule["path"]
            if feature in package["features"]:
                package["features"][feature]["sources"].append(name)
            elif feature:
                spare.append(name)  # only a feature needs it that the package does not have
        package["place"] = [f"{name}={place}" for name, place in places.items()]
        package["all_sources"] = list(dict.fromkeys(([main] if main else []) + list(places)))
        package["spare_sources"] = spare

    def pins_of(self, package):
        """Adds the patches of its sources. The pins of these."""
        pins, patches, files = {}, {}, []
        for source in package["all_sources"]:
            if source not in self.pins["sources"]:
                raise Failure(f"package {package['name']}: its source '{source}' has no pin in {self.pins_file}")
            pins[source] = self.pins["sources"][source]
            if pins[source].get("patches"):
                patches[source] = pins[source]["patches"]
            for patch in pins[source].get("patches", []):
                file = f"{os.path.dirname(self.pins_file)}/patches/{patch['file']}"
                if not os.path.exists(file):
                    raise Failure(
                        f"  source {source}: there is no patch {file}\n"
                        f"  put it there, or correct 'file' in {self.pins_file}"
                    )
                files.append(file)
        package.update(patches=patches, patch_files=files)
        return pins

    def add_toolchain(self, package):
        """Adds what compiles it, and for another processor the options that a toolchain file would set."""
        cross = self.cross and package["build_only"] != "TRUE"
        toolchains = self.declared["toolchains"]
        package["toolchain"] = dict(toolchains["target" if cross else "machine"])
        if self.backend.get("toolkit") in package["depends"]:
            package["toolchain"].update(toolchains["toolkit"] or {})  # a prebuilt backend compiles nothing with it
            package["inputs"] += self.declared["toolkit_files"]
        if any(option.startswith("CMAKE_Fortran_COMPILER=") for option in package["options"]):
            package["toolchain"].update(toolchains["fortran"])
        if cross and package["build_system"] == "make":
            title = self.target["title"]
            raise Failure(
                f"  package {package['name']}: BUILD_SYSTEM make is not supported for {title}\n"
                "  leave it out for this backend"
            )
        if cross and package["build_system"] == "cmake":
            package["options"] = self.cross_options() + package["options"]  # its own prevail

    def cross_options(self):
        """Libraries, headers and packages are only searched for in /usr/<triplet> and in what our packages install, so that
        nothing of this machine gets in. https://cmake.org/cmake/help/latest/manual/cmake-toolchains.7.html#cross-compiling"""
        return [
            "CMAKE_SYSTEM_NAME=Linux",
            f"CMAKE_SYSTEM_PROCESSOR={self.target['processor']}",
            f"CMAKE_C_COMPILER={self.target['c_compiler']}",
            f"CMAKE_CXX_COMPILER={self.target['cxx_compiler']}",
            f"CMAKE_FIND_ROOT_PATH=/usr/{self.target['triplet']};@PACKAGES_DIR@",
            "CMAKE_FIND_ROOT_PATH_MODE_PROGRAM=NEVER",
            "CMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY",
            "CMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY",
            "CMAKE_FIND_ROOT_PATH_MODE_PACKAGE=ONLY",
        ]

    def complete(self, package, optional):
        """The text of its package.json, and of its pins.json."""
        self.sources_of(package)
        pins = self.pins_of(package)
        self.add_toolchain(package)
        python = self.declared["pythons"].get(package["python"])
        if python:  # where it lies changes no result
            package.update(python_description=python["description"], python_executable=python["executable"])
        elif any("@PYTHON@" in value for value in package["options"] + package["environment"]):
            package["python_description"] = self.declared["generator"]
        if package["name"] in optional:
            package["optional"] = "ON"
        if package["machine"]:
            package["machine"] = read_json(package["machine"])
        for member in ("all_provided", "pins", "build_folder", "store", "debug_info"):
            package[member] = self.declared[member]
        return package, pins

    def asked_sources(self, optional):
        """What fetch is asked for, with what needs it."""
        for package in self.packages.values():
            needed_by = optional.get(package["name"])
            for source in ([package["source"]] if package["source"] else []) + package["sources"]:
                if needed_by:
                    yield self.of_feature(source, *needed_by)
                else:
                    yield {"name": source, "required": True, "needed_by": f"package {package['name']}"}
            for name, feature in package["features"].items():
                for source in feature["sources"]:
                    yield self.of_feature(source, name, package["name"])

    @staticmethod
    def of_feature(source, name, package):
        needed_by = f"feature {name} of package {package}"
        return {"name": source, "required": False, "feature": name, "needed_by": needed_by}

    def request(self, optional):
        known = {name.replace("-", "_"): name for name in self.pins["sources"]}
        local = self.declared["local"]
        in_place = {package["in_place"] for package in self.packages.values()}  # which nobody copies
        request = {member: self.declared[member] for member in ("pins", "cache", "mirrors", "providers", "offline")}
        request.update(
            work=f"{self.folder}/fetch",
            sources=list(self.asked_sources(optional)),
            mirrors_shown=list(map(shown, self.declared["mirrors"])),
            local={known[name]: place for name, place in local.items() if name in known and place not in in_place},
            packages={},
            off=self.off,
        )
        allowed = set(self.declared["allow_missing"])
        request["features"] = {
            name: self.declared["strict"] and not {name, "all"} & allowed
            for package in self.packages.values()
            for name, feature in package["features"].items()
            if not feature["off"]
        }
        request["python"] = python_with_pip(self.declared["python"])
        if self.backend:
            request.update(backend=self.backend, pins_hook=self.declared["pins_hook"])
        return {name: value for name, value in request.items() if value is not None}

    def unused(self, local):
        """What the user has for a source that no package has: a folder, patches."""
        used = sum((package["all_sources"] for package in self.packages.values()), [])
        own = {f"TSB_LOCAL_{source.replace('-', '_')}": source for source in sorted(local)}
        own |= {f"TSB_PATCHES: {patch['file']}": source for source, patch in of_pins(self.pins["sources"])}
        return [(name, source) for name, source in own.items() if source not in used]

    def write(self, place, value, prefix, mode=0o644):
        write_record(f"{self.folder}/{place}", value, prefix, mode)


def main(folder):
    plan = Plan(folder)
    plan.check_allowed()
    set_options(plan)
    plan.leave_out()
    optional = plan.optional()
    request = plan.request(optional)  # of what was declared: fetch knows submodules itself
    for name, package in plan.packages.items():
        declaration, pins = plan.complete(package, optional)
        plan.write(f"packages/{name}/package.json", declaration, "package")
        request["packages"][name] = declaration["all_sources"]
        plan.write(f"packages/{name}/pins.json", pins, "pins")
        if declaration["machine"]:
            plan.write(f"packages/{name}/machine.json", declaration["machine"], "machine")
    for artifact in artifacts_of(plan) if plan.declared["artifacts"] else ():
        plan.write(f"artifacts/{artifact['name']}.json", artifact, "artifact")
    for name, source in plan.unused(request["local"]):  # it may stand for other presets
        say(f"{name} has no effect: no package of this build has the source {source}")
    plan.write("plan/backend.json", plan.backend, "backend")
    plan.write("fetch/request.json", request, "request", 0o600)  # a mirror's address may have a password
