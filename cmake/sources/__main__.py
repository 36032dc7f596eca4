# SPDX-License-Identifier: BSD-3-Clause
"""Fetches, unpacks and patches sources, see command_line.py."""

import sys

if __name__ == "__main__":
    from command_line import main
    from partial_file import run_interruptible

    run_interruptible(lambda: main(sys.argv[1:]))
