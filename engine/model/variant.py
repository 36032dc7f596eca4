# SPDX-License-Identifier: BSD-3-Clause
"""What the user's own settings make of a release: PyTorch's options (TSB_PYTORCH_OPTIONS), and what an artifact says
about them, patches, folders and names. docs/variants.md is the user's page."""

import difflib
import pathlib
import re

from engine.failure import Failure
from engine.folders import PROJECT
from engine.model import own_patches
from engine.model.data import Data
from engine.sources import tree
from engine.text import say

SETTING = "TSB_PYTORCH_OPTIONS"
ON = "on|1|true|yes|y"  # as CMake reads a value
# What the packages' configure passes itself (cmake/package/phases/configure), or what all artifacts rely on.
FIXED = {
    "BUILD_SHARED_LIBS": "static libraries are made of the same compile: take a preset with libtorch-static",
    "HAVE_SOVERSION": "TSB_SONAME_VERSION does it, for the zips; a wheel cannot have it",
    "CMAKE_INSTALL_PREFIX": "what is installed is packed, or lies in your checkout's torch/: remove it",
    "CMAKE_PREFIX_PATH": "it has what the package depends on",
    "CMAKE_PROJECT_TOP_LEVEL_INCLUDES": "it keeps the machine's libraries out",
    **{f"CMAKE_{language}_COMPILER": "set CC and CXX, for a new build folder" for language in ("C", "CXX")},
    "CMAKE_TOOLCHAIN_FILE": "set CC and CXX, for a new build folder",
    "CMAKE_GENERATOR": "it is Ninja",
    "CMAKE_MAKE_PROGRAM": "set it as a variable of CMake when you configure this project",
}
# Variables that PyTorch's setup.py reads, and what they are for CMake.
SETUP_PY = {
    "DEBUG": "CMAKE_BUILD_TYPE:STRING=Debug",
    "REL_WITH_DEB_INFO": "CMAKE_BUILD_TYPE:STRING=RelWithDebInfo",
    "MAX_JOBS": "the setting TSB_JOBS",
}
# PyTorch compares them with their case; of an unknown one CMake has no flags, and says nothing.
BUILD_TYPES = ("Release", "Debug", "RelWithDebInfo", "MinSizeRel", "RelWithAssert")
# A comment, a quoted text, a bracket or a word of CMake's language.
TOKEN = re.compile(r'#[^\n]*|"((?:[^"\\]|\\.)*)"|([()])|([^\s()"#]+)', re.S)


def is_on(value):
    return bool(re.fullmatch(f"(?i){ON}", value))


def choices(words):
    """{option: whether it is on} of entries of the setting."""
    pairs = (word.partition("=") for word in words)
    return {name.partition(":")[0]: is_on(value) for name, _, value in pairs}


def options_of(text):
    """{name: default} of the options in a CMakeLists.txt. A dependent one is "ON if USE_CUDA, else OFF"."""
    tokens = [match for match in TOKEN.finditer(text) if not match.group().startswith("#")]
    values = [match.group(1) if match.group(1) is not None else match.group() for match in tokens]
    result = {}
    for at, (match, value) in enumerate(zip(tokens, values)):
        command = value.lower()
        if command not in ("option", "cmake_dependent_option") or match.group(1) is not None or values[at + 1] != "(":
            continue
        arguments = values[at + 2 : values.index(")", at)]
        name, default = arguments[0], (arguments[2] if len(arguments) > 2 else "OFF")
        if command == "cmake_dependent_option":
            default = "%s if %s, else %s" % (default, " ".join(arguments[3].split()), arguments[4])
        # It may stand in two branches.
        result[name] = default if result.get(name, default) == default else "%s; or %s" % (result[name], default)
    return result


def data_of(plan, name):
    """A file of the release's data."""
    return Data(plan.declared["folders"]["TSB_ADDITIONS"]).merged(plan.release["folder"], name)


