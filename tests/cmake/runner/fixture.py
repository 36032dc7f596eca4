# SPDX-License-Identifier: BSD-3-Clause
"""A command under the runner, in a folder of its own with a blank in its name."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
LOGS = HERE / "logs"
RUNNER = [sys.executable, "-I", "-S", "-B", "-X", "utf8", str(ROOT / "engine"), "runner"]


def run_command(words):
    """Its `stdout` has all that the command says."""
    return subprocess.run(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    )


class RunnerTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="a folder ")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.log = self.folder / "logs/build.log"

    def words(self, command, *options):
        names = ["--package", "demo", "--phase", "build", "--log", str(self.log)]
        return [*RUNNER, *names, *map(str, options), "--", *map(str, command)]

    def run_phase(self, command, *options):
        """`command`: words, or a script for the shell. Its standard output and error are mixed as they came."""
        if isinstance(command, str):
            command = ["sh", "-c", command]
        return run_command(self.words(command, *options))

    def ninja(self, text):
        """Words of a command that runs this ninja file."""
        (self.folder / "build.ninja").write_text(text)
        return ["ninja", "-C", self.folder, "-j2"]

    def log_text(self):
        return self.log.read_text(errors="replace")
