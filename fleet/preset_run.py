# SPDX-License-Identifier: BSD-3-Clause
"""The result of a preset's workflow, and whether it is done."""

import contextlib
import fcntl
import hashlib
import itertools
import json
import os
import pathlib
import subprocess

from selection import ROOT
from text import size_text

ENVIRONMENT = "CC", "CXX", "CFLAGS", "CXXFLAGS", "SOURCE_DATE_EPOCH"
CHANGE_NO_RESULT = "TSB_JOBS", "TSB_DOCTOR_SKIP", "TSB_STORE_REMOTE", "TSB_FARM"
# What CMake, Ninja and buildah write behind a message.
FRAME = "See also", "-- Configuring incomplete", "ninja: build stopped", "FAILED: ", "cd ", "Errors while running CTest"
FRAME += "subprocess exited with status", "Error: exit status"


def git(*words):
    return subprocess.run(["git", "-C", ROOT, *words], capture_output=True).stdout


def checkout_hash():
    """A hash of the checkout: its commit, the changes since, and untracked files."""
    digest = hashlib.sha256(git("rev-parse", "HEAD") + git("diff", "HEAD"))
    for name in sorted(git("ls-files", "--others", "--exclude-standard", "-z").split(b"\0")):
        file = ROOT / os.fsdecode(name)
        digest.update(name + (file.read_bytes() if file.is_file() else b""))
    return digest.hexdigest()


def reason(lines):
    """Why it failed, from a log's lines without indentation: the text of CMake's last error, else the last line."""
    errors = [number for number, line in enumerate(lines) if line.startswith("CMake Error")]
    text = " ".join(itertools.takewhile(bool, lines[errors[-1] + 1 :])) if errors else ""
    plain = [line for line in lines if line and not line.startswith(FRAME)]
    return text or (plain or ["its log is empty"])[-1]


class Run:
    """A preset's workflow: build/fleet/<preset>.json and .log."""

    def __init__(self, preset, image=""):
        """`image`: the hash of the image that it runs in; empty on the machine itself."""
        self.preset, self.image = preset, image
        self.folder = ROOT / "build" / (f"images/{image[:12]}" if image else "")
        results = ROOT / "build/fleet"
        results.mkdir(parents=True, exist_ok=True)
        self.file, self.log = results / f"{preset.name}.json", results / f"{preset.name}.log"
        try:
            self.facts = json.loads(self.file.read_text())
        except (OSError, ValueError):
            self.facts = {"state": "waiting"}

    def key(self, checkout):
        """A hash of everything that decides what the preset makes."""
        named = {name: value for name, value in os.environ.items() if name.startswith("TSB_") or name in ENVIRONMENT}
        for name in CHANGE_NO_RESULT:
            named.pop(name, None)
        facts = [checkout, self.preset.variables, named, self.image]
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()

    def take(self):
        """Whether no other fleet runs the preset. The kernel gives the lock back when the fleet ends."""
        self.lock = open(self.file.with_suffix(".lock"), "w")
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        self.lock.close()
        return False

    def write(self, **facts):
        self.facts = facts
        new = self.file.with_suffix(".new")
        new.write_text(json.dumps(facts, indent=1) + "\n")
        new.replace(self.file)

    def is_done(self, key):
        """Whether it is done with the same inputs, and its files still exist."""
        files = self.facts.get("files", {})
        same = self.facts["state"] == "done" and self.facts["key"] == key
        return same and all(os.path.isfile(file) and os.path.getsize(file) == size for file, size in files.items())

    def made(self):
        """{file: bytes} of the packed files and their statements, from the stamps of the steps."""
        steps = self.folder / self.preset.name / "steps"
        stamps = [*steps.glob("*/pack.json"), *steps.glob("*/statement.json")]
        files = sorted(file for stamp in stamps for file in json.loads(stamp.read_text())["outputs"])
        return {file: os.path.getsize(file) for file in files}

    def end(self, state, key, seconds):
        """Writes the result, with the reason of a failure."""
        facts = {"state": state, "key": key, "seconds": seconds}
        lines = list(map(str.strip, self.log.read_text(errors="replace").splitlines()))
        if state == "failed":
            facts["why"] = f"{reason(lines)[:150]} ({self.log})"
        if state == "done":
            facts.update(checks=sum(line.startswith("-- ok ") for line in lines), files=self.made())
        self.write(**facts)

    def row(self):
        facts = self.facts
        seconds = f"{facts['seconds']:.0f} s" if "seconds" in facts else ""
        files = {pathlib.Path(file).name: size for file, size in facts.get("files", {}).items()}
        sizes = ", ".join(f"{name} {size_text(size)}" for name, size in files.items() if ".json" not in name)
        checks = f"{facts['checks']} passed" if facts.get("checks") else ""
        state = "killed" if facts["state"] == "running" and self.take() else facts["state"]
        return self.preset.name, state, seconds, checks, sizes or facts.get("why", "")
