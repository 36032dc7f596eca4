# SPDX-License-Identifier: BSD-3-Clause
"""The terminal of a run, or the log in its place: what its commands say, and one line of progress.

Left out are CMake's report of where tsb_fail ended a script, Ninja's lines on the steps that it begins, and its `FAILED:`
with the command below it, which is shown when nothing else says why. Lines that say `tsb_progress: [<share>] <owner>
<step>[: <text>]` name what runs now. On a terminal they become a line that is rewritten; in a log there is one in a
minute (TSB_PROGRESS_SECONDS). The share is that of the run by <build folder>/steps/plan.txt, a line `<seconds> <owner>
<step>` for each step in their order, and never goes back; where Ninja is to build packages alone, of the steps that these
need. How long steps took in earlier runs stands in seconds.txt beside, and counts before the plan. What is left is shown
where most of it is known from this run or those. Colour: on a terminal, not with NO_COLOR, with CLICOLOR_FORCE anywhere.
"""

import contextlib
import os
import re
import time

from engine.build_folder import BuildFolder
from engine.runner.text import ESCAPES

PROGRESS = "tsb_progress: "
STATUS = re.compile(r"\[(\d+)/(\d+)\] ")
COLOURS = ("31;1", r"error:|CMake Error|FAIL"), ("33", r"warning:|CMake Warning"), ("32", r"-- ok |done: ")
PHASE = re.compile("-(patch|configure|build|stage)$")
LEAST_SECONDS, LEAST_SHARE = 5, 0.01  # of a step, before which what is left of it is unknown


def human_time(seconds):
    """ "7s", "3m10s", "2h05m"."""
    total = int(max(seconds, 0) + 0.5)
    if total < 3600:
        return f"{total // 60}m{total % 60:02}s" if total >= 60 else f"{total}s"
    return f"{total // 3600}h{total // 60 % 60:02}m"


def cut(text, size):
    return text if len(text) <= size else "..." + text[len(text) - max(size - 3, 0) :]


def wants_colour():
    if os.environ.get("NO_COLOR"):
        return False
    forced = os.environ.get("CLICOLOR_FORCE", "0") not in ("", "0")
    return forced or (os.isatty(1) and os.environ.get("TERM", "dumb") != "dumb")


def read_seconds(file, until=0.0):
    """{step: seconds} of lines `<seconds> <owner> <step>`, in their order. A line with a time at its end is a record, of
    which the last before `until` counts: within a run the shares are of one whole."""
    found = {}
    with contextlib.suppress(OSError), open(file, errors="replace") as lines:
        for line in lines:
            with contextlib.suppress(ValueError):  # half a record, from a full disk
                seconds, owner, step, *when = line.split()
                if [float(time) < until for time in when] == [True] * (until > 0):
                    found[f"{owner} {step}"] = float(seconds)
    return found


def of_targets(planned, folder, words):
    """What is planned, without what Ninja does not build for the packages, or phases of packages, among its arguments."""
    targets, build = {PHASE.sub("", word) for word in words}, BuildFolder(folder)
    owners = {step.partition(" ")[0] for step in planned}
    needed = {name for target in targets & owners for name in build.closure(target, "package.json")}
    needed |= {"torchpkg", "fetch"} if needed else owners
    return {step: seconds for step, seconds in planned.items() if step.partition(" ")[0] in needed}


