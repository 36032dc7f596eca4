# SPDX-License-Identifier: BSD-3-Clause
"""The time left of builds that are replayed: within a factor of two after a tenth of the time. With 32 jobs and more it
may also be off by a minute or a tenth of the whole time, and by more where nothing is known of the longest steps."""

import math
import random

from fixture import LOGS, ROOT, RunnerTest

from ending import last_end  # isort: skip
from estimate import BuildEstimate, StepCosts  # isort: skip

COSTS = ROOT / "releases/2.6.0/pytorch/step_costs.txt"

# What a build of PyTorch consists of: the numbers of its own build.ninja, and the mean seconds of COSTS.
DNNL = "third_party/ideep/mkl-dnn/src/cpu/"
FBGEMM = "third_party/fbgemm/CMakeFiles/fbgemm_avx2.dir/src/"
TORCH = "caffe2/CMakeFiles/torch_cpu.dir/"
PARTS = [
    ("confu-deps/XNNPACK/CMakeFiles/microkernels-prod.dir/", ".c.o", 983, 0.4),
    ("third_party/tensorpipe/third_party/libuv/CMakeFiles/uv_a.dir/", ".c.o", 70, 0.21),
    ("third_party/onnx/CMakeFiles/onnx.dir/Unity/unity_", "_cxx.cxx.o", 6, 19),
    (FBGEMM + "F", "DepthwiseAvx2.cc.o", 13, None),  # three to six minutes each
    (FBGEMM, ".cc.o", 25, 15),
    (DNNL + "CMakeFiles/dnnl_cpu.dir/", ".cpp.o", 16, 13),
    (DNNL + "CMakeFiles/dnnl_cpu.dir/Unity/u_", "_cxx.cxx.o", 11, 42),
    (DNNL + "x64/CMakeFiles/dnnl_cpu_x64.dir/", ".cpp.o", 100, 10),
    (DNNL + "x64/CMakeFiles/dnnl_cpu_x64.dir/Unity/u_", "_cxx.cxx.o", 29, 44),
    ("c10/CMakeFiles/c10.dir/Unity/unity_", "_cxx.cxx.o", 6, 7),
    (TORCH + "Unity/unity_", "_cxx.cxx.o", 103, 28),
    (TORCH + "__/aten/src/ATen/", ".cpp.o", 120, 12),
    (TORCH + "__/torch/csrc/autograd/generated/", ".cpp.o", 14, 67),
    (TORCH + "__/aten/src/ATen/native/cpu/", ".cpp.o", 192, 12),
]
SAMPLES = 200  # of the whole time
JOBS = 2, 16, 32, 64


def pytorch(seed, fbgemm=True):
    """[(output, seconds)]; single steps differ, most of them by up to two times."""
    chance = random.Random(seed)
    build = []
    for folder, suffix, count, mean in PARTS:
        if folder.startswith(FBGEMM) and not fbgemm:
            continue
        for i in range(count):
            seconds = mean * math.exp(chance.gauss(0, 0.6) - 0.18) if mean else 180 + 15 * i
            build.append((f"{folder}{i}{suffix}", seconds))
    return [*build, ("lib/libtorch_cpu.so", 60)]


def logged(name):
    """The real log of a build by Ninja, in the order in which its steps began."""
    lines = (LOGS / name).read_text().splitlines()[1:]
    steps = [
        (int(start), (output, (int(end) - int(start)) / 1000)) for start, end, _, output, _ in map(str.split, lines)
    ]
    return [step for _, step in sorted(steps, key=lambda pair: pair[0])]


def changed(build, seconds):
    return [(output, seconds(taken)) for output, taken in build]


def cached(build, hit):
    """With a compiler cache that has those of whose number `hit` says so."""
    return [
        (output, 0.06 if output.endswith(".o") and hit(number) else taken)
        for number, (output, taken) in enumerate(build, 1)
    ]


def replay(build, jobs):
    """(when, step) in the order in which Ninja would finish them. Links wait for all
    that stands before them."""
    free = [0.0] * jobs
    events = []
    for step in build:
        if not step[0].endswith(".o"):
            events.append((max([0, *(when for when, _ in events)]) + step[1], step))
            continue
        slot = free.index(min(free))
        free[slot] += step[1]
        events.append((free[slot], step))
    return sorted(events, key=lambda event: event[0])


