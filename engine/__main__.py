# SPDX-License-Identifier: BSD-3-Clause
"""Runs a module of this package, or one of this project's scripts:

    python3 engine [--keep] [--modules <folder>]... <module or script.py> [<argument>...]
    python3 engine store list

CMake adds -I -S -B -X utf8 (tsb_python_command). Those options make Python deaf to what the caller has set (PYTHONPATH may
hide a standard module, PYTHONHOME name another Python's modules), and to packages that somebody installed. Programs that
are started do not get these variables either, unless with --keep. A script finds its own folder, the folders with further
modules, and the packages engine and backends: nothing else in the project changes sys.path.
"""

import os
import runpy
import sys
import types

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def main():
    if sys.version_info < (3, 9):
        sys.exit("Python 3.9 or newer is needed, this is %d.%d\n" % sys.version_info[:2])
    words = sys.argv[1:]
    if not words:
        sys.exit(__doc__)
    if words[0] == "--keep":
        del words[0]
    else:
        for name in [name for name in os.environ if name.startswith("PYTHON")]:
            del os.environ[name]
    folders = []
    while words[0] == "--modules":
        folders.append(words[1])
        del words[:2]
    sys.argv[:] = words
    is_script = words[0].endswith(".py")
    # What bootstrap.sh installs is last.
    sys.path[:1] = [os.path.dirname(os.path.abspath(words[0])), *folders] if is_script else folders
    sys.path += [os.path.join(ROOT, "build", name) for name in ("remote-tools", "publish-tools")]
    # Not the root: packaging/ or build/ would be taken for the library of that name where that is missing.
    for name in ("engine", "backends"):
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__path__ = [os.path.join(ROOT, name)]
    if is_script:
        runpy.run_path(words[0], run_name="__main__")
    else:
        runpy.run_module("engine." + words[0], run_name="__main__")


if __name__ == "__main__":
    main()
