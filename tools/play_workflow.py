#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plays GitHub's workflow of a night on this machine, on the stand-in of PyTorch: plan, build, test of each artifact, upload,
smoke, for the compile `cpu` of the commit that is checked out. Takes about 20 minutes, and the first time 5 more to compile.

    ctest --test-dir build/tests -R e2e.prepare         # once: makes the stand-in
    tools/play_workflow.py [<target>]                   # of publish; default: a folder in build/play
"""

import argparse
import os
import pathlib
import shutil
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/cmake/workflows"))

from player import Player  # noqa: E402


def environment(work, play):
    """As stand_in_environment of tests/e2e/stand_in.cmake."""
    python = "%d.%d" % sys.version_info[:2]
    return {
        "TSB_PINS_FILE": work / "stand-in/pins/sources.json",
        "TSB_SOURCE_MIRROR": work / "stand-in/mirror",
        "TSB_PROVIDERS": "mirror",
        "TSB_CONSUMER_DIR": ROOT / "tests/fixtures/consumer-stand-in",
        "TSB_SOURCES": play / "sources",
        "TSB_STORE": play / "store",
        "CCACHE_DIR": play / "ccache",
        "TSB_DOCTOR_SKIP": "disk,memory",  # the needs of the real PyTorch
        "TSB_PYTHONS": python,
        "TSB_PYTHON_" + python.replace(".", ""): sys.executable,
        "TSB_CONDA_CHANNEL": "/nowhere",
        "PIP_NO_DEPS": "1",
    }


def main():
    play = ROOT / "build/play"
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("target", nargs="?", default=str(play / "site"))
    options = parser.parse_args()
    work = ROOT / "build/tests/tests/e2e/work"
    if not (work / "stand-in").is_dir():
        sys.exit("there is no stand-in: ctest --test-dir build/tests -R e2e.prepare")
    for folder in "site", "player":  # sources and store stay: another time only packs
        shutil.rmtree(play / folder, ignore_errors=True)
    (play / "player").mkdir(parents=True)
    player = Player(
        ROOT,
        play / "player",
        only={"compile": "cpu"},
        environment={name: str(value) for name, value in environment(work, play).items()},
        vars={"TSB_TARGET": options.target},
        inputs={"channel": "nightly"},
        secrets={name: os.environ.get(name, "") for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")},
    )
    begin = time.monotonic()
    good, _ = player.play(".github/workflows/binaries.yml")
    print("", *player.log, f"{'good' if good else 'FAILED'}, {time.monotonic() - begin:.0f} s", sep="\n")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
