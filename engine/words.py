# SPDX-License-Identifier: BSD-3-Clause
"""words <word>...: what bootstrap.sh has to run for its words, as commands for the shell. For a preset they set what it needs
(`vendor` of its configure preset, and of what that inherits), export settings, and leave options of `cmake --preset` in $@.
Exit status 2: a word that is not known, after a line with the nearest ones."""

import os
import re
import shlex
import sys

from engine.model.data import Data
from engine.one_run.journal import last_run
from engine.presets import LIST, all_presets, build_folder, nearest, needs_of, variables_of, wrong
from engine.report import compare

COMMANDS = ["fleet", "publish", "containers", "doctor", "plan", "report", "list", "settings", "help"]
TARGETS = ["explain", "fetch", "patch", "configure", "build", "stage", "package", "check"]
OPTIONS = ["--test", "--list", "--settings", "--version", "--install-only", "--help"]
# What draws the report's pictures; without it there is the text. pip would say much, and try for long where there is no network.
NO_PICTURES = "bootstrap.sh: plotly could not be installed: the page has no pictures"
REPORT_TOOLS = [
    "export PIP_RETRIES=${PIP_RETRIES:-0}",
    "provide_python_tools tools/report 2>/dev/null || echo '%s'" % NO_PICTURES,
]


def remedy(word, words, settings, workflows):
    """What is meant by a word that is not known, by the slips that are made most."""
    if word in [*COMMANDS, *OPTIONS]:
        return "it is a command of its own: ./bootstrap.sh help"
    if word in TARGETS:
        preset = next((workflows[one]["steps"][0]["name"] for one in words if one in workflows), "<preset>")
        given = "".join(shlex.quote(one) + " " for one in words if re.match(r"TSB_\w+=", one))
        line = f"{given}cmake --preset {preset} && {given}cmake --build --preset {preset} --target {word}"
        return f"it is a target: {line}"
    near = nearest(word, [*COMMANDS, *OPTIONS, *workflows])
    unset = [name for name, value in settings.items() if not value and near == LIST]
    if word.startswith("TSB_") or unset:
        return "write %s=%s, without blanks" % ((unset[-1], word) if unset else (word, "<value>"))
    if re.match("-j|--jobs|--parallel", word):
        return "TSB_JOBS=4 sets the number of jobs"
    return "./bootstrap.sh fleet %s runs several presets" % shlex.quote(word) if re.search("[*?[]", word) else near


def parse(words, workflows):
    """A preset or nothing, settings {name: value}, options of cmake. Settings are for this run, as in the environment; CMake's
    own variables stay in the build folder."""
    presets, settings, options = [], {}, []
    rest = iter(words)
    for word in rest:
        option = word.startswith("-D")
        name, equals, value = (word[2:] or next(rest, "") if option else word).partition("=")
        named = equals and re.fullmatch(r"\w+(:\w+)?", name)
        if named and name.startswith("TSB_"):
            settings[name.partition(":")[0]] = value
        elif named:
            options.append("-D%s=%s" % (name, value))
        elif option or equals and not word.startswith("-"):
            wrong("%s needs NAME=VALUE" % word, "./bootstrap.sh settings shows all settings")
        elif word in workflows:
            presets.append(word)
        else:
            wrong("unknown word or preset: %s" % word, remedy(word, words, settings, workflows))
    if len(presets) > 1:
        wrong("one preset at a time: %s" % ", ".join(presets), "./bootstrap.sh fleet runs several")
    return "".join(presets), settings, options


