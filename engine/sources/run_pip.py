# SPDX-License-Identifier: BSD-3-Clause
"""Runs pip with the user's configuration of where wheels come from and how they travel: index, links, proxy, certificates,
cache, time-outs. What the user's own installations are to be like does not count, as in bootstrap.sh."""

import os
import subprocess

# A variable of the environment goes before pip's configuration files. pip ignores empty ones.
NEUTRAL = {"PIP_REQUIRE_VIRTUALENV": "0", "PIP_CONSTRAINT": os.devnull, "PIP_USER": "0", "PIP_QUIET": "0"}
NEUTRAL["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
LEFT_OUT = ("PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_PYTHON", "PIP_REQUIREMENT", "PIP_VERBOSE")


def environment():
    """The environment for pip."""
    kept = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
    always = {"LC_ALL": "C", "PIP_NO_INPUT": "1"}
    return {**kept, **NEUTRAL, **always}


def pip(python, *words):
    """The exit status of pip and all that it says."""
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    try:
        command = [python, "-E", "-W", "ignore", "-m", "pip", *words]
        done = subprocess.run(command, env=environment(), encoding="utf-8", errors="replace", **streams)
    except OSError:
        return 1, "No module named pip"
    return done.returncode, done.stdout


def python_with_pip(python):
    """The doctor's is chosen for its modules; a virtual environment may have no pip."""
    question = "import importlib.util, sys; sys.exit(importlib.util.find_spec('pip') is None)"
    for one in (python, "python3", "/usr/bin/python3"):
        try:
            if subprocess.run([one, "-E", "-c", question], capture_output=True).returncode == 0:
                return one
        except OSError:
            pass
    return None
