# SPDX-License-Identifier: BSD-3-Clause
"""The terminal of a run, or the log in its place: what its commands say, and one line of progress.

Left out are CMake's report of where tsb_fail ended a script, Ninja's lines on the steps that it begins, and its `FAILED:`
with the command below it, which is shown when nothing else says why. Lines that say `tsb_progress: [<share>] <owner>
<step>[: <text>]` name what runs now. On a terminal they become a line that is rewritten; in a log there is one in a
minute (TSB_PROGRESS_SECONDS). The share is that of the run by <build folder>/steps/plan.txt, a line `<seconds> <owner>
<step>` for each step in their order, and never goes back. Colour: on a terminal, not with NO_COLOR, with CLICOLOR_FORCE
anywhere.
"""

import os
import re
import time

PROGRESS = "tsb_progress: "
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\r")
STATUS = re.compile(r"\[(\d+)/(\d+)\] ")
COLOURS = ("31;1", r"error:|CMake Error|FAIL"), ("33", r"warning:|CMake Warning"), ("32", r"-- ok |done: ")
LEAST_SECONDS = 5  # of work, before which what is left is unknown


def human_time(seconds):
    """ "7s", "3m10s", "2h05m"."""
    total = int(max(seconds, 0) + 0.5)
    if total < 3600:
        return f"{total // 60}m{total % 60:02}s" if total >= 60 else f"{total}s"
    return f"{total // 3600}h{total // 60 % 60:02}m"


def wants_colour():
    if os.environ.get("NO_COLOR"):
        return False
    forced = os.environ.get("CLICOLOR_FORCE", "0") not in ("", "0")
    return forced or (os.isatty(1) and os.environ.get("TERM", "dumb") != "dumb")


class Progress:
    """`run`: as lock.take() gives it, or None."""

    def __init__(self, run):
        self.begun, self.here = run["begun"] if run else time.time(), time.monotonic()
        self.doing = self.log = self.step = ""
        self.steps, self.total = {}, 0  # {step: (seconds before it, its own)}
        self.done = self.worked = 0
        try:
            with open(run["name"].rpartition(":")[0] + "/steps/plan.txt") as file:
                for seconds, step in (line.strip().split(" ", 1) for line in file):
                    self.steps[step] = self.total, float(seconds)
                    self.total += float(seconds)
        except (OSError, TypeError, ValueError):
            pass  # there is no run, or it has not been configured

    def see(self, text):
        share, text, log = re.fullmatch(r"(?:(\d\.\d+) )?(.*?)(?: log: (.*))?", text).groups()
        self.log = log or ""
        step = " ".join(re.split("[ :,]", text)[:2])
        if step not in self.steps:
            self.doing = f"{self.step}: {text}" if self.step else text
            return
        self.step, self.doing = step, text
        before, seconds = self.steps[step]
        done = before + seconds * float(share or 0)
        self.worked += max(done - self.done, 0) if share else 0
        self.done = max(self.done, done)

    def of_log(self):
        """How far Ninja is in the log that a script has named."""
        try:
            with open(self.log, "rb") as file:
                file.seek(max(os.path.getsize(self.log) - 4096, 0))
                found = re.findall(rb"^\[ *(\d+(?:/\d+|%))\]", file.read(), re.MULTILINE)
        except OSError:
            found = ()
        return f" ({found[-1].decode()})" if found else ""

    def text(self):
        """ "[ 45%] 3m10s, about 4m02s left  pytorch build: Building CXX object x.o"."""
        gone = human_time(time.time() - self.begun)
        if not self.total:
            return f"-- {gone}  {self.doing}{self.of_log()}"
        left = ""
        if self.worked >= LEAST_SECONDS:
            rate = (time.monotonic() - self.here) / self.worked
            left = f", about {human_time((self.total - self.done) * rate)} left"
        return f"[{self.done * 100 // self.total:3.0f}%] {gone}{left}  {self.doing}{self.of_log()}"


class Screen:
    def __init__(self, run):
        self.progress = Progress(run)
        self.terminal = os.isatty(1) and os.environ.get("TERM") != "dumb"
        self.interval = 0.5 if self.terminal else float(os.environ.get("TSB_PROGRESS_SECONDS") or 60)
        self.colour, self.last, self.shown = wants_colour(), time.monotonic(), False
        self.interrupted = self.in_report = self.explained = False
        self.failed, self.is_command = [], False

    def write(self, text):
        data = text.encode("utf-8", "surrogateescape")
        try:
            while data:
                data = data[os.write(1, data) :]
        except OSError:
            pass  # a build does not end because nobody can see it

    def print(self, text, end="\n"):
        plain = text.replace("\x1b[0m", "")  # CMake's own, around a notice
        colour = next((code for code, begin in COLOURS if re.match(begin, plain)), None)
        if not self.colour:
            text = ESCAPES.sub("", text)
        elif colour and "\x1b" not in plain:
            text = f"\x1b[{colour}m{plain}\x1b[m"
        self.write(("\r\x1b[K" if self.shown else "") + text + end)
        self.shown = False

    def see(self, line, end="\n"):
        """A line of the command's."""
        text = ESCAPES.sub("", line)
        begins = text.startswith("CMake Error at ") and "/tsb_fail.cmake:" in text
        self.explained = self.explained or begins
        self.in_report = begins or (self.in_report and (not text.strip() or text.startswith(("  ", "Call Stack"))))
        if self.is_command or text.startswith("FAILED: "):
            self.failed.append(line)
            self.is_command = not self.is_command
        elif text.startswith(PROGRESS):
            self.progress.see(text[len(PROGRESS) :])
            self.tick()
        elif self.interrupted:
            if "interrupted" in text and not text.startswith("ninja: "):
                self.print(line, end)
        elif text.startswith("ninja: build stopped: subcommand failed"):
            self.failed.append(line)
        elif not (self.in_report or STATUS.match(text)) and (line or end):
            self.explained = self.explained or bool(re.match("error: |CMake Error|ninja: error", text))
            self.print(line, end)

    def tick(self):
        """Shows the progress if it is due."""
        if not self.progress.doing or time.monotonic() - self.last < self.interval:
            return
        self.last = time.monotonic()
        text = re.sub("[\x00-\x1f\x7f]", "?", self.progress.text())
        if not self.terminal:
            self.print(text[:200])
            return
        try:
            width = os.get_terminal_size(1).columns or 80
        except OSError:
            width = 80
        self.write("\r\x1b[K" + text[: width - 1])
        self.shown = True

    def finish(self, code):
        if self.interrupted:
            self.print("interrupted: the same command continues from here")
        elif (self.failed and not self.explained) or code < 0:
            self.print("\n".join(self.failed or [f"error: killed by signal {-code}"]))
        elif self.shown:
            self.write("\r\x1b[K")
