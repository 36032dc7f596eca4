# SPDX-License-Identifier: BSD-3-Clause
"""Progress on the terminal: one line that says what is done and what is left."""

import os
import sys
import time

from ninja import parse_status
from text import human_time, show

PLAIN_WIDTH = 200


class ProgressLine:
    """Shows progress on standard output: one line that is rewritten on a terminal, plain lines now and then elsewhere
    (no control characters)."""

    def __init__(self, interval):
        """`interval`: the least number of seconds between two plain lines."""
        self.terminal = sys.stdout.isatty()
        self.interval = 0.1 if self.terminal else interval
        self.last = -float("inf")
        self.shown = False

    def due(self):
        return time.monotonic() - self.last >= self.interval

    def update(self, text):
        """Shows `text` if it is due, cut to the width of the terminal; plain lines too, since Ninja names all files that a
        generator makes."""
        if not self.due():
            return
        self.last = time.monotonic()
        if not self.terminal:
            self.print(text[:PLAIN_WIDTH])
            return
        try:
            width = os.get_terminal_size(sys.stdout.fileno()).columns or 80
        except OSError:
            width = 80
        self.write("\r\033[K" + text[: width - 1])
        self.shown = True

    def print(self, text):
        """Replaces the progress line by `text` that stays."""
        self.clear()
        self.write(text + "\n")

    def clear(self):
        if self.shown:
            self.write("\r\033[K")
            self.shown = False

    def write(self, text):
        show(sys.stdout, text)


class Progress:
    """Turns Ninja's lines into the text of the progress line, with the time that is left."""

    def __init__(self, label, estimate=None, now=None):
        """`label`: "pytorch build". `estimate`: of the steps that Ninja will do, when they are known; else every step
        is expected to take the same time."""
        self.label = label
        self.estimate = estimate
        self.started = time.monotonic() if now is None else now
        self.first_at = 0
        self.first_finished = self.finished = self.total = 0
        self.what = ""

    def see(self, line, now=None):
        """Takes note of a line of the log."""
        status = parse_status(line)
        if not status:
            # Between Ninja's own lines stands what compilers say; that is for the log.
            if not self.total and line:
                self.what = line
            return
        now = time.monotonic() if now is None else now
        finished, total, what = status
        # A new run of Ninja (another target, a second try) begins to count again.
        if not self.total or finished < self.finished:
            self.first_at, self.first_finished = now, finished
        self.finished, self.total, self.what = finished, total, what
        if self.estimate:
            self.estimate.finished(what, now - self.started)

    def time_left(self, now):
        gone = self.finished - self.first_finished
        left = None
        if self.estimate:
            left = self.estimate.left(now - self.started, self.total - self.finished)
        elif gone and gone * 50 >= self.total:
            left = (now - self.first_at) / gone * (self.total - self.finished)
        return f"  {human_time(left)} left" if left is not None and now - self.started >= 1 else ""

    def text(self, now=None):
        """ "pytorch build 312/1452 21%  3m10s left  <what>", the per cent being of the time, and what is left said from
        a fiftieth of the time on; before the first step, and for tools that are not Ninja, "pytorch build 12s  <last
        line>"."""
        now = time.monotonic() if now is None else now
        if not self.total:
            return f"{self.label} {human_time(now - self.started)}" + (f"  {self.what}" if self.what else "")
        gone = self.estimate.share() if self.estimate else self.finished / self.total
        percent = int(gone * 100 + 1e-9)
        return f"{self.label} {self.finished}/{self.total} {percent}%{self.time_left(now)}  {self.what}"
