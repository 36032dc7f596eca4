# SPDX-License-Identifier: BSD-3-Clause
"""Runs each console script of the installed torch: it has to show its help."""

import importlib.metadata
import pathlib
import subprocess
import sys

names = [one.name for one in importlib.metadata.distribution("torch").entry_points if one.group == "console_scripts"]
for name in names:
    print(name, flush=True)
    subprocess.run([pathlib.Path(sys.executable).parent / name, "--help"], check=True)
print(*names, "show their help")
