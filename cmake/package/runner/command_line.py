# SPDX-License-Identifier: BSD-3-Clause
"""Run a phase of a package: output into a log, progress here.

Understands Ninja's progress. After a failure the first error of the log, its command and the log's path are shown; the
end of the log when nothing in it looks like an error. The command's exit code is passed on; 130 and 143 after SIGINT
and SIGTERM. Other exit codes: 2 wrong use, 3 bad input, 4 the environment.
"""

import argparse
import os
import socket
import sys

from estimate import StepCosts
from network import NetworkGuard
from phase import Phase
from text import Failure, show


def address(text):
    try:
        host, port = text.split(":")
        socket.inet_pton(socket.AF_INET, host)
        if 0 < int(port) < 65536:
            return host, int(port)
    except (OSError, ValueError):
        pass
    raise argparse.ArgumentTypeError(f"'{text}' is not an address and a port like 127.1.2.3:20001")


def parse(words):
    parser = argparse.ArgumentParser(
        prog="runner",
        description=__doc__,
        epilog="The command and its arguments follow after --.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--package", required=True, help="name of the package")
    parser.add_argument("--phase", required=True, help="configure, build or stage")
    parser.add_argument("--log", required=True, help="log file; a former one becomes LOG.1")
    parser.add_argument("--tail", type=int, default=30, help="lines of the log shown after a failure (30)")
    parser.add_argument(
        "--interval",
        type=float,
        default=14,
        help="seconds between progress lines when the output is not a terminal (14)",
    )
    parser.add_argument(
        "--retry-alone",
        action="store_true",
        help="try what was killed for lack of memory again, by itself (the command must be ninja)",
    )
    parser.add_argument(
        "--step-costs",
        help="what Ninja's steps cost, for the time left: lines '<seconds> <output>', * for any characters; "
        "a step in no line costs what is usual for its kind",
    )
    parser.add_argument(
        "--no-network",
        type=address,
        metavar="ADDRESS",
        help="let the command download nothing: it gets an empty network namespace where the machine allows one, and "
        "at this address (127.1.2.3:20001), to which its http_proxy should lead, every request is refused and noted in "
        "the log",
    )
    parser.add_argument("--host-namespace", action="store_true", help="with --no-network: the proxy alone")
    # What follows `--` is another program's: no parser may change it.
    end = words.index("--") if "--" in words else len(words)
    options = parser.parse_args(words[:end])
    options.command = words[end + 1 :]
    if not options.command:
        parser.error("there is no command to run: give it after --")
    return options


def main(words):
    for name in "stdout", "stderr":
        if getattr(sys, name) is None:  # it was closed
            setattr(sys, name, open(os.devnull, "w"))
    sys.stderr.reconfigure(errors="surrogateescape")  # what a log has that is not UTF-8 is shown as it is
    options = parse(words)
    try:
        costs = StepCosts(options.step_costs)
        guard = NetworkGuard(options.no_network, not options.host_namespace) if options.no_network else None
        return Phase(options, costs, guard).run()
    except Failure as failure:
        remedy = f"remedy: {failure.remedy}\n" if failure.remedy else ""
        show(sys.stderr, f"{options.package} {options.phase}: {failure}\n{remedy}")
        return failure.exit_code
