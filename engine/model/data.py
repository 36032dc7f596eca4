# SPDX-License-Identifier: BSD-3-Clause
"""The data of the project and of additions: releases, backends, targets, artifacts. What is wrong with a file is a Failure:
it may be an addition of the user's, and a missing member would be taken for an empty one."""

import difflib
import json
import pathlib
import re

from engine.failure import Failure
from engine.folders import PROJECT, natural
from engine.model import cells
from engine.model.inherit import Lineages, merge
from engine.model.read import check, check_members, read

# Members and their types; one with "?" may be absent, one with "." is in another. releases/README.md, backends/README.md and
# targets/README.md say what they mean.
RELEASE = {
    **dict.fromkeys(("cxx_standard", "libtorch_zip?", "version?", "triton?"), "STRING"),
    **dict.fromkeys(("from?", "least.cmake?", "least.gcc?"), "STRING"),
    **dict.fromkeys(("pythons", "python_targets?", "sources?", "refused?"), "ARRAY"),
    **dict.fromkeys(("backends", "cuda?", "least?"), "OBJECT"),
}
REFUSED = {"backends": "STRING", "artifacts?": "STRING", "why": "STRING"}
BACKEND = {
    **dict.fromkeys(("name", "title", "target?", "conda_name?", "conda_build_number?", "conda_driver?"), "STRING"),
    **dict.fromkeys(("toolkit?", "kind?", "local_version?", "artifacts?", "pins?", "provides?"), "STRING"),
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
PINS = {"sources": "OBJECT", "schema?": "NUMBER", "release?": "STRING"}
# What may be in the folder of an addition to a release, and of a backend, in others of it, and which functions in its
# hooks/artifact.py.
KNOWN_FILES = {
    "addition": {"": "sources.json components.json options.json patches wheel_check upstream_tests"},
    "backend": {
        "": "backend.json libraries.json versions.json sources.json components.json patches pytorch pytorch.cmake "
        "pytorch_targets.cmake settings.cmake tools.txt wheel_check.txt consumer doctor hooks packages cmake cmake_package "
        "licences device_code.py",
        "hooks": "artifact.py pins.py cmake_options.cmake cmake_package.cmake compile_options.cmake configured.cmake "
        "make_tools.cmake needs.cmake resolve.cmake settings.cmake slice.cmake slices.cmake static_objects.cmake toolchain.cmake",
        "hooks/artifact.py": "versions wheel_folders data license headers manifest wheel conda",
        "doctor": "detail",
    },
}
FEATURE = dict.fromkeys(("feature", "option", "off?", "backend?", "package?"), "STRING") | {"packages?": "ARRAY"}


def check_folder(folder, kind, checks=()):
    """Refuses what nothing reads, such as a hook with a mistyped name, but not what editors and merges leave behind."""
    module = folder / "hooks/artifact.py"
    text = module.read_text("utf-8", "replace") if module.is_file() else ""
    functions = re.findall(r"(?m)^def (\w+)", text)
    unused = [module / name for name in functions if len(re.findall(rf"\b{name}\b", text)) == 1]
    for place, known in KNOWN_FILES[kind].items():
        names = known.split() + [name for c in checks for name in (f"{c}.py", f"tsb_doctor_check_{c}.cmake")]
        for path in unused if folder / place == module else sorted((folder / place).glob("[!._#]*")):
            left = path.name.startswith(tuple(name + end for name in names if "." in name for end in ".~ "))
            if left or path.name in names or path.name.startswith("README") or path.suffix == ".md":
                continue
            near = "".join(f"did you mean {name}? " for name in difflib.get_close_matches(path.name, names, 1, 0.8))
            if near or path.suffix in (".cmake", ".json", ".patch", ".py", ".txt") or path.is_dir() or path in unused:
                near += f"there may be: {known}; rename or remove it"
                raise Failure(f"  {path} has no effect: nothing reads it\n  {near}")


def fill(value, words):
    """The value with `@name@` in its texts replaced; a name without a word by nothing."""
    if isinstance(value, str):
        return re.sub(r"@(\w+)@", lambda match: words.get(match[1], ""), value)
    if isinstance(value, list):
        return [fill(item, words) for item in value]
    if isinstance(value, dict):
        return {name: fill(item, words) for name, item in value.items()}
    return value


class Data(Lineages):
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
        release = self.merged(version, "release.json")
        check(release, file, RELEASE)
        check_members(release, file, {f"backends.{kind}": "OBJECT" for kind in release["backends"]})
        for entry in release.get("refused", []):
            check(entry, f"{file}: 'refused'", REFUSED)
        for folder in self.additions(version):
            check_folder(folder, "addition")
        return {"version": version} | release

    def additions(self, version):
        """The folders that add to a release."""
        folders = [folder / f"releases/{version}" for folder in self.folders]
        return [folder for folder in folders if folder.is_dir() and not (folder / "release.json").exists()]

    def backends(self, release):
        """The backends that a release is built for: one for each kind, and for each version in it."""
        known = [file.parent.name for file in self.of_backends("backend.json")]
        for kind in sorted(set(self.names("backends")) - set(known)):
            raise Failure(
                f"  {self.find(f'backends/{kind}')} adds to a backend that does not exist\n"
                f"  there are: {', '.join(known)}; correct the folder's name, or give it a backend.json"
            )
        for kind in sorted(release["backends"]):
            file = self.find(f"backends/{kind}/backend.json")
            if not file:
                raise Failure(
                    f"  a release of PyTorch here is built for '{kind}', which has no backends/{kind}/backend.json\n"
                    f"  add it, or remove '{kind}' from the release's backends"
                )
            facts = read(file, BACKEND, in_lists=True)
            for folder in self.folders:
                checks = [*facts.get("checks", []), *facts.get("provides", "").split()]
                check_folder(folder / f"backends/{kind}", "backend", checks)
            for version in sorted(release["backends"][kind], key=natural) or [""]:
                words = {"version": version, "digits": version.replace(".", "")}
                memory = {"memory_mb": MEMORY_PREBUILT if facts.get("prebuilt") else MEMORY}
                own = release["backends"][kind].get(version, {})
                limits = {name: own[name] for name in ("artifacts",) if name in own}
                yield {"kind": kind} | memory | fill(facts, words) | limits | {"folder": kind, "version": version}

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

    def rank(self, release, backend):
        """The release that a backend has by default is the newest of those with the lowest rank. 0: something of it was
        built with the backend, or need not be. 1: something of a tree near it was. 2: of the release with another one, or
        PyTorch itself is not compiled. 3: nothing. Only `built` is sure to work for somebody who chose no release."""
        version, name = release["version"], backend["name"]
        if backend.get("prebuilt") or cells.has("built", version, name):
            return 0
        if cells.has("near", version, name):
            return 1
        limits = release["backends"][backend["folder"]].get(backend["version"], {})
        return 2 if "artifacts" in limits or cells.has("built", version) else 3

    def refused(self, release, name):
        """What is not made of a release for the backend of this name: an expression for `artifacts`, and `why`."""
        entries = release.get("refused", [])
        return [{"artifacts": ".*"} | one for one in entries if re.fullmatch(one["backends"], name)]

    def artifacts(self, release, backend, version, build_number=""):
        """What can be made of a release with a backend, by name: the rows of packaging/artifacts.json. What depends on the
        Python is there once for each Python of the release, and wheels in the backend's styles; some are of one `kind` of
        backend alone. A backend may have only some (its `artifacts`). `version` is the artifacts', 9.9.0+cpu; a build
        number is in the names of their files. `cell` of each is what is known of it."""
        rows, refused = {}, [entry["artifacts"] for entry in self.refused(release, backend["name"])]
        for template in json.loads((PROJECT / "packaging/artifacts.json").read_text(encoding="utf-8"))["artifacts"]:
            if template.get("style", "") not in ("", *backend["wheel_styles"]):
                continue
            if template.get("kind", backend["kind"]) != backend["kind"]:
                continue
            zip_name = "libtorch-@linkage@-@deps@-@version@.zip"  # of a prebuilt one whichever ABI it has
            if not backend.get("prebuilt"):
                zip_name = release.get("libtorch_zip", zip_name)
            words = {"version": version, "linkage": template["linkage"], "deps": template["deps"]}
            words |= {"build": build_number, "dash_build": build_number and f"-{build_number}"}
            words["libtorch_zip"] = fill(zip_name, words | {"version": version + words["dash_build"]})
            words |= {"large": f"{build_number or 1}large", "conda_name": backend.get("conda_name", "")}
            for python in release["pythons"] if "python" in template else [""]:
                row = fill(template, words | {"python": python, "digits": python.replace(".", "")})
                allowed = re.fullmatch(backend.get("artifacts") or ".*", row["name"])
                if allowed and not any(re.fullmatch(one, row["name"]) for one in refused):
                    rows[row["name"]] = row | {"cell": cells.cell_of(release["version"], backend["name"], row["name"])}
        return rows

    def entries(self, files, rules, name, backend):
        """Those of each options.json, {file: entries}, that hold for the backend, by package: of two with one name the one in
        the last file, and in it the backend's own."""
        known = {"backend": self.names("backends"), "package": ["pytorch", "pytorch-py"]}
        found = {package: {} for package in known["package"]}
        members = {member.rstrip("?") for member in rules} | {"why"}
        for file, index, entry in [(file, *one) for file, entries in files.items() for one in enumerate(entries)]:
            check_members(entry, f"{file}: '{name}s' {index}", rules)
            key = entry[name]
            for member in sorted(set(entry) - members):
                raise Failure(f"  {file}: '{key}' has an unknown member '{member}'\n  correct it, or remove it")
            for member, names in known.items():
                if entry.get(member) and entry[member] not in names:
                    raise Failure(
                        f"  {file}: '{key}' is for the {member} '{entry[member]}'\n  there are: {', '.join(names)}"
                    )
            for package, own in found.items():
                if entry.get("backend") in (None, "", backend["kind"]) and entry.get("package") in (None, "", package):
                    for is_own in (True, False):  # what an earlier file says
                        if own.get((key, is_own), (file,))[0] != file:
                            del own[key, is_own]
                    if (key, bool(entry.get("backend"))) in own:
                        raise Failure(f"  {file}: '{key}' is twice in '{name}s' for {package}\n  remove one")
                    own[key, bool(entry.get("backend"))] = (file, entry)
        for own in found.values():
            for key in [key for key, is_own in own if is_own]:
                own.pop((key, False), None)
        # The backend's last.
        return {package: [own[key][1] for key in sorted(own, key=lambda key: key[1])] for package, own in found.items()}

    def features(self):
        """The names of the features of all releases."""
        places = [
            folder / f"releases/{version}/options.json" for version in self.names("releases") for folder in self.folders
        ]
        values = [read(file, {}).get("features", []) for file in places if file.exists()]
        return sorted({entry["feature"] for entries in values for entry in entries if "feature" in entry})

    def pins(self, version, backend):
        """The folders with the pins of a release, each behind that of the release that it is from, with what additions
        add to them, and of the backend's own."""
        of_backend = self.find(f"backends/{backend.get('pins') or backend.get('kind')}/sources.json")
        folders = [[one, *self.additions(one.name)] for one in reversed(self.lineage(version))]
        return sum(folders, []) + ([of_backend.parent] if of_backend else [])

    def sources(self, files):
        """The pins in these files, {name: pin}: of the release's, which come one behind the other, merged, and else of
        the first that has the source. engine/model/merge_pins.py makes of them what is built from."""
        of_release, others = {}, {}
        for file in files:
            own = read(file, PINS)["sources"]
            if (pathlib.Path(file).parent / "release.json").exists():
                of_release = merge(of_release, own, file)
            else:
                others = own | others
        return others | of_release

    def options(self, version, backend):
        """(options, features) that a release is built with for a backend, by package, `pytorch` and `pytorch-py`: options as
        <name>=<value>, those of the backend last; features as entries of options.json. What an addition says takes the place
        of what the release says."""
        own = self.find(f"releases/{version}/release.json").parent / "options.json"
        some = "artifacts" in backend  # of a release whose PyTorch cannot be compiled yet, which has none
        rules = {"option": OPTION, "feature": FEATURE}
        values = {own: self.merged(version, "options.json") or ({} if some else read(own, {}))}
        check(values[own], own, {f"{name}s" + "?" * some: "ARRAY" for name in rules})
        # An option of an addition stays until a release names it.
        for folder in reversed(self.lineage(version)):
            named = read(folder / "options.json", {}) if (folder / "options.json").exists() else {}
            for name, value in ((name, value) for name in rules for file, value in values.items() if file != own):
                known = {entry.get(name) for entry in named.get(f"{name}s", [])}
                value[f"{name}s"] = [entry for entry in value.get(f"{name}s", []) if entry.get(name) not in known]
            for file in (one / "options.json" for one in reversed(self.additions(folder.name))):
                if file.exists():
                    values[file] = read(file, {f"{name}s?": "ARRAY" for name in rules})
        options, features = [
            self.entries({file: value.get(f"{name}s", []) for file, value in values.items()}, of_name, name, backend)
            for name, of_name in rules.items()
        ]
        return {
            package: [f"{entry['option']}={entry['value']}" for entry in entries]
            for package, entries in options.items()
        }, features
