# SPDX-License-Identifier: BSD-3-Clause
"""When the last of many steps ends, some of which run and some of which wait for a free job."""

import heapq
import math

# How much the steps differ from what is expected of them: the chance that one still runs after a time is
# exp(-(time / scale) ** SHAPE). A quarter of them then ends before four fifths of the time that is expected, and one in
# thirty takes half as long again.
SHAPE = 4
MEAN = math.gamma(1 + 1 / SHAPE)  # of such times, in scales
# A step that has run for so many scales shows that too little was expected of it.
LATE = 1.2


class Step:
    """`begin`: in so many seconds, negative when it runs. `expected`: how many it takes. `chance`: that it takes them at
    all, and does not come out of a compiler cache at once. `known`: whether anybody has measured such a step."""

    def __init__(self, begin, expected, chance, known=True):
        age = max(-begin, 0)
        self.begin = begin
        self.scale = max(expected / MEAN, age / (LATE if known else 1), 1e-9)
        self.chance = chance
        self.gone = (age / self.scale) ** SHAPE

    def median(self):
        """In how many seconds it ends with an even chance."""
        return self.begin + self.scale * (self.gone + math.log(2)) ** (1 / SHAPE)

    def chance_after(self, seconds):
        """The chance that it has not ended by then."""
        if seconds <= self.begin:
            return self.chance
        return self.chance * math.exp(self.gone - ((seconds - self.begin) / self.scale) ** SHAPE)


def last_end(running, waiting, at_once):
    """In how many seconds the last step has ended: when on average half a step is left. With many jobs it is the longest
    steps that decide, and one of them mostly takes longer than it should.

    `running`: [(age, expected, chance, known)]. `waiting`: [(expected, chance)] in the order in which they begin.
    `at_once`: what a step takes that comes out of a compiler cache.
    """
    steps = [Step(-age, expected, chance, known) for age, expected, chance, known in running]
    free = [max(step.median() * step.chance, 0) for step in steps]  # when each job is free again
    heapq.heapify(free)
    for expected, chance in waiting:
        steps.append(Step(free[0], expected, chance))
        heapq.heapreplace(free, free[0] + expected * chance + at_once * (1 - chance))
    if not steps:
        return 0
    # No step counts that has certainly ended by half of the time that the rest takes.
    late = [step for step in steps if step.begin + 4 * step.scale > max(free) / 2]
    low, high = 0, 4 * max(free) + 1
    while high - low > max(0.1, high / 100):
        middle = (low + high) / 2
        if sum(step.chance_after(middle) for step in late) > 1 / 2:
            low = middle
        else:
            high = middle
    return high
