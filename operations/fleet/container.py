# SPDX-License-Identifier: BSD-3-Clause
"""Runs bootstrap.sh with a preset in its own container, which is always removed afterwards.

    container.py <image> <preset> <folder>

The checkout and the folders that variables name are mounted at the same places. <folder> is mounted as build/, since what was
compiled on one distribution may not run on another.
"""

import hashlib
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys

from engine.containers import engine
from engine.selection import ROOT

PASSED = re.compile(
    r"(TSB|PIP|S?CCACHE|CMAKE|AWS)_\w+|CC|CXX|CFLAGS|CXXFLAGS|SOURCE_DATE_EPOCH|(https?|all|no)_proxy|(HTTPS?|ALL|NO)_PROXY"
)
WRITTEN = "TSB_STORE", "TSB_SOURCES", "TSB_DIST", "CCACHE_DIR"


def variables():
    """What is passed on, with the folders that have places in the home folder."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    named = {name: f"{cache}/torch-superbuild/{name[4:].lower()}" for name in ("TSB_STORE", "TSB_SOURCES")}
    named["CCACHE_DIR"] = f"{cache}/ccache"
    given = {name: value for name, value in os.environ.items() if PASSED.fullmatch(name)}
    return named | {name: re.sub("^~(?=/|$)", os.path.expanduser("~"), value) for name, value in given.items()}


def mounts(named, build):
    """{place in the container: folder}. The programs that variables name are the image's own."""
    found = {str(ROOT): str(ROOT)}
    for name, value in named.items():
        if name in WRITTEN and "://" not in value:
            os.makedirs(ROOT / value, exist_ok=True)
        for path in [value] if os.path.exists(value) else value.split(";"):
            if name.startswith("TSB_") and os.path.isfile(path):
                path = os.path.dirname(path)  # patches lie beside a file of pins
            inside = pathlib.Path(path).is_relative_to(ROOT) or f"{path}/".startswith(("/usr/", "/bin/"))
            if path.startswith("/") and os.path.exists(path) and not inside:
                found[path] = path
    return found | {str(ROOT / "build"): build}


def commands(image, preset, build):
    """(what makes the container, what runs in it, what removes it); the one in the middle reads a script."""
    name = f"tsb-{hashlib.sha256(str(ROOT).encode()).hexdigest()[:8]}-{preset}"
    named = variables()
    volumes = [word for place, folder in mounts(named, build).items() for word in ("--volume", f"{folder}:{place}")]
    # Not as options, which all users of the machine can read.
    script = "".join(f"export {variable}={shlex.quote(value)}\n" for variable, value in named.items())
    script += f"cd {shlex.quote(str(ROOT))} && exec ./bootstrap.sh {shlex.quote(preset)} </dev/null\n"
    if engine() == "buildah":
        make, remove = ["buildah", "from", "--name", name, image], ["buildah", "rm", name]
        return make, ["buildah", "run", *volumes, name, "--", "sh"], remove, script
    run = ["podman", "run", "--interactive", "--name", name, "--security-opt", "label=disable", *volumes, image, "sh"]
    return ["true"], run, ["podman", "rm", "--force", "--time", "10", name], script


def main():
    image, preset, build = sys.argv[1:]
    os.makedirs(build, exist_ok=True)
    make, run, remove, script = commands(image, preset, build)
    stopped, fleet = [], os.getppid()

    def clean():
        subprocess.run(remove, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)

    def stop(number, _frame):
        """The whole group gets the signal, except for podman's container, and except when the fleet was killed."""
        stopped.append(number)
        if os.getppid() != fleet and len(stopped) == 1:
            os.killpg(0, signal.SIGTERM)
        if run[0] == "podman":
            clean()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    clean()  # what a killed run left behind
    try:
        status = subprocess.run(make, stdout=subprocess.DEVNULL).returncode
        if status == 0 and not stopped:
            status = subprocess.run(run, input=script.encode()).returncode
    finally:
        clean()
    return 128 + stopped[0] if stopped else status
