# SPDX-License-Identifier: BSD-3-Clause
"""Where the Pythons of this machine look for packages: pip puts NVIDIA's there."""

import os
import re

from engine.doctor.checks import matching, natural, output_of

QUESTION = r"import site, sys; print('\n'.join(sys.path + [site.getusersitepackages()]))"


def pythons(own):
    """`own`, that of an active environment, those on the PATH."""
    places = [own] if own else []
    places += [f"{os.environ[name]}/bin/python3" for name in ("VIRTUAL_ENV", "CONDA_PREFIX") if os.environ.get(name)]
    for folder in filter(None, os.environ.get("PATH", "").split(":")):
        names = map(os.path.basename, matching(folder, "python3*"))
        names = [name for name in names if re.fullmatch(r"python3(\.\d+)?", name)]
        if folder.endswith("/shims"):  # pyenv's python3 is the chosen one; the others take time
            names = [name for name in names if name == "python3"]
        places += [f"{folder}/{name}" for name in sorted(names, key=natural)]
    return places


def site_folders(own):
    """Those of PYTHONPATH, then each Python's; `own` is TSB_PYTHON. None is asked twice."""
    folders, asked = os.environ.get("PYTHONPATH", "").split(":"), set()
    for python in filter(os.path.exists, pythons(own)):
        # A virtual environment's python is a link to another's, and has folders of its own.
        folder = os.path.dirname(python)
        environment = folder if os.path.exists(f"{folder}/../pyvenv.cfg") else ""
        key = (environment, os.path.realpath(python))
        if key not in asked:
            asked.add(key)
            folders += output_of(python, "-E", "-c", QUESTION).splitlines()
    return [folder for folder in dict.fromkeys(folders) if os.path.isabs(folder) and os.path.isdir(folder)]
