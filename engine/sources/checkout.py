# SPDX-License-Identifier: BSD-3-Clause
"""Whether a checkout of PyTorch can be built where it is, with the Python that will import it: asked before anything is done.

python3 engine sources.checkout <folder> <python>
"""

import os
import subprocess

from engine.failure import Failure
from engine.sources.local import gitmodules, has_content
from engine.text import counted

# By its build; what it imports later, it says itself.
NEEDED = ("numpy", "packaging", "setuptools", "typing_extensions", "yaml")
FBGEMM = "third_party/fbgemm"
SCRIPT = """
import importlib.util, os, sys, sysconfig
print(*(name for name in sys.argv[1:] if not importlib.util.find_spec(name)))
print(os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h")))
print(sys.prefix != sys.base_prefix)
"""


def main(folder, python):
    known_by = "torch/csrc/stub.c"
    if not os.path.exists(os.path.join(folder, known_by)):
        what = f"TSB_LOCAL_pytorch names {folder}, which is not a checkout of PyTorch: it has no {known_by}"
        raise Failure(f"  {what}", "correct it")
    # As setup.py asks: for all, those for Android too, and of what is inside them for asmjit.
    inside = [f"{FBGEMM}/{path}" for path in gitmodules(os.path.join(folder, FBGEMM)) if path.endswith("asmjit")]
    empty = [path for path in gitmodules(folder) + inside if not has_content(os.path.join(folder, path))]
    if empty:
        more = f" and {len(empty) - 1} more" if len(empty) > 1 else ""
        raise Failure(
            f"  the checkout {folder} lacks {counted(len(empty), 'submodule')}: {empty[0]}{more}",
            f"git -C '{folder}' submodule update --init --recursive",
        )
    # Not in the current folder, which Python searches: this project has a folder `packaging`.
    run = subprocess.run([python, "-c", SCRIPT, *NEEDED], stdout=subprocess.PIPE, text=True, check=True, cwd="/")
    missing, headers, of_environment = run.stdout.splitlines()
    if missing:
        install = f"{python} -m pip install -r '{folder}/requirements.txt'; or name another one as TSB_PYTHON"
        if of_environment != "True":  # where distributions let pip install nothing
            install = f"{python} -m venv ~/venv && ~/venv/bin/pip install -r '{folder}/requirements.txt'; "
            install += "then set TSB_PYTHON=~/venv/bin/python3"
        raise Failure(f"  {python} lacks {', '.join(missing.split())}, which PyTorch's build imports", install)
    if headers != "True":
        raise Failure(
            f"  {python} has no headers (Python.h)", "install them, as python3-dev; or name another one as TSB_PYTHON"
        )