def commands(first, *rest):
    if {"-h", "--help"} & {first, *rest}:
        return ["usage", "exit"]
    if first in ("list", "--list"):
        return [shlex.join(["answer", "python3", "-B", "engine", "presets", *rest])]
    if first == "--version":  # of this repository, and not of one around it that ignores this folder
        return [
            "git ls-files --error-unmatch bootstrap.sh >/dev/null ||",
            "fail 2 'git, which knows the version, does not answer: see its line above' 'ask in a clone of the repository'",
            "printf 'torch-superbuild ' && answer git describe --always --dirty",
        ]
    if first in ("settings", "--settings"):
        return ["answer cmake -P cmake/settings/list_settings.cmake"]
    presets = all_presets()
    only_install = "--install-only" in (first, *rest)
    words = ["tests" if word == "--test" else word for word in (first, *rest) if word != "--install-only"]
    if first == "report" and rest[:1] == ("compare",):
        runs = [os.path.join(os.environ.get("OLDPWD", ""), word) for word in rest[1:]]  # of the caller's folder
        if len(runs) != 2:
            wrong("report compare takes two runs", "name two folders build/<preset>/runs/<number>")
        for run in runs:
            compare.read(run)
        return [shlex.join(["answer", "python3", "-B", "engine", "report.compare", *runs])]
    about = first in ("doctor", "plan", "report")
    preset, settings, options = parse(rest if about else words, presets["workflowPresets"])
    lines = [shlex.join(["export", "%s=%s" % setting]) for setting in settings.items()]
    if preset:  # they stand for no other one, so one without an effect is refused
        given = [setting for setting, value in settings.items() if value]
        lines.append(shlex.join(["export", "BOOTSTRAP_SETTINGS=" + " ".join(given)]))
    name = presets["workflowPresets"][preset]["steps"][0]["name"] if preset else ""
    variables = variables_of(name, presets["configurePresets"])
    given = {**os.environ, **settings, **variables}
    if first == "doctor":
        environment = variables_of(name, presets["configurePresets"], ["environment"])
        lines[:0] = [shlex.join(["export", "%s=%s" % variable]) for variable in environment.items()]
        of_preset = {"TSB_BACKEND": "", "TSB_ARTIFACTS": "", "TSB_PACKAGES": ""}
        of_preset |= variables_of(name, presets["configurePresets"], ["cacheVariables"]) | {"TSB_PRESET": preset}
        options += ["-D%s=%s" % variable for variable in of_preset.items()]
        folder = build_folder(name, presets["configurePresets"]) if preset else ""
        options += ["-DCMAKE_BINARY_DIR=" + folder]
        return [*lines, shlex.join(["answer", "cmake", *options, "-P", "cmake/doctor/doctor.cmake"])]
    if preset and first in ("plan", "report"):
        folder = build_folder(name, presets["configurePresets"])
        if first == "report":
            if not last_run(folder):
                wrong("no run is known in %s" % folder, "run it first: ./bootstrap.sh %s" % preset)
            if options:
                wrong("report takes no %s" % " ".join(options), "it configures nothing: leave it out")
            return [
                *lines,
                *REPORT_TOOLS,
                shlex.join(["answer", "python3", "-B", "engine", "--modules", "packaging", "report.report", folder]),
            ]
        configure = shlex.join(["cmake", "--preset", name, *options])
        # With what it says about settings, and its warnings; its own plan is without the probe.
        said = 'said=$(%s 2>&1 >/dev/null) || { status=$?; printf "%%s\\n" "$said" >&2; exit $status; }' % configure
        notices = """printf '%s\\n' "$said" | grep -v -e '^-- plan: ' -e '^$' >&2 || :"""
        return [*lines, said, notices, shlex.join(["answer", "cmake", "--build", folder, "--target", "plan"])]
    if not preset and not only_install:
        wrong("no preset is named", LIST)
    needed = "build" + (" " + needs_of(name, presets["configurePresets"]) if preset else "")
    version = "".join(re.findall("python([0-9.]+)", needed)[-1:])
    variable = "TSB_PYTHON_" + version.replace(".", "")
    if version and not given.get(variable):
        needed += " python"
    release = given.get("TSB_PYTORCH_VERSION") or given.get("TSB_DEFAULT_PYTORCH_VERSION")
    if release and "compile" in needed.split():  # a preset that compiles PyTorch
        facts = Data(given.get("TSB_ADDITIONS")).release(release) or {}
        lines += ["cmake_needed=" + version for version in [facts.get("least", {}).get("cmake")] if version]
    # Packages alone have no artifact that could be checked and packed.
    packages = given.get("TSB_PACKAGES") and variables.get("TSB_ARTIFACTS")
    folder = build_folder(name, presets["configurePresets"]) if packages else ""
    lines.append("preset=%s configure=%s packages_in=%s" % tuple(map(shlex.quote, (preset, name, folder))))
    lines.append("needed='%s' version='%s' only_install=%d" % (needed, version, only_install))
    return [*lines, shlex.join(["set", "--", *options])]


def main():
    print("\n".join(commands(*sys.argv[1:])))
