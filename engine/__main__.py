# SPDX-License-Identifier: BSD-3-Clause
"""Runs a module of this package, or one of this project's scripts:

    python3 engine [--keep] [--modules <folder>]... <module or script.py> [<argument>...]
    python3 engine store list

CMake adds -I -S -B -X utf8 (tsb_python_command). Those options make Python deaf to what the caller has set (PYTHONPATH may
hide a standard module, PYTHONHOME name another Python's modules), and to packages that somebody installed. Programs that
are started do not get these variables either, unless with --keep. A script finds its own folder, the folders with further
modules, and the packages engine and backends: nothing else in the project changes sys.path. main() is called, of a script
if it is the project's own, with the arguments if it takes any. A Failure ends it, with a report.
"""

import os
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
    folders[:0] = [os.path.dirname(os.path.abspath(words[0]))] if is_script else []
    # Without this folder, which Python adds. What bootstrap.sh installs is last.
    sys.path[:] = folders + [path for path in sys.path if os.path.basename(path) != "engine"]
    sys.path += [os.path.join(ROOT, "build", name) for name in ("remote-tools", "publish-tools")]
    # Not the root: packaging/ or build/ would be taken for the library of that name where that is missing.
    for name in ("engine", "backends"):
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__path__ = [os.path.join(ROOT, name)]
    name = "engine." + words[0]
    if is_script:  # as runpy does, which takes 10 ms to be read; so does Python's own for a folder
        name, sys.modules["__main__"] = "__main__", types.ModuleType("__main__")
        with open(words[0], "rb") as file:
            sys.modules[name].__file__ = words[0]
            exec(compile(file.read(), words[0], "exec"), vars(sys.modules[name]))
    else:
        __import__(name)
        if hasattr(sys.modules[name], "__path__"):
            name += ".__main__"
            __import__(name)
    program = vars(sys.modules[name])
    if "main" in program and (not is_script or os.path.realpath(words[0]).startswith(os.path.realpath(ROOT) + os.sep)):
        from engine.failure import run, run_interruptible

        main, ends = program["main"], run if program.get("OWN_SIGNALS") else run_interruptible
        sys.exit(ends(main, *(words[1:] if main.__code__.co_argcount else ())))


if __name__ == "__main__":
    main()