def of_release(plan):
    """(the options of PyTorch, of what they are): of the user's folder, else those in the release's data."""
    folder = plan.declared["local"].get("pytorch")
    if folder:
        file = pathlib.Path(folder, "CMakeLists.txt")
        try:
            return options_of(file.read_text("utf-8", "replace")), folder
        except (IndexError, ValueError):
            raise Failure(f"{file} has an option() without its name or its end", "correct the file") from None
    return data_of(plan, "upstream.json").get("options", {}), f"PyTorch {plan.release['folder']}"


def has(known, name):
    """Whether an option is among these, of which a loop may have made some: USE_${feature}."""
    patterns = (re.sub(r"\$\{\w+\}", r"\\w+", one) for one in known if "${" in one)
    return name in known or any(re.fullmatch(pattern, name) for pattern in patterns)


def fault_of(word, name, value, known, what, switches, in_place):
    """What is wrong with an entry, whoever else sets its option; nothing with a good one."""
    typed = ":" in word.partition("=")[0]
    if name == "CMAKE_BUILD_TYPE" and typed and in_place and value not in BUILD_TYPES:
        return f"{name} is '{value}': set it to one of {', '.join(BUILD_TYPES)}"
    listed = known and not typed  # else of CMake or a submodule: nobody has a list of these
    if listed and not has(known, name):
        if name in SETUP_PY and in_place:
            return f"{name} is read by PyTorch's setup.py, which does not run here: use {SETUP_PY[name]}"
        if name.startswith("CMAKE_") and in_place:
            return f"{name} is a variable of CMake, which needs its type here: {name}:STRING={value}"
        near = "".join(f"Did you mean {one}? " for one in difflib.get_close_matches(name.upper(), known, 1, 0.7))
        return (
            f"{name}: {what} has no such option. {near}Correct it; "
            f"a variable of CMake or of a submodule has its type: {name}:STRING={value}"
        )
    wrong = (listed or name in switches) and not re.fullmatch(f"(?i){ON}|off|0|false|no|n", value)
    return f"{name} is '{value}': set it to ON or OFF" if wrong else ""


def taken_by(plan, package, name):
    """Who sets an option of a package already, and what to do; nothing for one that is free."""
    pairs = (option.partition("=") for option in package["options"])
    values = {option.partition(":")[0]: value for option, _, value in pairs}
    if name in FIXED:
        return FIXED[name]
    framework = () if package["in_place"] else plan.declared["framework_options"]
    if any(option.startswith(name + "=") for option in framework):
        return "it is the same for every package (cmake/package/z_tsb_framework.cmake): remove it"
    if name not in values:
        return ""
    for entry in reversed(data_of(plan, "options.json").get("options", [])):
        if entry["option"] == name and entry["value"] == values[name]:
            why = entry.get("why", "no reason is given")
            return f"the release has it as '{values[name]}': {why}. An addition can replace that (releases/README.md)"
    return f"it is '{values[name]}', which {package['declared_in']} takes from another setting, such as TSB_BLAS: remove it"


def set_feature(feature, name, value):
    """Switches a feature on or off. What changes, in words; nothing where the release has it so. One that this machine lacks,
    which has a remedy, is on in the release."""
    was, on = "" if feature["remedy"] else feature["off"], is_on(value)
    if on == (not was):
        return []
    feature.update(off="" if on else f"{SETTING} has {name}={value}", remedy="")
    return [f"{SETTING}: {name}={value} counts instead of the release's {f'OFF: {was}' if was else 'ON'}"]


def needs(default):
    """What has to be on for an option with such a default: "ON if USE_A AND NOT B;USE_C, else OFF"."""
    condition = re.fullmatch("[^;]* if (.*), else [^;]*", default)
    return set(re.split(" AND |;", condition[1])) if condition else set()


def set_dependent_features(features, words, known):
    """Switches off what depends on what the user has off: PyTorch does so without a word, and the manifest would say that it is
    on. What changes, in words."""
    given, said = choices(words), []
    off = {name for name, on in given.items() if not on}
    for feature in list(features) * len(features):  # each may depend on the one behind it
        option, lost = feature["option"], sorted(off & needs(known.get(feature["option"], "")))
        if lost and not feature["off"] and option not in given:
            feature.update(off=f"it depends on {lost[0]}, which {SETTING} has off", remedy="")
            said.append(f"{SETTING}: {lost[0]} is off, and so is {option}, which depends on it")
            off.add(option)
    return said


