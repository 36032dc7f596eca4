# SPDX-License-Identifier: BSD-3-Clause
"""engine/one_run/screen.py: the share of a run, what is left of it, and what of its line a narrow terminal shows."""

import json
from unittest import mock

from fixture import RunnerTest

from engine.one_run import screen

PLAN = """\
5 a patch
95 a build
5 b patch
20 b build
10 zip check
40 zip consumer
5 zip deliver
"""


class Line(RunnerTest):
    def setUp(self):
        super().setUp()
        (self.folder / "steps").mkdir()
        (self.folder / "steps/plan.txt").write_text(PLAN)
        self.now = 0
        for clock, begin in ("monotonic", 100), ("time", 1000000):
            patch = mock.patch.object(screen.time, clock, lambda begin=begin: begin + self.now)
            patch.start()
            self.addCleanup(patch.stop)
        self.begin()

    def begin(self):
        """Another command of the run, or of another one if time has passed."""
        self.run_begun = {"name": f"{self.folder}:x", "begun": 1000000 + self.now}
        self.progress = screen.Progress(self.run_begun)

    def says(self, expected, *lines, after=0, width=200):
        """The line of progress after these lines, and `after` seconds."""
        for line in lines:
            if line.startswith("-- "):
                self.progress.works = line[3:]
            else:
                self.progress.see(line)
        self.now += after
        self.assertEqual(self.progress.text(width), expected)

    def record(self, text):
        (self.folder / "steps/seconds.txt").write_text(text)

    def test_what_ninja_does_in_another_order_is_counted_once(self):
        self.says("[  0%] 0s  a patch", "a patch")
        self.says("[  3%] 1s  b patch", "b patch", after=1)  # 5 of 180, and a sixth of another 5
        self.says("[  6%] 1s  a build", "a build")
        self.says("[ 58%] 1s  b build", "b build")
        # The whole build comes before it; with b alone, what was there of a counts as well.
        self.says("[ 69%] 1s  zip check", "zip check")
        self.progress = screen.Progress(self.run_begun)
        self.says("[ 58%] 1s  b build", "b build")

    def test_a_package_alone_is_the_whole(self):
        """And what it needs. Other names count for nothing."""
        for name, depends in {"a": [], "b": ["left-out"], "c": ["b"]}.items():
            (self.folder / "packages" / name).mkdir(parents=True)
            (self.folder / "packages" / name / "package.json").write_text(json.dumps({"depends": depends}))
        with (self.folder / "steps/plan.txt").open("a") as plan:
            plan.write("25 fetch sources\n50 c build\n")
        for words, share in (
            (["-j", "4", "b"], 20),  # of 5, 20, 25
            (["b-build"], 20),
            (["c"], 10),
            (["b", "a"], 73),
            (["zip", "check"], 43),
            ([], 43),
        ):
            with self.subTest(words):
                self.progress = screen.Progress(self.run_begun, ["ninja", *words])
                self.says(f"[ {share}%] 0s  b build", "0.250 b build")

    def test_a_step_that_begins_again_is_counted_once(self):
        self.says("[ 97%] 0s  zip deliver", "zip check", "zip consumer", "zip deliver")
        self.says("[ 97%] 0s  zip consumer", "zip consumer")
        self.says("[ 99%] 5s  zip deliver", "zip deliver", after=5)

    def test_it_never_goes_back_or_stands_still(self):
        self.says("[ 29%] 0s  a build: x", "0.500 a build: x")
        self.says("[ 29%] 0s  a build: y", "0.250 a build: y")
        self.says("[ 75%] 0s  zip consumer", "zip consumer")
        self.says("[ 79%] 10s  zip consumer", after=10)
        self.says("[ 94%] 4m10s  zip consumer", after=240)

    def test_what_is_left_is_known_from_this_run(self):
        self.says("[ 11%] 4s  a build", "0.150 a build", after=4)
        self.now += 16
        self.says("[ 19%] 20s  a build", "0.300 a build")  # most of the rest is only planned
        self.record("20 a patch 1\n20 b patch 1\n60 b build 1\n5 zip check 1\n30 zip consumer 1\n5 zip deliver 1\n")
        self.begin()
        self.says("[ 12%] 10s  a build", "a build", after=10)
        self.says("[ 21%] 10s, up to 2m23s left  a build", "0.300 a build")
        self.says("[ 21%] 40s  a build", after=30)  # overdue, so it was wrong

    def test_what_is_left_is_known_from_earlier_runs(self):
        self.record("12 zip check 1\n30 zip consumer 1\n5 zip deliver 1\n99 zip check 2000000\n")
        self.begin()
        self.says("[ 74%] 2s  zip check", "zip check", after=2)  # it may be up to date
        self.says("[ 74%] 2s, up to 45s left  zip check", "-- zip check")
        self.says("[ 80%] 2s, about 35s left  zip consumer", "zip consumer", "-- zip consumer")
        self.says("[ 97%] 32s  zip consumer", after=30)

    def test_what_was_not_up_to_date_is_recorded_for_the_next_run(self):
        self.says("[ 72%] 6s  zip check", "zip check", "-- zip check", after=6)
        self.says("[ 75%] 6s  zip consumer", "zip consumer")  # up to date
        self.now += 1
        self.says("[ 97%] 7s  zip deliver", "zip deliver", "-- zip deliver")
        self.progress.end()
        text = (self.folder / "steps/seconds.txt").read_text()
        self.assertEqual(text, "6 zip check 1000006\n1 zip deliver 1000007\n")
        # A record that was cut by a full disk, and what was appended to it.
        self.record("6 zip che\n7 zip check 6 zip check 1000006\n1 zip\n" + text)
        # Not in this run: its shares are of one whole.
        self.assertEqual(screen.Progress(self.run_begun).known, {})
        self.now += 1
        self.begin()
        self.assertEqual(self.progress.known, {"zip check": 6, "zip deliver": 1})

    def test_a_narrow_terminal_shows_what_changes(self):
        what = "Building CXX object caffe2/CMakeFiles/torch_cpu.dir/__/aten/src/ATen/native/Activation.cpp.o"
        self.says(f"[  3%] 0s  a build: {what}", f"a build: {what}")
        self.says("[  3%] 0s  a build: ...ten/src/ATen/native/Activation.cpp.o", width=59)
        self.says("[  3%] 0s  a build: ...e/Activation.cpp.o", width=41)
        log = self.folder / "log"
        log.write_text("[3/9] b\n")
        self.says(
            "[ 75%] 0s  zip consumer: second place, build (3/9)", "zip consumer", f"second place, build log: {log}"
        )
        self.says("[ 75%] 0s  zip consumer: ...e, build (3/9)", width=42)
        for width in range(30):
            self.assertIn("[ 75%] 0s", self.progress.text(width))
