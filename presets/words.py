# SPDX-License-Identifier: BSD-3-Clause
"""words.py <word>...: what bootstrap.sh has to run for its words, as commands for the shell. For a preset they set what it needs
(`vendor` of its configure preset, and of what that inherits), export settings, and leave options of `cmake --preset` in $@.
Exit status 2: a word that is not known, after a line with the nearest ones."""

import os
import re
import shlex
import sys

from list_presets import LIST, Wrong, all_presets, ancestry, nearest, needs_of

COMMANDS = ["fleet", "publish", "containers", "doctor", "list", "settings", "help"]
OPTIONS = ["--test", "--list", "--settings", "--version", "--install-only", "--help"]


def parse(words, workflows):
    """A preset or nothing, settings {name: value}, options of cmake. Settings are for this run, as in the environment; CMake's
    own variables stay in the build folder."""
    presets, settings, options = [], {}, []
    words = iter(words)
    for word in words:
        option = word.startswith("-D")
        name, equals, value = (word[2:] or next(words, "") if option else word).partition("=")
        if (option or equals) and not (equals and re.fullmatch(r"\w+(:\w+)?", name)):
            raise Wrong("%s needs NAME=VALUE" % word, "./bootstrap.sh settings shows all settings")
        if equals and name.startswith("TSB_"):
            settings[name.partition(":")[0]] = value
        elif equals:
            options.append("-D%s=%s" % (name, value))
        elif word in workflows:
            presets.append(word)
        else:
            raise Wrong("unknown word or preset: %s" % word, nearest(word, [*COMMANDS, *OPTIONS, *workflows]))
    if len(presets) > 1:
        raise Wrong("one preset at a time: %s" % ", ".join(presets), "./bootstrap.sh fleet runs several")
    return "".join(presets), settings, options


def commands(first, *rest):
    if {"-h", "--help"} & {first, *rest}:
        return ["usage", "exit"]
    if first in ("list", "--list"):
        return [shlex.join(["answer", "python3", "-B", "presets/list_presets.py", *rest])]
    if first == "--version":  # of this repository, and not of one around it that ignores this folder
        return ["git ls-files --error-unmatch bootstrap.sh >/dev/null && answer git describe --always --dirty"]
    if first in ("settings", "--settings"):
        return ["answer cmake -P cmake/settings/list_settings.cmake"]
    presets = all_presets()
    only_install = "--install-only" in (first, *rest)
    words = [word for word in (first, *rest) if word != "--install-only"]
    words = ["tests" if word == "--test" else word for word in words]
    preset, settings, options = parse(rest if first == "doctor" else words, presets["workflowPresets"])
    lines = [shlex.join(["export", "%s=%s" % setting]) for setting in settings.items()]
    name = presets["workflowPresets"][preset]["steps"][0]["name"] if preset else ""
    if first == "doctor":
        variables = [one.get("cacheVariables", {}) for one in ancestry(name, presets["configurePresets"])]
        backends = [some["TSB_BACKEND"] for some in variables if "TSB_BACKEND" in some]
        options += ["-DTSB_BACKEND=" + "".join(backends[:1]), "-DTSB_PRESET=" + preset]
        return [*lines, shlex.join(["answer", "cmake", *options, "-P", "cmake/doctor/doctor.cmake"])]
    if not preset and not only_install:
        raise Wrong("no preset is named", LIST)
    needs, version = needs_of(name, presets["configurePresets"]).split() if preset else ["compile"], ""
    for need in needs:
        if re.fullmatch("python[0-9.]+", need):
            version = need[len("python") :]
    variable = "TSB_PYTHON_" + version.replace(".", "")
    if version and not (settings.get(variable) or os.environ.get(variable)):
        needs.append("python")
    for name, text in {"preset": preset, "needed": " ".join(["build", *needs]), "version": version}.items():
        lines.append("%s=%s" % (name, shlex.quote(text)))
    return [*lines, "only_install=" + ("yes" if only_install else "no"), shlex.join(["set", "--", *options])]


if __name__ == "__main__":
    try:
        print("\n".join(commands(*sys.argv[1:])))
    except Wrong as wrong:
        sys.exit(print(wrong, file=sys.stderr) or 2)
