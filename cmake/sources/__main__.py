# SPDX-License-Identifier: BSD-3-Clause
"""Fetches, unpacks and patches sources, see command_line.py."""

import sys

if __name__ == "__main__":
    from command_line import main

    sys.exit(main(sys.argv[1:]))
