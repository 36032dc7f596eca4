# SPDX-License-Identifier: BSD-3-Clause
"""Runs one of this project's scripts as `python3 <script>` does, but whatever PYTHON... variables the caller has set.

    python3 -I -S -B -X utf8 run.py [--modules <folder>]... <script> [<argument>...]

Those options make Python deaf to the variables (PYTHONPATH may hide a standard module, PYTHONHOME name another Python's
modules), and to packages that somebody installed. They also leave out the script's own folder, as PYTHONSAFEPATH does;
it is put back here, before the folders with further modules. Programs that the script starts do not get the variables.
"""

import os
import runpy
import sys

if __name__ == "__main__":
    if sys.version_info < (3, 9):
        sys.exit("Python 3.9 or newer is needed, this is %d.%d\n" % sys.version_info[:2])
    for name in [name for name in os.environ if name.startswith("PYTHON")]:
        del os.environ[name]
    del sys.argv[0]
    folders = []
    while sys.argv[0] == "--modules":
        folders.append(sys.argv[1])
        del sys.argv[:2]
    script = os.path.abspath(sys.argv[0])
    sys.path[:0] = [script if os.path.isdir(script) else os.path.dirname(script), *folders]
    runpy.run_path(sys.argv[0], run_name="__main__")
