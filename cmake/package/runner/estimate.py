# SPDX-License-Identifier: BSD-3-Clause
"""How long a build of known steps still takes."""

import copy
import fnmatch
import math
import re

from ending import last_end
from text import BAD_INPUT, Failure, read_text

# Compiles of so many seconds show whether a compiler cache has them: one of its hits takes a tenth of a second.
COSTLY = 2
HIT_SHARE = 0.03
HIT_SECONDS = 0.1
# The hits are counted over about this many of the last compiles.
LATE_COMPILES = 30
# Nothing is said before this share of the work is done or has begun.
LEAST_SHARE = 0.02
# What is usual for a kind of step, seconds.
USUAL = {".c.o": 0.5, ".S.o": 0.1, ".cu.o": 20, ".cxx.cxx.o": 12, ".so": 5, "_cxx.o": 12, ".o": 6, ".a": 1}


def usual_cost(output):
    return next((seconds for suffix, seconds in USUAL.items() if output.endswith(suffix)), 0.5)


class StepCosts:
    """What the steps of a build cost on the machine where that was measured. PyTorch's first thousand steps, small C
    files, take 2 % of the time; a rate in steps would promise an end in minutes for what takes an hour.

    The file is releases/<version>/pytorch/step_costs.txt: lines that begin with # are comments, every other is
    `<seconds> <pattern>`. The pattern is for a step's output, `*` in it stands for any characters, and the first line
    that fits counts.
    """

    def __init__(self, path=None):
        self.lines = []
        if not path:
            return
        for number, line in enumerate(read_text(path).split("\n"), 1):
            if not line or line.startswith("#"):
                continue
            try:
                cost, pattern = line.split()
                cost = float(cost)
            except ValueError:
                cost = 0
            if not 0 < cost < math.inf:
                raise Failure(
                    BAD_INPUT,
                    f"{path}: line {number} is not '<seconds> <pattern>': {line}",
                    "correct it; tools/step_costs.py writes such lines",
                )
            self.lines.append((cost, re.compile(fnmatch.translate(pattern)).match))

    def seconds(self, output):
        """What the step that makes `output` costs; None when no line fits."""
        return next((cost for cost, fits in self.lines if fits(output)), None)


class Observed:
    """What was expected of some finished steps and what they took, seconds."""

    def __init__(self):
        self.expected = self.taken = self.steps = 0

    def add(self, cost, seconds):
        self.expected += cost
        self.taken += seconds
        self.steps += 1

    def ratio(self, usual, weight):
        """How far off the costs are; `weight`: how many seconds of cost `usual` is worth."""
        return (usual * weight + self.taken) / (weight + self.expected)


class Step:
    def __init__(self, name, costs):
        self.output = name.rsplit(" ", 1)[-1]
        self.folder = self.output.rpartition("/")[0]
        cost = costs.seconds(self.output)
        self.known = cost is not None  # to the list
        self.cost = cost if self.known else usual_cost(self.output)
        self.costly = self.known and self.cost >= COSTLY
        # A link or an archive is made of what was planned before it; a compile mostly waits for nothing.
        self.waits = not self.output.endswith(".o")
        self.done = False
        self.begun = 0  # when it was among the running ones first


