# SPDX-License-Identifier: BSD-3-Clause
"""The data of the project and of additions: releases, backends, targets, artifacts. Nothing else opens these files. What is
wrong with one is a Failure: it may be an addition of the user's, and a missing member would be taken for an empty one."""

import json
import pathlib
import re
import sys

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(PROJECT / "cmake/sources"))

from text import Failure  # noqa: E402

# Members and their types; one with "?" may be absent, one with "." is in another. releases/README.md, backends/README.md and
# targets/README.md say what they mean.
RELEASE = {
    **dict.fromkeys(("cxx_standard", "libtorch_zip", "version?", "triton?"), "STRING"),
    **dict.fromkeys(("pythons", "python_targets?", "sources?"), "ARRAY"),
    "backends": "OBJECT",
    "ready?": "BOOLEAN",
}
BACKEND = {
    **dict.fromkeys(("name", "title", "target?", "conda_name?", "conda_build_number?", "conda_driver?"), "STRING"),
    **dict.fromkeys(("toolkit?", "kind?", "local_version?"), "STRING"),
    **dict.fromkeys(("wheel_styles", "checks?", "checks_of_pytorch?", "exporting_checks?", "environment?"), "ARRAY"),
    **dict.fromkeys(("packages?", "libraries?"), "ARRAY"),
    **dict.fromkeys(("consumer.libraries?", "consumer.may_load?", "consumer.library_wheels?"), "ARRAY"),
    "consumer?": "OBJECT",
    "prebuilt?": "BOOLEAN",
    "memory_mb?": "NUMBER",
}
# MB that a build takes at most. Compiled: measured 2.1 GiB in the largest process, and twice that at once.
MEMORY, MEMORY_PREBUILT = 4000, 2000
LIBRARY = {"package": "STRING", "files": "ARRAY", "wheel?": "OBJECT", "wheel.project?": "STRING"}
TARGET = {
    **dict.fromkeys(("processor", "title", "triplet", "wheel_machine", "conda_subdir", "cuda_folder?"), "STRING"),
    **dict.fromkeys(("blas", "openblas_options?"), "ARRAY"),
    **dict.fromkeys(("unity_groups?", "only_prebuilt?"), "BOOLEAN"),
}
OPTION = dict.fromkeys(("option", "value", "backend?", "package?"), "STRING")
FEATURE = dict.fromkeys(("feature", "option", "off?", "backend?", "package?"), "STRING") | {"packages?": "ARRAY"}
TYPES = {str: "STRING", list: "ARRAY", dict: "OBJECT", bool: "BOOLEAN", type(None): "NULL"}


def natural(text):
    """A key that sorts 2.9 before 2.10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", text)]


def check_members(value, place, rules):
    for member, wanted in rules.items():
        name = member.rstrip("?")
        found = value
        for step in name.split("."):
            there = isinstance(found, dict) and step in found
            found = found[step] if there else None
        kind = TYPES.get(type(found), "NUMBER")
        if not there and name == member:
            raise Failure(f"  {place} has no member '{name}'\n  add it, of type {wanted}")
        if there and kind != wanted:
            raise Failure(f"  '{name}' in {place} is of type {kind}\n  it must be of type {wanted}")


def read(file, rules, in_lists=False):
    """The object in a file. `in_lists`: texts of it get into CMake's lists."""
    try:
        text = pathlib.Path(file).read_text(encoding="utf-8")
    except OSError:
        raise Failure(f"  {file} is missing, or is a folder\n  add the file") from None
    try:
        value = json.loads(text)
    except ValueError as error:
        raise Failure(f"  {file} is not valid JSON: {error}\n  correct it") from None
    if not isinstance(value, dict):
        raise Failure(f"  {file} is not a JSON object but of type {TYPES.get(type(value), 'NUMBER')}\n  correct it")
    if in_lists and ";" in text:
        raise Failure(f"  {file} holds a ';', which ends an element of a list of CMake's\n  write lists as JSON arrays")
    check_members(value, file, rules)
    return value


def fill(value, words):
    """The value with `@name@` in its texts replaced; a name without a word by nothing."""
    if isinstance(value, str):
        return re.sub(r"@(\w+)@", lambda match: words.get(match[1], ""), value)
    if isinstance(value, list):
        return [fill(item, words) for item in value]
    if isinstance(value, dict):
        return {name: fill(item, words) for name, item in value.items()}
    return value


