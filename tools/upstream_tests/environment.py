# SPDX-License-Identifier: BSD-3-Clause
"""Makes what the tests run in: a copy of them without PyTorch's torch/, and a virtual environment with the wheel."""

import os
import shutil
import subprocess
import sys

from inputs import HERE, of_release, release_of
from output import last_lines, say

from engine.failure import Failure
from engine.folders import PROJECT

CHOOSE_REQUIREMENTS = PROJECT / "packaging/consumer_check/choose_requirements.py"


def run(command, log, **options):
    """Runs a command that must succeed; its output goes into the file log. Its exit code."""
    os.makedirs(os.path.dirname(log), exist_ok=True)
    with open(log, "wb") as stream:
        options.update(stdin=subprocess.DEVNULL, stdout=stream, stderr=subprocess.STDOUT)
        return subprocess.run(command, **options).returncode


def copy_tests(place, options):
    """The tests lie in <place>/tree/test then, and the plugin in <place>/plugin."""
    tree = os.path.join(place, "tree")
    if not os.path.isdir(tree):
        # Beside each other and without torch/: nothing of it is to be imported instead of the wheel's.
        shutil.rmtree(tree + ".part", ignore_errors=True)
        os.makedirs(tree + ".part")
        for name in ("test", "tools"):
            shutil.copytree(
                os.path.join(options.source, name),
                os.path.join(tree + ".part", name),
                symlinks=True,
                ignore=shutil.ignore_patterns("__pycache__"),
            )
        if os.path.isfile(os.path.join(options.source, "pytest.ini")):
            shutil.copy(os.path.join(options.source, "pytest.ini"), tree + ".part")
        os.rename(tree + ".part", tree)
    plugin = os.path.join(place, "plugin")
    os.makedirs(plugin, exist_ok=True)
    shutil.copy(os.path.join(HERE, "shard_plugin.py"), plugin)


def install_wheel(python, venv, options, wheel, version):
    """The wheel, what it requires and what the tests need: wheels alone, each by its hash."""
    log, chosen = venv + "-install.txt", venv + "-requirements.txt"

    def must(*command):
        if run(command, log):
            sys.stderr.write(last_lines(log))
            raise Failure(
                "pip could not install the wheel and what the tests need: %s" % log,
                "see the end of the log above; pip's index can be set with PIP_INDEX_URL or PIP_FIND_LINKS",
            )

    pip = [python, "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--no-deps"]
    must(*pip, "--no-index", wheel)
    pinned = of_release(release_of(version), "wheel_check")
    must(python, "-B", PROJECT / "engine", CHOOSE_REQUIREMENTS, chosen, pinned)
    with open(log) as stream:
        unknown = stream.read().strip()
    if unknown:
        raise Failure("no hash is known for %s, which the wheel requires" % unknown, "add it to %s" % pinned)
    must(*pip, "--require-hashes", "--only-binary", ":all:", "-r", chosen, "-r", options.requirements)


def install(venv, options, wheel, version):
    """The interpreter of the environment."""
    python = os.path.join(venv, "bin", "python")
    ready = os.path.join(venv, "ready")
    if not os.path.exists(ready):
        say("installing %s" % os.path.basename(wheel))
        shutil.rmtree(venv, ignore_errors=True)
        log = venv + "-install.txt"
        if run([options.python, "-m", "venv", venv], log):
            sys.stderr.write(last_lines(log))
            what = "%s cannot make a virtual environment: %s" % (options.python, log)
            raise Failure(what, "see the end of the log above")
        install_wheel(python, venv, options, wheel, version)
        open(ready, "w").close()
    log = venv + "-import.txt"
    program = "import torch; assert str(torch.__version__) == %r and torch.__file__.startswith(%r), torch.__file__"
    program %= version, venv
    if run([python, "-c", program], log, cwd=venv):
        sys.stderr.write(last_lines(log))
        raise Failure(
            "torch %s cannot be imported from %s: %s" % (version, venv, log),
            "see the end of the log above; an AssertionError means that another torch is on PYTHONPATH",
        )
    return python