class BuildEstimate:
    """Each step has a cost: that of the list, or what is usual for its kind. From what the finished steps really took
    follow the machine's speed (of the steps in the list only: an unknown one that takes minutes says nothing about the
    others), for each folder of objects how far its costs are off, and which part of the compiles comes out of a
    compiler cache lately. With that the rest of the build is played through, from the steps that run and their age."""

    def __init__(self, names, costs, jobs):
        """`names`: Ninja's descriptions of all that is to be done. `jobs`: how many run at once."""
        self.steps = [Step(name, costs) for name in names]
        self.number = {step: number for number, step in enumerate(self.steps)}
        self.jobs = jobs
        self.by_name = {}
        for name, step in zip(names, self.steps):
            self.by_name.setdefault(name, []).append(step)
        self.by_output = {step.output: step for step in reversed(self.steps)}
        self.listed = any(step.known for step in self.steps)
        self.costly_steps = sum(step.costly for step in self.steps)
        self.cost = sum(step.cost for step in self.steps)
        self.done = 0  # cost of the finished ones
        self.machine = Observed()
        self.folders = {}
        self.costly = 0  # expensive compiles that Ninja's log told of
        self.cached = 0  # the share of the late compiles that came from a compiler cache
        self.running = []
        self.blocked = []  # until everything before them in the plan has ended
        self.begun = 0  # so many of the steps run, are blocked or are done; of those behind them a few may be done too
        self.begin(0)

    def begin(self, elapsed):
        """Ninja starts the steps in the order of its plan, as many as there are jobs."""
        self.running = [step for step in self.running if not step.done]
        blocked, self.blocked = self.blocked, []
        for step in blocked:
            self.start(step, elapsed)
        while len(self.running) < self.jobs and self.begun < len(self.steps):
            self.begun += 1
            self.start(self.steps[self.begun - 1], elapsed)

    def start(self, step, elapsed):
        if step.done:
            return
        if step.waits and any(self.number[other] < self.number[step] for other in self.running):
            self.blocked.append(step)
        else:
            step.begun = elapsed
            self.running.append(step)

    def finished(self, name, elapsed):
        """Ninja has said, `elapsed` seconds after it began, that a step is done."""
        step = next((step for step in self.by_name.get(name, ()) if not step.done), None)
        if step:
            step.done = True
            self.done += step.cost
            self.begin(elapsed)

    def took(self, output, seconds):
        """Ninja's log says how long the step that makes `output` took."""
        step = self.by_output.get(output)
        if not step:
            return
        if step.costly:
            hit = seconds < max(HIT_SHARE * step.cost, 2 * HIT_SECONDS) * max(self.machine.ratio(1, COSTLY), 1)
            self.costly += 1
            self.cached += (hit - self.cached) / min(self.costly, LATE_COMPILES)
            if hit:
                return  # it says nothing about the machine
        if step.costly or not self.listed:
            self.machine.add(step.cost, seconds)
        self.folders.setdefault(step.folder, Observed()).add(step.cost, seconds)

    def share(self):
        """The share of the work that is done, 0 to 1, by what the list says."""
        return self.done / self.cost if self.cost else 0

    def left(self, elapsed, steps_left):
        """Seconds that are left after `elapsed` seconds, when Ninja counts `steps_left` steps (it takes steps out that
        turn out to be up to date). None while nobody can say."""
        # Until an expensive compile was one, or ten were hits, nobody knows what a compiler cache has.
        tried = not self.costly_steps or self.machine.steps or self.costly >= LATE_COMPILES / 3
        begun = sum(min(elapsed - step.begun, step.cost) for step in self.running)
        if self.done + begun < LEAST_SHARE * self.cost or not tried:
            return None
        machine = self.speed(elapsed)
        ratios = {folder: seen.ratio(machine, 6 * seen.expected / seen.steps) for folder, seen in self.folders.items()}
        running, waiting = [], []
        for step in self.running:
            age, expected = elapsed - step.begun, step.cost * ratios.get(step.folder, machine)
            # What has run longer than a hit of the compiler cache takes is none.
            may_hit = step.costly and not step.waits and age <= max(HIT_SHARE * expected, 2 * HIT_SECONDS)
            running.append((age, expected, 1 - self.cached if may_hit else 1, step.known))
        rest = [step for step in (*self.blocked, *self.steps[self.begun :]) if not step.done]
        for step in rest:
            expected = step.cost * ratios.get(step.folder, machine)
            waiting.append((expected, 1 - self.cached if step.costly and not step.waits else 1))
        if not running:
            return 0
        links = 0  # at the end, one after the other
        while rest and rest.pop().waits:
            links += waiting.pop()[0]
        unfinished = len(running) + len(self.blocked) + sum(not step.done for step in self.steps[self.begun :])
        return (last_end(running, waiting, HIT_SECONDS) + links) * min(1, steps_left / unfinished)

    def speed(self, elapsed):
        """How many seconds the machine takes for a second of the list. With many jobs the first steps to end are those
        that took less than expected; a running one that is late already counts as if it ended now."""
        weight = self.cost / 400
        seen = self.machine
        for _ in range(2):
            speed = seen.ratio(1, weight)
            seen = copy.copy(self.machine)
            for step in self.running:
                if step.costly and elapsed - step.begun > step.cost * speed:
                    seen.add(step.cost, elapsed - step.begun)
        return seen.ratio(1, weight)
