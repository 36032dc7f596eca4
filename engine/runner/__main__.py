# SPDX-License-Identifier: BSD-3-Clause
"""Run a phase of a package: output into a log, progress here.

Understands Ninja's progress. After a failure the first error of the log, its command and the log's path are shown; the
end of the log when nothing in it looks like an error. The command's exit code is passed on. Other exit codes: 2 wrong
use, 4 the environment.
"""

import argparse
import os
import signal
import sys

from engine.failure import Failure
from engine.runner.phase import Phase
from engine.runner.text import show

OWN_SIGNALS = True  # they end its command


def parse(words):
    """The options, and `command`: what follows `--` is another program's, and no parser may change it."""
    parser = argparse.ArgumentParser("runner", description=__doc__, allow_abbrev=False)
    add = parser.add_argument
    add("--package", required=True, help="name of the package")
    add("--phase", required=True, help="configure, build or stage")
    add("--log", required=True, help="<build folder>/packages/<package>/log/x.log; a former one becomes x.log.1")
    add("--retry-alone", action="store_true", help="try what was killed for lack of memory again, by itself (Ninja's)")
    add("--step-costs", help="what Ninja's steps weigh: lines '<seconds> <output>', * for any characters")
    add(
        "--no-network",
        type=lambda text: (text.partition(":")[0], int(text.partition(":")[2])),
        metavar="ADDRESS",
        help="let the command download nothing: it gets an empty network namespace where the machine allows one, and "
        "at this address (127.1.2.3:20001), to which its http_proxy should lead, every request is refused and noted",
    )
    add("--host-namespace", action="store_true", help="with --no-network: the proxy alone")
    end = words.index("--") if "--" in words else len(words)
    options = parser.parse_args(words[:end])
    options.command = words[end + 1 :]
    if not options.command:
        parser.error("there is no command to run: give it after --")
    return options


def main():
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Python's own answer to Ctrl-C is a traceback
    for name in "stdout", "stderr":
        if getattr(sys, name) is None:  # it was closed
            setattr(sys, name, open(os.devnull, "w"))
    options = parse(sys.argv[1:])
    try:
        return Phase(options).run()
    except Failure as failure:
        remedy = failure.remedy and f"remedy: {failure.remedy}\n"
        show(sys.stderr, f"{options.package} {options.phase}: {failure.what}\n{remedy}")
        return failure.status
