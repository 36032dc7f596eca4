# SPDX-License-Identifier: BSD-3-Clause
"""Runs a phase of a package, see command_line.py."""

import signal
import sys

if __name__ == "__main__":
    # Until the supervisor watches the signals: Python's own answer to Ctrl-C is a traceback.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from command_line import main

    sys.exit(main(sys.argv[1:]))
