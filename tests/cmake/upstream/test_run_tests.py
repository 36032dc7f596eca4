# SPDX-License-Identifier: BSD-3-Clause
"""tools/upstream_tests/run_tests.py on a wheel of an empty module and a source tree with tests of a few lines: what it says about
each kind of test, that what is done is not done again, its errors of two lines and exit codes."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

from box import ROOT, BoxTest, make_wheel

SCRIPT = "tools/upstream_tests/run_tests.py"
TEST_TORCH = """\
import os, sys, time, unittest
sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tools.helper
import torch

class TestAll(unittest.TestCase):
    def test_passes(self):
        self.assertEqual(torch.__version__, '9.1.0+cpu')
    def test_also_passes(self):
        if 'WAITING' in os.environ:
            open(os.environ['WAITING'], 'w').close()
            time.sleep(300)
    def test_fails(self):
        self.assertEqual(1, 2, 'the sums differ')
    def test_fails_as_known(self):
        raise ValueError('known')
    def test_passes_though_known(self):
        pass
    @unittest.skip('a reason')
    def test_skipped(self):
        pass
    @unittest.expectedFailure
    def test_fails_as_expected(self):
        self.fail()
    def test_crashes(self):
        os.abort()
    def test_ends_python(self):
        os._exit(0)
"""
# As PyTorch's, with a torch/ that must not be imported instead of the wheel's.
SOURCE = {
    "version.txt": "9.1.0a0\n",
    "torch/__init__.py": "raise ImportError('this is the torch of the source tree')\n",
    "tools/helper.py": "",
    "test/test_torch.py": TEST_TORCH,
    "test/test_good.py": "import time\ndef test_one(): pass\ndef test_two(): pass\n",
    "test/test_hangs.py": "import time\ndef test_hangs(): time.sleep(300)\ndef test_next(): pass\n",
    "test/test_broken.py": "import nobody_has_this\n",
}
KNOWN = """\
# What fails.

test_torch.py::*::test_fails_as_known  a missing feature
test_torch.py::TestAll::test_passes_though_known\twas a fault
test_torch.py::TestAll::test_gone  nobody has it
test_nn.py::test_other  in a file that is not run
"""
COLUMNS = ("run", "passed", "failed", "skipped", "xfailed", "crashed", "known", "left")
OF_TORCH, OF_GOOD = [8, 3, 2, 1, 1, 2, 1, 0], [2, 2, 0, 0, 0, 0, 0, 0]
SHARDED = ("--file", "test_torch.py", "--file", "test_good.py", "--shards", "3")
PROJECTS = "pytest|pytest-xdist|execnet|iniconfig|packaging|pluggy|exceptiongroup|tomli"


def pinned():
    """What of a release's requirements these tests need."""
    text = next(ROOT.glob("releases/*/upstream_tests/requirements.txt")).read_text()
    return "\n".join(match[0] for match in re.finditer(rf"^({PROJECTS})==.*(\n +--hash.*)+", text, re.M)) + "\n"


NO_VENV = subprocess.run([sys.executable, "-c", "import ensurepip, venv"], capture_output=True).returncode


@unittest.skipIf(NO_VENV, "python3 cannot make a virtual environment")
class RunTests(BoxTest):
    def setUp(self):
        super().setUp()
        self.python, self.source, self.work = sys.executable, self.box / "a source tree", self.box / "work"
        self.wheel = self.make_wheel("py3")
        for name, text in SOURCE.items():
            self.write(self.source / name, text)
        self.requirements = self.write("requirements.txt", pinned())
        self.known = self.write("known.txt", KNOWN)

    def make_wheel(self, tag, more=""):
        files = {"torch/__init__.py": "__version__ = '9.1.0+cpu'\n"}
        return make_wheel(self.box / f"torch-9.1.0+cpu-{tag}-none-any.whl", files, more)

    def words(self, *arguments):
        values = {"wheel": self.wheel, "source": self.source, "python": self.python, "work": self.work}
        values.update({"requirements": self.requirements, "known-failures": self.known})
        return [*(str(word) for name, value in values.items() for word in (f"--{name}", value)), *arguments]

    def run_tests(self, ends, *arguments, says=(), lacks=()):
        self.run_python(ends, SCRIPT, *self.words(*arguments), says=says)
        for part in lacks:
            self.assertNotIn(part, self.text)

    def append(self, file, text):
        file.write_text(file.read_text() + text)

    def result(self):
        return json.loads((self.work / "result.json").read_text())

    def counts(self, name, *expected):
        row = next(file for file in self.result()["files"] if file["file"] == name)
        self.assertEqual([row[column] for column in COLUMNS], list(expected))


