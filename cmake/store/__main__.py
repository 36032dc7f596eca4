# SPDX-License-Identifier: BSD-3-Clause
"""Keeps built packages, and looks after them, see command_line.py."""

import pathlib
import sys

if __name__ == "__main__":
    # What fetches sources has the locks and the hashes of folders.
    sys.path.insert(1, str(pathlib.Path(__file__).resolve().parent.parent / "sources"))
    from command_line import main
    from partial_file import run_interruptible

    run_interruptible(lambda: main(sys.argv[1:]))
