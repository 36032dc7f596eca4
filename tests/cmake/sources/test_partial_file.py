# SPDX-License-Identifier: BSD-3-Clause
"""Files that appear complete, or not at all, whoever else writes into the folder."""

import errno
import fcntl
import os
import signal
import subprocess
import sys
import time
from unittest import mock

from fixture import ROOT, BoxTest

import cache
import partial_file

SCRIPT = ROOT / "cmake/sources/partial_file.py"
# Is interrupted when the child runs and subprocess does not know it yet.
STARTER = """
import os, signal, subprocess, sys, partial_file
read = os.read
def interrupted_read(*words):
    os.kill(os.getpid(), signal.SIGTERM)
    return read(*words)
def main():
    os.read = interrupted_read
    subprocess.run(["sh", "-c", "echo $$; exec sleep 60"])
partial_file.run_interruptible(main)
"""
# Two of these write other content of another size, again and again.
WRITER = """
import sys, partial_file
place, letter, size = sys.argv[1:]
for _ in range(150):
    partial_file.write_text(place, letter * int(size))
"""


class PartialFile(BoxTest):
    def setUp(self):
        super().setUp()
        self.place = self.box / "file"
        self.other = self.box / "other"
        self.other.write_text("stays")

    def left(self):
        return [path.name for path in self.box.iterdir() if partial_file.MARK in path.name]

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

    def test_on_the_disk_before_it_has_its_name(self):
        order = []
        sync, replace = os.fsync, os.replace
        with (
            mock.patch("os.fsync", lambda file: (order.append("sync"), sync(file))),
            mock.patch("os.replace", lambda *names: (order.append("rename"), replace(*names))),
        ):
            partial_file.write_text(self.place, "text")
        self.assertEqual(order, ["sync", "rename", "sync"])

    def test_link_at_the_place(self):
        self.place.symlink_to(self.other)
        partial_file.write_text(self.place, "text")
        self.assertEqual((self.place.read_text(), self.other.read_text()), ("text", "stays"))
        self.assertFalse(self.place.is_symlink())

    def test_link_at_the_partial_name(self):
        link = self.box / ("file" + partial_file.MARK + "taken")
        with mock.patch("secrets.token_hex", side_effect=["taken", "free"]):
            link.symlink_to(self.other)
            partial_file.write_text(self.place, "text")
        self.assertEqual((self.place.read_text(), self.other.read_text()), ("text", "stays"))
        self.assertTrue(link.is_symlink())

    def test_what_a_killed_run_left(self):
        stale, held = (self.box / ("file" + partial_file.MARK + name) for name in ("stale", "held"))
        stale.write_text("half")
        with open(held, "w") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX)
            partial_file.write_text(self.place, "text")
        self.assertEqual(self.left(), [held.name])

    def test_without_locks(self):
        stale = self.box / ("file" + partial_file.MARK + "stale")
        stale.write_text("half")
        with mock.patch("fcntl.flock", side_effect=OSError(errno.ENOLCK, "No locks available")):
            partial_file.write_text(self.place, "text")
        self.assertEqual((self.place.read_text(), self.left()), ("text", [stale.name]))

    def test_nfs(self):
        """It gives locks only to who may write."""
        stale = self.box / ("file" + partial_file.MARK + "stale")
        stale.write_text("half")
        lock = partial_file.lock

        def lock_as_nfs(descriptor):
            if fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
                raise OSError(errno.EBADF, "Bad file descriptor")
            lock(descriptor)

        with mock.patch("partial_file.lock", lock_as_nfs):
            partial_file.write_text(self.place, "text")
        self.assertEqual(self.left(), [])

    def test_stale_file_that_may_only_be_read(self):
        (self.box / ("file" + partial_file.MARK + "stale")).write_text("half")
        real = os.open

        def open_as_another_user(path, flags, mode=0o777):
            if flags & os.O_RDWR and not flags & os.O_CREAT:
                raise PermissionError(errno.EACCES, "Permission denied")
            return real(path, flags, mode)

        with mock.patch("os.open", open_as_another_user):
            partial_file.write_text(self.place, "text")
        self.assertEqual(self.left(), [])

    def test_folder_that_cannot_be_read(self):
        real = os.open

        def open_no_folder(path, flags, mode=0o777):
            if os.path.isdir(path):
                raise PermissionError(errno.EACCES, "Permission denied")
            return real(path, flags, mode)

        with (
            mock.patch("os.listdir", side_effect=PermissionError(errno.EACCES, "Permission denied")),
            mock.patch("os.open", open_no_folder),
        ):
            partial_file.write_text(self.place, "text")
        self.assertEqual(self.place.read_text(), "text")

    def test_long_names(self):
        for name in ("a" * 239, "a" * 255, "a" + "ä" * 127):
            with self.subTest(name):
                stale = self.box / (partial_file.beginning_of(name) + "stale678")
                stale.write_text("half")
                partial_file.write_text(self.box / name, "text")
                self.assertEqual(((self.box / name).read_text(), self.left()), ("text", []))
        self.assertEqual(partial_file.beginning_of("a" * 238), "a" * 238 + partial_file.MARK)
        self.assertEqual(partial_file.beginning_of("a" + "ä" * 127), "a" + "ä" * 118 + partial_file.MARK)

    def test_signals(self):
        """The command is in the middle of a file that never ends."""
        pipe = self.box / "pipe"
        os.mkfifo(pipe)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                run = subprocess.Popen(
                    [sys.executable, "-B", SCRIPT, pipe, self.place],
                    stderr=subprocess.PIPE,
                    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
                )
                with open(pipe, "wb") as stream:
                    stream.write(b"half")
                    stream.flush()
                    while not self.left():
                        time.sleep(0.01)
                    while run.poll() is None:  # one that comes just before it begins to read does not end that
                        run.send_signal(number)
                        time.sleep(0.01)
                    self.assertEqual(run.returncode, 128 + number)
                with run.stderr as said:
                    self.assertEqual((said.read(), self.left(), self.place.exists()), (b"", [], False))

    def test_child_that_is_being_started(self):
        """It ends as well, so that its output does: this would take a minute otherwise."""
        command = [sys.executable, "-c", STARTER]
        done = subprocess.run(command, cwd=SCRIPT.parent, stdout=subprocess.PIPE, timeout=30)
        self.assertEqual(done.returncode, 128 + signal.SIGTERM)

    def test_below_nohup(self):
        ignore = "import signal, partial_file; signal.signal(signal.SIGHUP, signal.SIG_IGN); "
        raised = "partial_file.run_interruptible(lambda: signal.raise_signal(signal.SIGHUP))"
        environment = {**os.environ, "PYTHONPATH": str(SCRIPT.parent)}
        self.assertEqual(subprocess.run([sys.executable, "-B", "-c", ignore + raised], env=environment).returncode, 0)

    def test_two_runs(self):
        environment = {**os.environ, "PYTHONPATH": str(SCRIPT.parent)}
        runs = []
        for letter, size in (("a", "300000"), ("b", "7")):
            command = [sys.executable, "-B", "-c", WRITER, str(self.place), letter, size]
            runs.append(subprocess.Popen(command, env=environment))
        while any(run.poll() is None for run in runs):
            text = self.place.read_text() if self.place.exists() else ""
            self.assertIn(text, ("", "a" * 300000, "b" * 7))
        self.assertEqual(([run.wait() for run in runs], self.left()), ([0, 0], []))

    def test_command(self):
        done = subprocess.run([sys.executable, "-B", SCRIPT, self.other, self.place])
        self.assertEqual((done.returncode, self.place.read_text()), (0, "stays"))
        target = self.box / "missing/file"
        done = subprocess.run([sys.executable, "-B", SCRIPT, self.other, target], stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, f"^cannot write {target}: .*No such file or directory")


class Part(BoxTest):
    """What a download is written to has a name that others can guess."""

    def setUp(self):
        super().setUp()
        self.other = self.box / "other"
        self.other.write_text("stays")
        self.download = cache.Download(str(self.box / "a.tar"), {})

    def test_what_can_be_resumed(self):
        self.assertFalse(self.download.can_resume())
        (self.box / "a.tar.part").write_text("half")
        self.assertTrue(self.download.can_resume())

    def test_links(self):
        for link in (os.symlink, os.link):
            link(self.other, self.download.part)
            self.assertFalse(self.download.can_resume())
            self.assertFalse(os.path.lexists(self.download.part))
        self.assertEqual(self.other.read_text(), "stays")
