# SPDX-License-Identifier: BSD-3-Clause
"""Entry point of `python3 cmake/store`: see command_line.py."""

import pathlib
import sys

if __name__ == "__main__":
    # cmake/sources has the modules for locks, hashes and messages.
    sys.path.insert(1, str(pathlib.Path(__file__).resolve().parent.parent / "sources"))
    from command_line import main
    from partial_file import run_interruptible

    run_interruptible(lambda: main(sys.argv[1:]))
