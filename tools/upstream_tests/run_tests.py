#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs PyTorch's own tests, from its source tree, with our wheel, and says what became of each.

    run_tests.py --wheel dist/torch-9.9.0+cpu-cp311-cp311-manylinux_2_35_x86_64.whl --source <PyTorch's source tree>
                 --python python3.11 --work <folder> [--file test_torch.py ...] [--jobs N] [--shards N] [--timeout S]

--wheel         the wheel; a pattern that matches one file will do
--source        PyTorch's source tree of the same release: its test/ and tools/ are copied, it is not written to
--python        the interpreter that the wheel is for; it must be able to make a virtual environment
--work          everything is written below this folder; some 900 MB for a wheel
--file          a file below test/; may be given several times. Default: test_torch.py, test_nn.py, test_autograd.py,
                test_linalg.py and test_jit.py
--jobs          how many tests run at once, in processes of their own (1)
--shards        in how many parts each file is run (one for every 400 tests begun)
--timeout       seconds that a shard may take (3600). The test that it hangs in counts as crashed, the rest is run
--requirements  what pip installs besides, each with its hashes (releases/<version>/upstream_tests/requirements.txt)
--known-failures  tests that fail, and why (releases/<version>/upstream_tests/known_failures.txt)

The wheel, its dependencies and the requirements go into a new virtual environment. The environment of the caller is
handed on, so pip's settings and variables such as LD_PRELOAD hold; PYTHONHASHSEED is 0, and with several jobs
OMP_WAIT_POLICY is PASSIVE unless it is set. Each shard is a pytest of its own; when it crashes, the test is named and
the rest of the shard is run. What is done is not done again: start the same command again after
an interruption. Another wheel, requirements, Python or tests begin anew, in a folder of their own; another number of
shards begins the files anew.

<work>/result.json has what the table at the end says, each failure, and for what reasons tests were skipped.
<work>/tests-<key>/results/<file>/<n>-shards/ has a folder for each shard: log-<n>.txt and junit-<n>.xml of each
process, journal.jsonl with what became of each test.

In the table "run" leaves out what was skipped. "known" are those of the failed and crashed ones that the list of known
failures has: a line of it is the id of a test, or a pattern with *, and then the reason.

Exit code 0: nothing failed, or only what is known. 1: something else failed or crashed. 3: it could not be run, the
error says why. 130: interrupted.
"""

import argparse
import fcntl
import os
import signal
import sys

if __loader__ and __name__ == "__main__":  # by Python alone: engine has no loader
    os.execv(sys.executable, [sys.executable, os.path.dirname(__file__) + "/../../engine", *sys.argv])

from environment import copy_tests, install
from inputs import (
    Folders,
    KnownFailure,
    find_wheel,
    hash_of_folder,
    hash_of_key,
    list_for,
    look_at_python,
    look_at_source,
    of_release,
    release_of,
)
from output import say
from report import report
from runner import Runner

from engine.failure import Failure
from engine.sources.tree import digest_of

FILES = ("test_torch.py", "test_nn.py", "test_autograd.py", "test_linalg.py", "test_jit.py")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("wheel", "source", "python", "work"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--file", action="append")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--shards", type=int)
    parser.add_argument("--timeout", type=int, default=3600)
    parser.add_argument("--requirements")
    parser.add_argument("--known-failures")
    options = parser.parse_args()
    for name in ("jobs", "shards", "timeout"):
        if getattr(options, name) is not None and getattr(options, name) < 1:
            parser.error("--%s must be at least 1" % name)
    options.file = list(dict.fromkeys(options.file or FILES))
    return options


def work(options):
    wheel, version, tag = find_wheel(options.wheel)
    python_version = look_at_python(options.python, wheel, tag)
    look_at_source(options.source, version)
    options.requirements = list_for("requirements", options.requirements, release_of(version))
    known = KnownFailure.read(list_for("known-failures", options.known_failures, release_of(version)))
    for file in options.file:
        if not os.path.isfile(os.path.join(options.source, "test", file)):
            raise Failure("there is no file %s in %s" % (file, os.path.join(options.source, "test")), "correct --file")

    key = {
        "wheel": digest_of(wheel),
        "requirements": digest_of(options.requirements),
        "pinned": hash_of_folder(of_release(release_of(version), "wheel_check")),
        "common": list(map(digest_of, Folders(os.environ.get("TSB_ADDITIONS")).of_backends("wheel_check.txt"))),
        "python": python_version,
    }
    folder = os.path.abspath(options.work)
    venv = os.path.join(folder, "venv-" + hash_of_key(key))
    key["tests"] = [hash_of_folder(os.path.join(options.source, name)) for name in ("test", "tools")]
    place = os.path.join(folder, "tests-" + hash_of_key(key))
    os.makedirs(place, exist_ok=True)
    with open(os.path.join(folder, "lock"), "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Failure(
                "another run is working in %s" % folder, "wait for it, or end it with what it has started"
            ) from None
        copy_tests(place, options)
        runner = Runner(options, place, install(venv, options, wheel, version), lock)
        try:
            runner.run()
        except KeyboardInterrupt:
            runner.interrupted = True
        facts = {"wheel": os.path.basename(wheel), "version": version, "python": python_version}
        facts.update(hashes=key, results=runner.results, complete=not runner.interrupted)
        path = os.path.join(folder, "result.json")
        good = report(runner, known, facts, path)
    if runner.interrupted:
        say("interrupted: run the same command again to continue")
        return 130
    if not good:
        say("not all failures are known: fix them, or add them to the list of known failures with their reasons")
    say("written: %s; logs: %s" % (path, runner.results))
    return 0 if good else 1


OWN_SIGNALS = True  # after an interrupt it reports


def main():
    # Whoever ends this process ends what it started.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return work(arguments())
    except KeyboardInterrupt:
        say("interrupted: run the same command again to continue")
        return 130