class Progress:
    """`run`: as lock.take() gives it, or None; `words`: the command."""

    def __init__(self, run, words=()):
        self.begun = run["begun"] if run else time.time()
        folder = run["name"].rpartition(":")[0] + "/steps" if run else os.devnull
        self.record = folder + "/seconds.txt"
        self.known = read_seconds(self.record, self.begun)
        planned = of_targets(read_seconds(folder + "/plan.txt"), os.path.dirname(folder), words[1:])
        self.steps = {step: self.known.get(step, seconds) for step, seconds in planned.items()}
        self.total = sum(self.steps.values())
        self.doing = self.log = self.step = self.works = ""
        self.over, self.owners, self.on_step = set(), set(), None
        self.since = self.told = self.share = self.highest = 0  # of the step: its begin, when its share changed

    def see(self, text):
        share, text, log = re.fullmatch(r"(?:(\d\.\d+) )?(.*?)(?: log: (.*))?", text).groups()
        self.log = log or ""
        step = " ".join(re.split("[ :,]", text)[:2])
        if step not in self.steps:
            self.doing = f"{self.step}: {text}" if self.step else text
            return
        if step != self.step:
            self.begin(step)
        self.doing = text
        if share and float(share) > self.share:
            self.share, self.told = float(share), time.monotonic()

    def begin(self, step):
        """What comes before it in the plan is done, but for what belongs to others that are at work in this process."""
        self.end()
        owner = step.partition(" ")[0]
        for other in self.steps:
            if other == step:
                break
            of = other.partition(" ")[0]
            if of == owner or of not in self.owners:
                self.over.add(other)
        self.owners.add(owner)
        self.over.discard(step)  # it may begin again
        self.step, self.share, self.since = step, 0, time.monotonic()
        if self.on_step:
            self.on_step(step)

    def end(self):
        """A step that was not up to date is recorded; not where the machine's compilers, or a network, say how long."""
        if not self.step:
            return
        self.over.add(self.step)
        if self.works == self.step and not self.share:
            with contextlib.suppress(OSError), open(self.record, "a") as file:
                file.write(f"{max(time.monotonic() - self.since, 1):.0f} {self.step} {time.time():.0f}\n")

    def measure(self):
        """The share of the run, and in words what is left of it, or nothing where too little of that is known. Later steps
        may turn out to be up to date."""
        now, seconds = time.monotonic(), self.steps[self.step]
        took = now - self.since
        share, rest = took / (took + seconds), 0
        if self.share:
            share = self.share
            if share >= LEAST_SHARE and took >= LEAST_SECONDS:
                rest = (self.told - self.since) * (1 - share) / share - (now - self.told)
        elif self.step in self.known and self.works == self.step:
            share, rest = min(took / seconds, 0.99), seconds - took
        later = self.steps.keys() - self.over - {self.step}
        known = rest + sum(self.steps[step] for step in later if step in self.known)
        planned = sum(self.steps[step] for step in later if step not in self.known)
        left = f", {'about' if rest * 2 > known else 'up to'} {human_time(known + planned)} left"
        done = sum(self.steps[step] for step in self.over) + share * seconds
        self.highest = max(self.highest, done / self.total)
        return self.highest, left if rest > 0 and planned <= known / 2 else ""

    def of_log(self):
        """How far Ninja is in the log that a script has named."""
        try:
            with open(self.log, "rb") as file:
                file.seek(max(os.path.getsize(self.log) - 4096, 0))
                found = re.findall(rb"^\[ *(\d+(?:/\d+|%))\]", file.read(), re.MULTILINE)
        except OSError:
            found = ()
        return f" ({found[-1].decode()})" if found else ""

    def text(self, width):
        """ "[ 45%] 3m10s, about 4m02s left  pytorch build: Building CXX object x.o". What names the step and what it works
        at lose their beginnings where the line is too narrow: the ends are what changes."""
        gone, left = human_time(time.time() - self.begun), ""
        if self.step:
            share, left = self.measure()
            gone = f"[{share * 100:3.0f}%] {gone}"
        else:
            gone = "-- " + gone
        room = width - len(gone + left) - 2
        label, colon, what = self.doing.partition(": ")
        what = cut(what + self.of_log(), max(room - len(label + colon), room // 2))
        return f"{gone}{left}  {cut(label, room - len(colon + what))}{colon}{what}"


class Screen:
    def __init__(self, run, words):
        self.progress = Progress(run, words)
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
        elif text.startswith(PROGRESS) or (STATUS.match(text) and not self.progress.total):
            self.progress.see(text.removeprefix(PROGRESS))
            self.tick()
        elif self.interrupted:
            if "interrupted" in text and not text.startswith("ninja: "):
                self.print(line, end)
        elif text.startswith("ninja: build stopped: subcommand failed"):
            self.failed.append(line)
        elif not (self.in_report or STATUS.match(text)) and (line or end):
            if text.startswith("-- ") and text[3:] in self.progress.steps:
                self.progress.works = text[3:]  # it is not up to date
            self.explained = self.explained or bool(re.match("error: |CMake Error|ninja: error", text))
            self.print(line, end)

    def tick(self):
        """Shows the progress if it is due."""
        if not self.progress.doing or time.monotonic() - self.last < self.interval:
            return
        self.last = time.monotonic()
        width = 200
        if self.terminal:
            with contextlib.suppress(OSError):
                width = (os.get_terminal_size(1).columns or 80) - 1
        text = re.sub("[\x00-\x1f\x7f]", "?", self.progress.text(width))[:width]
        if not self.terminal:
            self.print(text)
            return
        self.write("\r\x1b[K" + text)
        self.shown = True

    def finish(self, code):
        if code == 0:
            self.progress.end()
        if self.interrupted:
            self.print("interrupted: the same command continues from here")
        elif (self.failed and not self.explained) or code < 0:
            self.print("\n".join(self.failed or [f"error: killed by signal {-code}"]))
        elif self.shown:
            self.write("\r\x1b[K")
