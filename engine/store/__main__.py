# SPDX-License-Identifier: BSD-3-Clause
"""Entry point of `python3 engine store`: see command_line.py."""

import sys

if __name__ == "__main__":
    from engine.partial_file import run_interruptible
    from engine.store.command_line import main

    run_interruptible(lambda: main(sys.argv[1:]))