def set_options(plan):
    """Gives PyTorch's packages the user's options. A feature's option is switched, and those that depend on it are; one that
    something else decides is refused. Error: all that is wrong."""
    words = plan.declared["pytorch_options"]
    packages = [
        one
        for one in plan.packages.values()
        if one["name"].startswith("pytorch") and (one["source"] == "pytorch" or one["in_place"])
    ]
    if not words or not packages:
        return
    known, what = of_release(plan)
    faults, said, names = [], [], set()
    off = {name for name, on in choices(words).items() if not on}
    switches = [{one["option"] for one in package["features"].values()} for package in packages]
    for word in words:
        name, value = word.partition("=")[0].partition(":")[0], word.partition("=")[2]
        in_place = any(package["in_place"] for package in packages)
        fault = fault_of(word, name, value, known, what, set().union(*switches), in_place)
        lost = sorted(off & needs(known.get(name, ""))) if is_on(value) else ()
        if lost:
            fault = f"{name} is on, and {lost[0]} off, on which it depends: switch {lost[0]} on, or {name} off"
        decided = ""  # counts first: corrected in some other way, the entry would be refused again
        for package in packages:
            features = [one for one in package["features"].values() if one["option"] == name]
            lacking = [f"{one['off']}; {one['remedy']}" for one in features if one["remedy"] and is_on(value)]
            lacking += [f"{one['setting']} decides it" for one in features if one["setting"]]
            said += [line for one in features for line in set_feature(one, name, value)]
            decided = decided or ("".join(lacking) if features else taken_by(plan, package, name))
        if decided:
            fault = f"{name} cannot be set here: {decided}"
        if name in names:
            fault = f"{name} is there twice: remove one"
        names.add(name)
        faults += [fault] if fault else []
    if faults:
        lines = "".join(f"  {SETTING}: {fault}\n" for fault in faults)
        raise Failure(f"{lines}  correct the setting, or unset it (after a -D: -U {SETTING}): docs/variants.md")
    for package, switched in zip(packages, switches):
        said += set_dependent_features(package["features"].values(), words, known)
        package["options"] += [word for word in words if word.partition("=")[0].partition(":")[0] not in switched]
    for line in dict.fromkeys(said):
        say(line)


def own_folders(settings):
    """{setting: what the content of its folder is} of folders that add declarations or data to the project's. A README
    decides nothing."""

    def digest(folder):
        names = [name for name in tree.files_of(folder) if not name.endswith(b".md")]
        return tree.digest_of_folder(folder, names)

    folders = {name: settings.get(name) for name in ("TSB_ADDITIONS", "TSB_SUPERBUILD_DIR")}
    # Whatever the checkout is called: it may be reached through a link.
    own = {name: pathlib.Path(folder).resolve() for name, folder in folders.items() if folder}
    return {name: digest(folder) for name, folder in own.items() if folder != PROJECT / "superbuild"}


def facts_of_variant(plan):
    """What makes an artifact another one than the release's; nothing where nothing does."""
    of = plan.declared["artifacts"]
    sources = {source for package in plan.packages.values() for source in package["all_sources"]}
    pins = {name: pin for name, pin in plan.pins["sources"].items() if name in sources}
    found = {
        "version_suffix": of["suffix"],
        "build_number": of["build_number"],
        "pytorch_options": plan.declared["pytorch_options"],
        "patches": [patch["file"] for _, patch in own_patches.of_pins(pins)],
        "sources": sorted(source for source in sources if source.replace("-", "_") in plan.declared["local"]),
        "folders": {name: f"tree-{digest}" for name, digest in own_folders(plan.declared["folders"]).items()},
    }
    found = {name: value for name, value in found.items() if value}
    words = ((name, value if isinstance(value, str) else ", ".join(value)) for name, value in found.items())
    if found:
        say("a variant: " + "; ".join(f"{name.replace('_', ' ')} {value}" for name, value in words))
    if {"pytorch_options", "patches"} & set(found) and "version_suffix" not in found:
        say("TSB_VERSION_SUFFIX is not set: a file of this variant takes the place of the plain one in dist/")
    return found