class Estimate(RunnerTest):
    def check(self, what, build, costs, *all_jobs, bound=2):
        for jobs in all_jobs:
            with self.subTest(what, jobs=jobs):
                factor, unsaid, total = self.worst_factor(build, costs, jobs)
                print(f"{what:40} {jobs:2} jobs: {factor:.2f}")
                self.assertLess(factor, bound)
                # A run of cheap steps says nothing about the others.
                self.assertLess(unsaid, max(60, total / 10))

    def worst_factor(self, build, costs, jobs):
        """By which factor the time left was off at worst from a tenth of the time on, where it was off by more than half
        a minute and a twentieth of the whole time, with many jobs twice that; until when nothing was said; the whole
        time. At the end of a build with many jobs only the longest steps run, and how late they are is not known."""
        events = replay(build, jobs)
        total = events[-1][0]
        slack = max(30, total / 20) * (2 if jobs >= 32 else 1)
        estimate = BuildEstimate([f"Building CXX object {output}" for output, _ in build], costs, jobs)
        worst, unsaid, done = 1, 0, 0
        for sample in range(SAMPLES):
            now = total * sample / SAMPLES
            if now >= total - min(60, total / 10):
                break
            while done < len(events) and events[done][0] <= now:
                at, (output, seconds) = events[done]
                estimate.finished(f"Building CXX object {output}", at)
                estimate.took(output, seconds)
                done += 1
            if now < total / 10:
                continue
            left = estimate.left(now, len(build) - done)
            if left is None:
                unsaid = now
            elif abs(left - (total - now)) >= slack:
                factor = max(left, 1) / (total - now)
                worst = max(worst, factor, 1 / factor)
        return worst, unsaid, total

    def test_replayed_builds_of_pytorch(self):
        costs = StepCosts(COSTS)
        unlisted = self.folder / "costs"
        unlisted.write_text(COSTS.read_text().replace("third_party/fbgemm", "elsewhere"))
        for seed in 2, 3:
            build = pytorch(seed)
            self.check("PyTorch", pytorch(seed, fbgemm=False), costs, *JOBS)
            self.check("PyTorch with FBGEMM", build, costs, *JOBS)
            self.check("nothing is known of FBGEMM", build, StepCosts(unlisted), 2, 16, 32)
            self.check("nothing is known of FBGEMM", build, StepCosts(unlisted), 64, bound=2.5)
            self.check("it goes on after a third", build[1000:], costs, *JOBS)
            self.check("five times slower", changed(build, lambda seconds: 5 * seconds), costs, *JOBS)
            self.check("eight times faster", changed(build, lambda seconds: seconds / 8), costs, *JOBS)
            self.check("a compiler cache has the first half", cached(build, lambda i: i < 900), costs, *JOBS)
            self.check("a compiler cache has everything", cached(build, lambda i: True), costs, *JOBS)
            self.check("the expensive ones last", build[::-1], costs, *JOBS)
            self.check("a compiler cache has every other one", cached(build, lambda i: i % 2 == 0), costs, *JOBS)

    def built(self, costs, jobs, steps, elapsed):
        """The time left when after `elapsed` seconds all but the first step are done, that took so long as was said."""
        file = self.folder / "costs"
        file.write_text(costs)
        estimate = BuildEstimate([f"Building {output}" for output, _ in steps], StepCosts(file), jobs)
        for output, seconds in steps[1:]:
            estimate.finished(f"Building {output}", min(seconds, elapsed))
            estimate.took(output, seconds)
        return estimate.left(elapsed, 1)

    def test_no_step_ends_before_its_time(self):
        steps = [("a/long.o", 400), *((f"a/{i}.o", 10) for i in range(40))]
        costs = "300 a/long.o\n10 a/*\n"
        self.assertAlmostEqual(self.built(costs, 64, steps, 10), 290, delta=15)
        self.assertAlmostEqual(self.built(costs, 64, steps, 200), 100, delta=20)
        slower = [(output, 2 * seconds) for output, seconds in steps]
        self.assertAlmostEqual(self.built(costs, 64, slower, 200), 400, delta=40)

    def test_a_step_that_is_late_takes_the_longer_the_later_it_is(self):
        unknown = [("b/long.o", 400), *((f"a/{i}.o", 10) for i in range(40))]
        lefts = [self.built("10 a/*\n", 64, unknown, elapsed) for elapsed in (50, 100, 200)]
        self.assertGreater(lefts[0], 5)
        self.assertAlmostEqual(lefts[1], 2 * lefts[0], delta=1)
        self.assertAlmostEqual(lefts[2], 2 * lefts[1], delta=1)

    def test_the_last_of_many_steps_takes_longer_than_one(self):
        one, many = (last_end([(0, 100, 1, True)] * count, [], 0.1) for count in (1, 64))
        self.assertAlmostEqual(one, 100, delta=5)
        self.assertTrue(130 < many < 180, many)
        self.assertAlmostEqual(last_end([(0, 100, 1, True)], [(100, 1)], 0.1), 200, delta=10)
        self.assertLess(last_end([(0, 100, 0.01, True)] * 2, [(100, 0.01)] * 10, 0.1), 10, "hits of a compiler cache")
        self.assertEqual(last_end([], [], 0.1), 0)

    def test_a_link_waits_for_what_it_links(self):
        file = self.folder / "costs"
        file.write_text("100 a/long.o\n60 lib/*\n10 a/*\n")
        names = [f"Building {output}" for output in ("a/long.o", "lib/a.so", "a/1.o")]
        estimate = BuildEstimate(names, StepCosts(file), 2)
        estimate.finished("Building a/1.o", 10)
        estimate.took("a/1.o", 10)
        self.assertTrue(70 <= estimate.left(90, 2) < 90, estimate.left(90, 2))
        estimate.finished("Building a/long.o", 100)
        estimate.took("a/long.o", 100)
        self.assertAlmostEqual(estimate.left(130, 1), 30, delta=5)

    def test_real_builds(self):
        # Without a compiler cache, gcc 14, by 16 jobs; a seventh of it by 2, counted as if by 16. Here the same steps by other numbers of jobs.
        costs = StepCosts(COSTS)
        real = logged("pytorch-2.6.0.ninja_log")
        self.check("real log: PyTorch", real, costs, *JOBS)
        self.check("real log: PyTorch, after a third", real[1200:], costs, *JOBS)
        # The Python layer, gcc 12, by 2 jobs.
        layer = logged("pytorch-py-2.6.0.ninja_log")
        costs = StepCosts(ROOT / "releases/2.6.0/pytorch-py/step_costs.txt")
        self.check("real log: Python layer", layer, costs, *JOBS)
        self.check("real log: protobuf", logged("protobuf.ninja_log"), StepCosts(), *JOBS)
        self.check("real log: sleef", logged("sleef.ninja_log"), StepCosts(), *JOBS)

    def test_a_steady_build_of_which_nothing_is_known(self):
        names = [f"Building C object {name}.c.o" for name in "abcd"]
        estimate = BuildEstimate(names, StepCosts(), 1)
        self.assertIsNone(estimate.left(0, 4))
        estimate.finished(names[0], 1)
        estimate.took("a.c.o", 1)
        estimate.finished("no step of the plan", 1)
        self.assertAlmostEqual(estimate.share(), 0.25)
        self.assertAlmostEqual(estimate.left(1, 3), 3, delta=1.5)
        self.assertAlmostEqual(estimate.left(1, 1), 1, delta=0.5, msg="two turned out to be up to date")
        for name in names[1:]:
            estimate.finished(name, 4)
        self.assertEqual(estimate.left(4, 0), 0)

    def test_the_first_line_of_the_list_that_fits_counts(self):
        file = self.folder / "costs"
        file.write_text("# comment\n\n240 */fbgemm/*Depthwise*.o\n15 */fbgemm/*\n0.5 *.o\n")
        costs = StepCosts(file)
        self.assertEqual(costs.seconds("x/fbgemm/src/ADepthwiseAvx2.cc.o"), 240)
        self.assertEqual(costs.seconds("x/fbgemm/src/B.cc.o"), 15)
        self.assertEqual(costs.seconds("x/C.cc.o"), 0.5)
        self.assertIsNone(costs.seconds("lib/libx.so"))