class Errors(RunTests):
    """Before anything is installed."""

    def is_refused(self, what, remedy, *arguments):
        self.run_tests(3, *arguments)
        self.assertEqual(self.text, f"error: {what}\n       {remedy}\n")
        self.assertFalse(self.work.exists())

    def test_wheel(self):
        good = self.wheel
        tied = self.make_wheel("cp27")
        both, version = self.box / "torch-9.1.0+cpu-*.whl", "{}.{}".format(*sys.version_info)
        interpreter = "give --python the interpreter that the wheel is for"
        none, build = self.box / "no-*.whl", "build one with a preset cpu-wheel-py..., or correct the path"
        for wheel, what, remedy in (
            (none, f"there is no wheel {none}", build),
            (
                self.requirements,
                f"{self.requirements} is not named as a wheel of torch is",
                "give --wheel the file as it was built",
            ),
            (both, f"2 wheels match {both}", f"name one of them: {tied} {good}"),
            (tied, f"{tied.name} is for cp27, and {self.python} is cpython {version}", interpreter),
        ):
            with self.subTest(what):
                self.wheel = wheel
                self.is_refused(what, remedy)

    def test_lists_and_source(self):
        self.is_refused(f"there is no file nn/none.py in {self.source}/test", "correct --file", "--file", "nn/none.py")
        none = f"{ROOT}/tools/upstream_tests/none.txt"
        remedy = "write one, as there is for another release, or correct --requirements"
        self.is_refused(f"there is no {none}", remedy, "--requirements", none)
        self.append(self.known, "test_torch.py::test_without_reason\n")
        self.is_refused(f"{self.known}, line 7 has no reason", "write why the test fails, after its id and a blank")
        (self.source / "version.txt").write_text("9.2.0a0\n")
        other = f"the wheel is of PyTorch 9.1.0+cpu, and {self.source} of 9.2.0a0"
        self.is_refused(other, "give --source the source tree of PyTorch 9.1.0")
        shutil.rmtree(self.source / "test")
        self.is_refused(f"{self.source} has no test", "give --source the whole source tree of PyTorch 9.1.0")

    def test_python(self):
        """As Debian has it without python3-venv, and one that does not run."""
        without = f"#!/bin/sh\ncase $* in *ensurepip*) exit 1;; esac\nexec '{sys.executable}' \"$@\"\n"
        for text, what, remedy in (
            (without, "cannot make a virtual environment", "install its module venv (python3-venv)"),
            ("#!/bin/sh\nexit 3\n", "is not a Python that runs", "give --python the interpreter that the wheel is for"),
        ):
            self.python = self.write("a python", text, 0o755)
            self.is_refused(f"{self.python} {what}", remedy)


