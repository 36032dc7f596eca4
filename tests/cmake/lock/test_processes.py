# SPDX-License-Identifier: BSD-3-Clause
"""Which build tools count as ended: not one that starts a program, although it looks like one that answers a signal."""

import os
import signal
import subprocess
import sys
import unittest
from unittest import mock

from engine.one_run import processes

BOTH = {signal.SIGINT, signal.SIGTERM}
# Each letter makes it do something, then it sleeps until the next one.
TOOL = f"""
import os, signal, subprocess
both = {{{", ".join(str(int(number)) for number in BOTH)}}}
while letter := os.read(0, 1):
    if letter == b"s":
        subprocess.Popen(["sleep", "60"])
    else:
        signal.pthread_sigmask(signal.SIG_BLOCK if letter == b"b" else signal.SIG_UNBLOCK, both)
    os.write(1, letter)
"""


@unittest.skipUnless(os.path.exists(f"/proc/self/task/{os.getpid()}/children"), "/proc does not tell children here")
class Ends(unittest.TestCase):
    def start(self):
        tool = subprocess.Popen([sys.executable, "-c", TOOL], bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for undo in tool.stdin.close, tool.stdout.close, tool.wait, tool.kill:
            self.addCleanup(undo)
        self.addCleanup(lambda: [os.kill(pid, signal.SIGKILL) for pid in processes.children(tool.pid)])
        self.tool, self.identity = tool, processes.identity(tool.pid)

    def ends_after(self, letters):
        for letter in letters:
            self.tool.stdin.write(letter.encode())
            self.assertEqual(self.tool.stdout.read(1), letter.encode())
        while processes.SLEEP.findall(processes.read(f"{self.tool.pid}/status"))[0] != "S":
            pass
        return processes.ends(self.identity)

    def test_one_that_starts_a_program_or_has_none_does_not(self):
        self.start()
        for letters in "b", "u", "bs", "u":  # blocks both, starts a program, unblocks them
            self.assertFalse(self.ends_after(letters), letters)

    def test_one_that_waits_for_what_it_has_started_does(self):
        self.start()
        self.assertFalse(self.ends_after("s"))
        self.assertTrue(self.ends_after("b"))
        self.assertFalse(self.ends_after("s"), "it starts another one")

    def test_one_that_was_started_with_both_blocked_does_not(self):
        before = signal.pthread_sigmask(signal.SIG_BLOCK, BOTH)
        self.start()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        self.assertFalse(self.ends_after("s"))

    def test_a_kernel_that_does_not_tell_children(self):
        self.start()
        self.ends_after("s")
        known = processes.children(self.tool.pid)
        with mock.patch("os.path.exists", return_value=False):
            self.assertEqual(processes.children(self.tool.pid), known)
            self.assertTrue(self.ends_after("b"))

    def test_one_that_was_killed_does(self):
        self.start()
        self.tool.kill()
        os.waitid(os.P_PID, self.tool.pid, os.WEXITED | os.WNOWAIT)
        self.assertTrue(processes.ends(self.identity), "nobody has waited for it yet")
        self.tool.wait()
        self.assertTrue(processes.ends(self.identity))
        self.assertFalse(processes.lives(processes.identity(self.tool.pid)), "what has ended never lives")
