# SPDX-License-Identifier: BSD-3-Clause
"""Runs checks of the doctor that are written in Python (tsb_doctor.cmake).

    python3 engine doctor.checks <folder> <check.py>...

request.json in the folder has the members of Doctor. It is removed, since a setting may hold a password. Written are
found.cmake, commands that say and export what the checks have found, a record for each export that is an object,
<name>.json, and exports.json with all of them: checks in CMake may lie between, and then there is another run.
"""

import functools
import glob
import json
import mmap
import os
import pathlib
import re
import shutil
import subprocess

from engine.folders import PROJECT, load_module, natural  # noqa: F401
from engine.header_version import header_version  # noqa: F401
from engine.model.data import Data
from engine.model.record import commands, write_record
from engine.model.variant import choices


def output_of(*command, timeout=60):
    """What a program writes, to standard error as well; nothing when it does not run, or not end in that many seconds."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode(errors="replace")


# The functions of os.path and glob take what the user may not read, or a loop of links, for what is not there.
def matching(folder, *patterns):
    """The paths in a folder that fit a pattern, sorted."""
    return sorted(path for pattern in patterns for path in glob.glob(os.path.join(glob.escape(str(folder)), pattern)))


def find(folders, *names):
    """The first of these files in the first folder that has one that can be read, or None."""
    paths = (pathlib.Path(folder, name) for folder in folders for name in names)
    return next((path for path in paths if os.path.isfile(path) and os.access(path, os.R_OK)), None)


def texts_inside(file, pattern):
    """The group of each match of a pattern in a file, which may have GB."""
    try:
        with open(file, "rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return [found.decode() for found in re.findall(pattern, content)]
    except (OSError, ValueError):  # the latter: an empty one
        return []


def unusable(folder):
    """Why CMake cannot be given this folder, or nothing."""
    if any(character in folder for character in ';[]"\\'):
        return 'its path has one of the characters ; [ ] " and \\, with which CMake fails'
    try:
        folder.encode()
    except UnicodeEncodeError:
        return "its path is not UTF-8"
    return ""


def existing(folders):
    """Those that exist, links resolved, each once."""
    return list(dict.fromkeys(os.path.realpath(folder) for folder in folders if os.path.isdir(folder)))


def toolkit_text(toolkit):
    return f"{toolkit['version']} in {toolkit['home']} ({toolkit['found_by']})"


class Doctor:
    """What a check is given: `settings` by name (as texts), `root`, a folder that stands for / in tests, `version` and `kind`
    of the backend, `folder` of its data, `configured`, what its settings come to (hook `resolve`), `release` of PyTorch,
    `packages` that are built, `processor` that is built for, `additions`; `compiler` of C++, `compiler_cache` and `farm_folder`,
    for what farm.py writes."""

    def __init__(self, request):
        self.__dict__.update(request)
        self.exports, self.says, self.new = {}, [], []
        self.data = Data(self.additions)

    def setting(self, name):
        return self.settings.get(name, "")

    @functools.cached_property
    def of_release(self):
        """What the release has for this version of the backend: `archs`, ..."""
        return self.data.release(self.release)["backends"].get(self.kind, {}).get(self.version, {})

    def builds(self, name):
        """Whether a package with this in its name is built: pytorch also stands for pytorch-py312."""
        return any(name in package for package in self.packages)

    @functools.cached_property
    def features(self):
        """The features that are on by the release and TSB_PYTORCH_OPTIONS, where PyTorch is built; not every machine has what
        they need."""
        if not self.builds("pytorch"):
            return set()
        _, features = self.data.options(self.release, {"kind": self.kind, **self.of_release})
        chosen = choices(self.setting("TSB_PYTORCH_OPTIONS").split(";"))
        return {one["feature"] for one in features["pytorch"] if chosen.get(one["option"], not one.get("off"))}

    @functools.cached_property
    def target(self):
        return self.data.target(self.processor, self.processor) or {}

    def facts(self, name):
        """libraries.json or versions.json of the backend."""
        return self.data.facts({"folder": self.folder, "kind": self.kind}, name)

    def good(self, text):
        """Something is as it should be."""
        self.says.append(("z_tsb_doctor_good", text))

    def problem(self, what, *remedies):
        """Something stands in the way; each remedy is a line."""
        self.says.append(("z_tsb_doctor_problem", what, *remedies))

    def export(self, name, value):
        """The variable that tsb_doctor() sets. An object is a record: <name>_<member> are set, and <name>_FILE."""
        self.exports[name] = value
        self.new.append(name)

    def install(self, debian, fedora):
        """The command that installs these packages here."""
        if shutil.which("apt-get"):
            return f"apt-get install {debian}"
        return f"dnf install {fedora}" if shutil.which("dnf") else f"install {debian}"

    def choose_toolkit(self, toolkits, product, setting):
        """(the first toolkit of the backend's version, those that fit as well, the others in words); the first is None when
        there is none. `toolkits` are objects with `version`, `home`, `found_by`, `fault`. What the setting names decides
        alone: when it does not fit, that is a problem, and the result is None."""
        fitting, others = [], []
        for toolkit in toolkits:
            toolkit["fault"] = toolkit["fault"] or unusable(toolkit["home"])
            fits = re.match(re.escape(self.version) + r"(\.|$)", toolkit["version"])
            if toolkit["found_by"] == setting and (toolkit["fault"] or not fits):
                what = f"which is {product} {toolkit['version']}, but this preset is for {self.version}"
                what = f"but {toolkit['fault']}" if toolkit["fault"] else what
                self.problem(
                    f"{product} toolkit: {setting} is {toolkit['home']}, {what}",
                    f"name a toolkit {self.version}, or unset it to search the usual places",
                )
                return None
            if toolkit["fault"]:
                others.append(f"{toolkit_text(toolkit)}, but {toolkit['fault']}")
            elif not fits:
                others.append(toolkit_text(toolkit))
            else:
                fitting.append(toolkit)
        return (fitting or [None])[0], fitting[1:], others

    def accept_toolkit(self, name, choice, product, setting):
        """Says which one is taken, and exports it."""
        toolkit, also, others = choice
        self.good(f"{product} toolkit: {toolkit_text(toolkit)}")
        if also:
            words = "; ".join(map(toolkit_text, also))
            self.good(
                f"{product} toolkit: the first of several {self.version}; {setting} would take another one: {words}"
            )
        if others:
            self.good(f"{product} toolkit: not for this preset: {'; '.join(others)}")
        # Not what changes with the way to it.
        self.export(name, {member: value for member, value in toolkit.items() if member != "found_by"})


def quote(text):
    return f"[=====[{text}]=====]"


def run(doctor, file):
    """Runs a check. A fault in it is a problem, and does not hide what others find."""
    name = pathlib.Path(file).stem
    try:
        load_module(file).check(doctor)
    except Exception as error:
        place = error.__traceback__
        while place.tb_next:
            place = place.tb_next
        where = f"{place.tb_frame.f_code.co_filename}, line {place.tb_lineno}"
        doctor.problem(
            f"{name}: the check itself has failed: {error!r} ({where})",
            f"report this; to leave the check out: TSB_DOCTOR_SKIP={name}",
        )


def commands_of(doctor, folder):
    """What CMake has to run."""
    for command, what, *remedies in doctor.says:
        # They become a list of CMake's.
        yield f"{command}({' '.join(map(quote, [what, *(remedy.replace(';', chr(92) + ';') for remedy in remedies)]))})"
    for name in doctor.new:
        value = doctor.exports[name]
        if isinstance(value, dict):
            file = pathlib.Path(folder, f"{name}.json")
            write_record(file, value, "machine")
            yield f"z_tsb_doctor_export({name}_FILE {quote(file)})"
        for command in commands(name, value):
            yield "z_tsb_doctor_export(" + command.removeprefix("set(")


def main(folder, *files):
    request, exports = pathlib.Path(folder, "request.json"), pathlib.Path(folder, "exports.json")
    members = json.loads(request.read_text(encoding="utf-8", errors="surrogateescape"))
    request.unlink()
    # __main__.py has removed them: they would change what a script sees. The machine's packages are looked for by them.
    os.environ.update((name, value) for name, value in members.pop("environment").items() if value)
    doctor = Doctor(members)
    if exports.exists():
        doctor.exports = json.loads(exports.read_text(encoding="utf-8"))
    for file in files:
        run(doctor, file)
    text = "\n".join([*commands_of(doctor, folder), ""])
    pathlib.Path(folder, "found.cmake").write_text(text, encoding="utf-8", errors="surrogateescape")
    exports.write_text(json.dumps(doctor.exports), encoding="utf-8")
