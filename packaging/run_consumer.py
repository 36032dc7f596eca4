# SPDX-License-Identifier: BSD-3-Clause
"""Runs the tests of a packed file (consumer_check/) with CTest, in an environment of their own:

    python3 engine packaging/run_consumer.py [--quiet] <work folder> <cmake> <option of cmake>...

The environment is empty but for PATH (the system's folders), HOME, and what may be said from outside: the settings, pip's,
and how the GPUs of a machine and the links between them may be used (`environment` of each backend): on a shared machine a
program that runs without these can disturb others. None helps to find a library.

The work folder gets CTest's report, results.xml, and log/<test>.log. A test that fails ends the run; its last lines are
shown, or those of the checks in it that failed. The rest of the folder goes when all have passed, and --quiet shows none of
these. Exits with 1 when something failed.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from consumer_results import results, rows

from engine.folders import Folders
from engine.sources.run_pip import LEFT_OUT, NEUTRAL

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
INHERITED = "TORCH_SUPERBUILD_RUN|TSB_(ADDITIONS|CONDA_CHANNEL|EXTRA_INDEX|OFFLINE|PUBLISHED)|PIP_[A-Z0-9_]+"
TESTS = pathlib.Path(__file__).resolve().with_name("consumer_check")


def pip_settings(environment):
    """What pip has of the caller, although its HOME is another one: the configuration file, which may name the only index
    there is, and the cache, since NVIDIA's wheels are 2.5 GB; but not what the caller's installations are to be like.
    https://pip.pypa.io/en/stable/topics/configuration/#location"""
    home = environment.get("HOME", "")
    config = environment.get("XDG_CONFIG_HOME") or home + "/.config"
    cache = environment.get("XDG_CACHE_HOME") or home and home + "/.cache"
    files = [file for file in (config + "/pip/pip.conf", home + "/.pip/pip.conf") if os.path.exists(file)]
    found = {"PIP_CONFIG_FILE": environment.get("PIP_CONFIG_FILE") or "".join(files[:1])}
    found["PIP_CACHE_DIR"] = environment.get("PIP_CACHE_DIR") or cache and cache + "/pip"
    return {**found, **dict.fromkeys(LEFT_OUT, ""), **NEUTRAL}


def clean(environment, work):
    """The environment of the tests."""
    backends = Folders(environment.get("TSB_ADDITIONS")).of_backends("backend.json")
    of_gpus = [name for file in backends for name in json.loads(file.read_text()).get("environment", ())]
    pattern = re.compile("|".join([INHERITED, *of_gpus]))
    kept = {name: value for name, value in environment.items() if pattern.fullmatch(name)}
    kept.update(pip_settings(environment), HOME=f"{work}/home", PATH=PATH)
    return {name: value for name, value in kept.items() if value}


def log_of(work, test):
    return work / "log" / (re.sub("[ /]", "_", test.replace(", ", "-", 1)) + ".log")


def run(work, command, environment):
    """Runs it; what each test says goes into a log of its own. The exit code."""
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "errors": "replace"}
    stream = open(log_of(work, pathlib.Path(command[0]).name), "w")
    with subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, **options) as process:
        for line in process.stdout:
            begins = re.match(r" +Start +\d+: (.*)", line)
            if begins:
                stream.close()
                stream = open(log_of(work, begins[1]), "w")
                print(f"tsb_progress: {begins[1]} log: {stream.name}", flush=True)
            stream.write(re.sub(r"^\d+: ", "", line))
            stream.flush()
    stream.close()
    return process.returncode


def explain(work, package, name, lines):
    failed = [line for line in lines if line.startswith("FAIL ")]
    print(*(f"  | {line}" for line in failed or lines[-30:]), sep="\n")
    how = re.findall(r"(?s)Test +#\d+: .*?\*\*\*(.*?)\s+[\d.]+ sec", log_of(work, name).read_text())
    print(f"error: {package} cannot be used: {name}: {' '.join(''.join(how).split())}")
    print("       fix the package, or the program that uses it")
    print(f"       log: {log_of(work, name)}")
    print(f"       again: ctest --test-dir '{work}' --output-on-failure -R '^{re.escape(name)}$'")


def main():
    quiet = sys.argv[1] == "--quiet"
    folder, cmake, *options = sys.argv[1 + quiet :]
    work = pathlib.Path(folder).resolve()
    if work.exists() and any(work.iterdir()) and not (work / "CMakeCache.txt").exists():
        print(f"error: {work} holds something else\n       name a new folder")
        return 1
    shutil.rmtree(work, ignore_errors=True)
    for name in "home", "log":
        (work / name).mkdir(parents=True)
    given = dict(word[2:].split("=", 1) for word in options if word.startswith("-D"))
    environment = clean(os.environ, work)
    ninja = given.get("CMAKE_MAKE_PROGRAM") or shutil.which("ninja", path=PATH)
    if ninja:
        options = [*options, "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={ninja}"]
        environment["PATH"] = f"{os.path.dirname(ninja)}:{PATH}"
    if run(work, [cmake, *options, "-S", TESTS, "-B", work], environment):
        print(log_of(work, "cmake").read_text(), end="")
        return 1
    report = work / "results.xml"
    options = "--verbose --stop-on-failure --no-tests=error"
    sizes = "--test-output-size-passed 9999999 --test-output-size-failed 9999999"  # in the report
    command = [pathlib.Path(cmake).with_name("ctest"), "--test-dir", work, "--output-junit", report]
    command += [*options.split(), *sizes.split()]
    code = run(work, command, environment)
    package = os.path.basename(given["TSB_PACKAGE"])
    if code or not quiet:
        print(*("-- {} {}: {}".format(*row) for row in rows(report)), sep="\n")
    if code:
        for name, good, lines in results(report):
            if good is False:
                explain(work, package, name, lines)
        return 1
    for place in work.iterdir():
        if place.is_dir() and place.name != "log":
            shutil.rmtree(place)
    skipped = sum(verdict == "skip" for verdict, *_ in rows(report))
    print(f"-- ok {package} works" + (f"; not run: {skipped}" if skipped else ""))
    return 0