class Results(RunTests):
    """One run after the other, in the same work folder."""

    def test_runs(self):
        self.download_pytest()
        self.all_kinds()
        self.again()
        self.faults_that_are_known()
        self.hanging_and_broken_files()
        self.interrupted()
        self.what_pip_cannot_install()

    def download_pytest(self):
        """Once, from the index if there is one; all that comes after does without."""
        subprocess.run([sys.executable, "-m", "venv", self.box / "pip"], check=True)
        pip = [self.box / "pip/bin/python", "-m", "pip", "--disable-pip-version-check", "download", "--quiet"]
        options = [
            "--timeout",
            "10",
            "--retries",
            "1",
            "--dest",
            self.box / "wheels",
            "--requirement",
            self.requirements,
        ]
        if subprocess.run([*pip, *options]).returncode:
            self.skipTest("pip cannot get pytest from its index")
        # pip splits this variable at blanks.
        links = f"file://{self.box}/wheels".replace(" ", "%20")
        self.environment(PIP_NO_INDEX="1", PIP_FIND_LINKS=links)

    def all_kinds(self):
        """In three shards; a file without a failure."""
        torch = "test_torch.py::TestAll::test_"
        says = (
            f"FAILED  {torch}fails: AssertionError: 1 != 2 : the sums differ",
            f"CRASHED {torch}crashes: pytest ended with SIGABRT while it ran",
            f"CRASHED {torch}ends_python: pytest ended with exit code 0 while it ran",
            f"known   {torch}fails_as_known: a missing feature",
            f"PASSES  {torch}passes_though_known, a known failure: was a fault",
            f"UNUSED  {torch}gone is a known failure, but there is no such test",
            "test_torch.py, shard 3 of 3: 9 of 11 tests",
            "11 of 11 tests",
        )
        self.run_tests(1, *SHARDED, says=says, lacks=["in a file that is not run"])
        self.counts("test_torch.py", *OF_TORCH)
        self.counts("test_good.py", *OF_GOOD)
        self.assertEqual(self.result()["skipped"], {"Skipped: a reason": 1})
        self.assertTrue(list(self.work.glob("*/results/test_torch.py/3-shards/1/junit-*.xml")))

    def again(self):
        """Nothing is done, the report is the same. What was being written when all was killed does not count."""
        done = "11 of 11 tests were done before"
        self.run_tests(1, *SHARDED, says=[done], lacks=["installing", "collecting", "shard 1"])
        self.counts("test_torch.py", *OF_TORCH)
        # A shard of which nothing is there is run, and no other.
        (good,) = self.work.glob("*/results/test_good.py")
        for folder in ("3-shards", "2-shards/2"):
            shutil.rmtree(good / folder, ignore_errors=True)
        (journal,) = good.glob("*-shards/1/journal.jsonl")
        self.append(journal, '{"id": "test_good.py::te')
        self.run_tests(0, *SHARDED[2:], says=["1 of 2 tests were done before"], lacks=["shard 1 of"])

    def faults_that_are_known(self):
        """All of them, and with two at once, where xdist names what crashed."""
        self.append(
            self.known, "test_torch.py::TestAll::test_fails  a fault\ntest_torch.py::TestAll::test_*s*  crashes\n"
        )
        says = ["test_torch.py, shard 1 of 1: 9 of 9 tests"]
        self.run_tests(0, "--file", "test_torch.py", "--jobs", "2", says=says)
        self.counts("test_torch.py", *OF_TORCH[:6], 4, 0)

    def hanging_and_broken_files(self):
        """A test that hangs is named, and what comes after it is run; what cannot be collected is a failure like others."""
        hangs = "CRASHED test_hangs.py::test_hangs: it was running when the 8 s of its shard"
        self.run_tests(1, "--file", "test_hangs.py", "--timeout", "8", says=[hangs])
        self.counts("test_hangs.py", 2, 1, 0, 0, 0, 1, 0, 0)
        broken = "CRASHED test_broken.py: it could not be collected, pytest ended with exit code 2"
        self.run_tests(1, "--file", "test_broken.py", says=[broken])
        self.append(self.known, "test_broken.py  nobody has its module\n")
        self.run_tests(0, "--file", "test_broken.py")

    def interrupted(self):
        """Another tree is run anew, in the same environment. Interrupted while a test waits: it ends what it started and says
        how to go on; the same command does. Meanwhile nobody else may work there."""
        self.known.write_text(KNOWN)
        self.append(self.source / "test/test_good.py", "\n# another tree\n")
        waiting, command = (
            self.box / "waiting",
            [sys.executable, "-B", ROOT / "engine", ROOT / SCRIPT, *self.words("--file", "test_torch.py")],
        )
        self.environment(WAITING=str(waiting))
        # Not ignored, as it is in the background of a shell.
        first = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.default_int_handler)}
        run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **first)
        while not waiting.exists() and run.poll() is None:
            time.sleep(0.1)
        self.run_program(3, *command, says=[f"error: another run is working in {self.work} "])
        run.send_signal(signal.SIGINT)
        said = run.communicate()[0]
        self.assertTrue(said.endswith("interrupted: run the same command again to continue\n"), said)
        self.assertNotIn("installing", said)
        self.assertEqual(run.returncode, 130)
        del os.environ["WAITING"]
        self.counts("test_torch.py", 0, 0, 0, 0, 0, 0, 0, 9)
        self.run_tests(1, "--file", "test_torch.py")
        self.counts("test_torch.py", *OF_TORCH)

    def what_pip_cannot_install(self):
        """What has no hash is not installed either: neither what the tests need nor what the wheel requires."""
        self.append(self.requirements, f"a-package-that-is-nowhere==1 --hash=sha256:{'0' * 64}\n")
        fault = f"error: pip could not install the wheel and what the tests need: {self.work}/venv-"
        nowhere = "| ERROR: No matching distribution found for a-package-that-is-nowhere==1"
        self.run_tests(3, "--file", "test_good.py", says=[fault, nowhere])
        self.requirements.write_text("pytest==7.3.2\n")
        self.run_tests(3, "--file", "test_good.py", says=["Hashes are required in --require-hashes mode"])
        self.wheel = self.make_wheel("py3", "Requires-Dist: nobody-pins-this\n")
        needs = "error: no hash is known for nobody-pins-this, which the wheel requires"
        self.run_tests(3, "--file", "test_good.py", says=[needs])
