# SPDX-License-Identifier: BSD-3-Clause
"""Runs a module of this package, or one of this project's scripts:

    python3 engine [--keep] [--modules <folder>]... <module or script.py> [<argument>...]
    python3 engine store list

CMake adds -I -S -B -X utf8 (tsb_python_command). Those options make Python deaf to what the caller has set (PYTHONPATH may
hide a standard module, PYTHONHOME name another Python's modules), and to packages that somebody installed. Programs that
are started do not get these variables either, unless with --keep. A script finds its own folder, the folders with further
modules, and the packages engine and backends. main() is called, with the arguments if it takes any, unless a script does so itself,
below `if __name__ == "__main__"`. A Failure ends it, with a report.
"""

import importlib
import os
import sys
import types

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def load_script(path):
    """Runs it as __main__, and returns that if its main() is still to be called. runpy does so, and takes 10 ms to be read."""
    program = sys.modules["__main__"] = types.ModuleType("__main__")
    program.__file__ = path
    with open(path, "rb") as file:
        source = file.read()
    exec(compile(source, path, "exec"), vars(program))
    calls_itself = b"\nif __name__ ==" in source  # its text may name __main__ for another reason
    return program if hasattr(program, "main") and not calls_itself else None


def load_module(name):
    module = importlib.import_module("engine." + name)
    return importlib.import_module(f"engine.{name}.__main__") if hasattr(module, "__path__") else module


def main():
    if sys.version_info < (3, 9):
        sys.exit("Python 3.9 or newer is needed, this is %d.%d\n" % sys.version_info[:2])
    sys.dont_write_bytecode = True
    words = sys.argv[1:]
    if words[:1] == ["--keep"]:
        del words[0]
    else:
        for name in [name for name in os.environ if name.startswith("PYTHON")]:
            del os.environ[name]
    folders = []
    while words[:1] == ["--modules"]:
        folders += words[1:2]
        del words[:2]
    if not words or words[0].startswith("-"):
        sys.exit(__doc__)
    sys.argv[:] = words
    is_script = words[0].endswith(".py")
    if is_script:
        folders.insert(0, os.path.dirname(os.path.abspath(words[0])))
    # Without this folder, which Python adds. The root is last: its packaging/ and build/ hide no library of that name.
    sys.path[:] = [*folders, *(path for path in sys.path if os.path.abspath(path) != ROOT + os.sep + "engine"), ROOT]
    try:
        program = load_script(words[0]) if is_script else load_module(words[0])
    except ModuleNotFoundError as error:
        if not is_script:
            raise
        from engine.failure import tell

        tell(
            f"{words[0]}: {error}",
            f"name a folder with it: python3 engine --modules build/<preset>/python-tools {words[0]}",
        )
        sys.exit(3)
    if program:
        from engine.failure import run, run_interruptible

        ends = run if getattr(program, "OWN_SIGNALS", False) else run_interruptible
        sys.exit(ends(program.main, *(words[1:] if program.main.__code__.co_argcount else ())))


if __name__ == "__main__":
    main()