class Data:
    def __init__(self, additions=None):
        """`additions`: the folder TSB_ADDITIONS, whose data goes before the project's own."""
        self.folders = [pathlib.Path(additions)] if additions else []
        self.folders += [PROJECT, *sorted(PROJECT.glob("additions/*"))]

    def find(self, path):
        """The first file or folder of this name, below one of the folders of data; None when there is none."""
        return next((folder / path for folder in self.folders if (folder / path).exists()), None)

    def names(self, folder):
        """What is in a folder of data, the highest version first; a README is not among it."""
        found = {path.name for base in self.folders for path in (base / folder).glob("*") if path.suffix != ".md"}
        return sorted(found, key=natural, reverse=True)

    def release(self, version):
        """What is true of a release of PyTorch; None when there is none of this version."""
        versions = self.names("releases")
        if version not in versions:
            return None
        file = self.find(f"releases/{version}/release.json")
        if not file:
            there = ", ".join(name for name in versions if self.find(f"releases/{name}/release.json"))
            raise Failure(
                f"  {self.find(f'releases/{version}')} adds to a release that does not exist\n"
                f"  there are: {there}; correct the folder's name, or give it a release.json"
            )
        release = read(file, RELEASE, in_lists=True)
        check_members(release, file, {f"backends.{kind}": "OBJECT" for kind in release["backends"]})
        return release

    def backends(self, release):
        """The backends that a release is built for: one for each kind, and for each version in it."""
        for kind in sorted(release["backends"]):
            file = self.find(f"backends/{kind}/backend.json")
            if not file:
                raise Failure(
                    f"  a release of PyTorch here is built for '{kind}', which has no backends/{kind}/backend.json\n"
                    f"  add it, or take '{kind}' out of the release's backends"
                )
            facts = read(file, BACKEND, in_lists=True)
            for version in sorted(release["backends"][kind], key=natural) or [""]:
                words = {"version": version, "digits": version.replace(".", "")}
                memory = {"memory_mb": MEMORY_PREBUILT if facts.get("prebuilt") else MEMORY}
                yield {"kind": kind} | memory | fill(facts, words) | {"folder": kind, "version": version}

    def facts(self, backend, name):
        """versions.json or libraries.json of the backend, or of the one whose kind it shares; {} without one."""
        places = [f"backends/{backend[member]}/{name}.json" for member in ("folder", "kind") if backend]
        file = next(filter(None, map(self.find, places)), None)
        return read(file, {}) if file else {}

    def libraries(self, backend, sources):
        """The backend's libraries by package: names and patterns of their `files`; which of these `sources` have them."""
        found = {}
        for index, entry in enumerate(self.facts(backend, "libraries").get("libraries", [])):
            check_members(entry, f"backends/{backend['kind']}/libraries.json: 'libraries' {index}", LIBRARY)
            of_package = found.setdefault(entry["package"], {"files": [], "sources": []})
            of_package["files"] += entry["files"]
            if entry.get("wheel", {}).get("project") in sources:
                of_package["sources"].append(entry["wheel"]["project"])
        return found

    def target(self, processor, machine):
        """What is true of a processor, and for another one than this machine's the names of its compilers and tools; None for
        one that is not known."""
        file = self.find(f"targets/{processor}.json")
        if not file:
            return None
        target = read(file, TARGET)
        if processor != machine:
            cross = target["triplet"] + "-"
            target.update(cross=cross, c_compiler=cross + "gcc", cxx_compiler=cross + "g++", objcopy=cross + "objcopy")
        return target

    def artifacts(self, release, backend, version, build_number=""):
        """What can be made of a release with a backend, by name: the rows of packaging/artifacts.json. What depends on the
        Python is there once for each Python of the release, and wheels in the backend's styles; some are of one `kind` of
        backend alone. A backend may have only some (its `artifacts`). `version` is the artifacts', 9.9.0+cpu; a build number is in the names of their
        files."""
        rows = {}
        for template in json.loads((PROJECT / "packaging/artifacts.json").read_text(encoding="utf-8"))["artifacts"]:
            if template.get("style", "") not in ("", *backend["wheel_styles"]):
                continue
            if template.get("kind", backend["kind"]) != backend["kind"]:
                continue
            # A prebuilt one: whichever ABI it has.
            zip_name = "libtorch-@linkage@-@deps@-@version@.zip" if backend.get("prebuilt") else release["libtorch_zip"]
            words = {"version": version, "linkage": template["linkage"], "deps": template["deps"]}
            words |= {"build": build_number, "dash_build": build_number and f"-{build_number}"}
            words["libtorch_zip"] = fill(zip_name, words | {"version": version + words["dash_build"]})
            words |= {"large": f"{build_number or 1}large", "conda_name": backend.get("conda_name", "")}
            for python in release["pythons"] if "python" in template else [""]:
                row = fill(template, words | {"python": python, "digits": python.replace(".", "")})
                if re.fullmatch(backend.get("artifacts") or ".*", row["name"]):
                    rows[row["name"]] = row
        return rows

    def entries(self, file, entries, rules, name, backend):
        """Those of options.json that hold for the backend, by package: of two with one name the backend's own."""
        known = {"backend": self.names("backends"), "package": ["pytorch", "pytorch-py"]}
        found = {package: {} for package in known["package"]}
        for index, entry in enumerate(entries):
            check_members(entry, f"{file}: '{name}s' {index}", rules)
            key = entry[name]
            for member, names in known.items():
                if entry.get(member) and entry[member] not in names:
                    raise Failure(
                        f"  {file}: '{key}' is for the {member} '{entry[member]}'\n  there are: {', '.join(names)}"
                    )
            for package, own in found.items():
                if entry.get("backend") in (None, "", backend["kind"]) and entry.get("package") in (None, "", package):
                    if (key, bool(entry.get("backend"))) in own:
                        raise Failure(f"  {file}: '{key}' is twice in '{name}s' for {package}\n  remove one")
                    own[key, bool(entry.get("backend"))] = entry
        for own in found.values():
            for key in [key for key, is_own in own if is_own]:
                own.pop((key, False), None)
        # The backend's last.
        return {package: [own[key] for key in sorted(own, key=lambda key: key[1])] for package, own in found.items()}

    def pins(self, version, backend):
        """The files with the pins of a release, of what additions add, and of the backend's own."""
        places = [f"releases/{version}/sources.json", f"backends/{backend.get('kind')}/sources.json"]
        return [folder / place for place in places for folder in self.folders if (folder / place).exists()]

    def options(self, version, backend):
        """(options, features) that a release is built with for a backend, by package, `pytorch` and `pytorch-py`: options as
        <name>=<value>, those of the backend last; features as entries of options.json."""
        file = pathlib.Path(self.find(f"releases/{version}/release.json")).parent / "options.json"
        value = read(file, {"options": "ARRAY", "features": "ARRAY"})
        options = self.entries(file, value["options"], OPTION, "option", backend)
        features = self.entries(file, value["features"], FEATURE, "feature", backend)
        return {
            package: [f"{entry['option']}={entry['value']}" for entry in entries]
            for package, entries in options.items()
        }, features
