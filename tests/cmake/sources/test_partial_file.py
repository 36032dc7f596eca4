# SPDX-License-Identifier: BSD-3-Clause
"""Files that appear complete, or not at all, whoever else writes into the folder."""

import contextlib
import fcntl
import os
import pathlib
import signal
import subprocess
import sys
import time
from unittest import mock

from fixture import ROOT, BoxTest

from engine import partial_file

# Two of these write other content of another size, again and again.
WRITER = """
import sys
from engine import partial_file
place, letter, size = sys.argv[1:]
for _ in range(150):
    partial_file.write_text(place, letter * int(size))
"""


FILL = """
import shutil, sys
from engine import failure, partial_file
def main():
    with open(sys.argv[1], "rb") as source, partial_file.partial_file(sys.argv[2]) as stream:
        shutil.copyfileobj(source, stream)
failure.run_interruptible(main)
"""


class PartialFile(BoxTest):
    def setUp(self):
        super().setUp()
        self.place = self.box / "file"
        self.other = self.box / "other"
        self.other.write_text("stays")

    def left(self):
        return [path.name for path in self.box.iterdir() if partial_file.MARK in path.name]

    def sleeps(self, run):
        """Whether it waits for something, such as a pipe."""
        return pathlib.Path(f"/proc/{run.pid}/stat").read_text().rpartition(")")[2].split()[0] == "S"

    def test_as_any_file(self):
        partial_file.write_text(self.place, "text")
        self.assertEqual(self.place.read_text(), "text")
        self.other.unlink()
        self.other.write_text("")
        self.assertEqual(self.place.stat().st_mode, self.other.stat().st_mode)

    def test_error(self):
        self.place.write_text("before")
        with self.assertRaises(ZeroDivisionError), partial_file.partial_file(self.place) as stream:
            stream.write(b"half")
            stream.flush()
            self.assertEqual(len(self.left()), 1)
            raise ZeroDivisionError
        self.assertEqual((self.place.read_text(), self.left()), ("before", []))

    def test_what_a_killed_run_left(self):
        stale, held = (self.box / ("file" + partial_file.MARK + name) for name in ("stale", "held"))
        stale.write_text("half")
        with open(held, "w") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX)
            partial_file.write_text(self.place, "text")
        self.assertEqual(self.left(), [held.name])

    def test_signals(self):
        """The command is in the middle of a file that never ends."""
        pipe = self.box / "pipe"
        os.mkfifo(pipe)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                run = subprocess.Popen(
                    [sys.executable, "-B", "-c", FILL, pipe, self.place],
                    cwd=ROOT,
                    stderr=subprocess.PIPE,
                    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
                )
                with open(pipe, "wb") as stream:
                    stream.write(b"half")
                    stream.flush()
                    while not (self.left() and self.sleeps(run)):
                        time.sleep(0.01)
                    while run.poll() is None:  # one that comes just before it begins to read does not end that
                        run.send_signal(number)
                        time.sleep(0.01)
                    self.assertEqual(run.returncode, 128 + number)
                with run.stderr as said:
                    self.assertEqual((said.read(), self.left(), self.place.exists()), (b"", [], False))

    def test_a_reader_that_ends(self):
        """As below `| head -1`."""
        for end in "for _ in range(100000): print('a line')", "print('a line')":
            text = f"from engine import failure\ndef main():\n    {end}\nfailure.run_interruptible(main)"
            pipe = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
            with subprocess.Popen([sys.executable, "-c", text], cwd=ROOT, **pipe) as run:
                run.stdout.close()
                self.assertEqual(run.stderr.read(), b"")
            self.assertEqual(run.returncode, 128 + signal.SIGPIPE)

    def test_below_nohup(self):
        ignore = "import signal; from engine import failure; signal.signal(signal.SIGHUP, signal.SIG_IGN); "
        raised = "failure.run_interruptible(lambda: signal.raise_signal(signal.SIGHUP))"
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.assertEqual(subprocess.run([sys.executable, "-B", "-c", ignore + raised], env=environment).returncode, 0)

    def test_two_runs(self):
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        runs = []
        for letter, size in (("a", "300000"), ("b", "7")):
            command = [sys.executable, "-B", "-c", WRITER, str(self.place), letter, size]
            runs.append(subprocess.Popen(command, env=environment))
        while any(run.poll() is None for run in runs):
            text = self.place.read_text() if self.place.exists() else ""
            self.assertIn(text, ("", "a" * 300000, "b" * 7))
        self.assertEqual(([run.wait() for run in runs], self.left()), ([0, 0], []))

    def test_copied(self):
        """Several appear together, and none when one of them cannot be made; also where there are no links."""
        for linked in True, False:
            refused = mock.patch("os.link", side_effect=OSError) if not linked else contextlib.nullcontext()
            with refused, self.assertRaises(FileNotFoundError), contextlib.ExitStack() as files:
                files.enter_context(partial_file.copied(self.other, self.place))
                self.assertEqual((self.place.exists(), len(self.left())), (False, 1))
                files.enter_context(partial_file.copied(self.box / "none", self.box / "more"))
            self.assertEqual((self.place.exists(), self.left()), (False, []))
            for _ in range(2):  # the second time both may be one file already
                with refused, partial_file.copied(self.other, self.place):
                    pass
            self.assertEqual((self.place.read_text(), self.left()), ("stays", []))
            self.assertEqual(self.place.samefile(self.other), linked)
            self.place.unlink()
