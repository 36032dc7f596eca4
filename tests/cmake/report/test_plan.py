# SPDX-License-Identifier: BSD-3-Clause
"""engine/report/plan.py: what is planned for machines on which it was measured, docs/benchmarks.md, and what it says."""

import json
import os
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))

from engine.report import plan  # noqa: E402

GCC = "GNU 12.2.0"


class Planned(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = pathlib.Path(folder.name)
        self.folder = self.top / "build/cpu-libtorch-shared"
        environment = mock.patch.dict(os.environ, XDG_CACHE_HOME=str(self.top))
        environment.start()
        self.addCleanup(environment.stop)
        self.speed = self.top / "torch-superbuild/speed.json"
        self.speed.parent.mkdir()
        for name in ("plan", "steps", "fetch", "artifacts"):
            (self.folder / name).mkdir(parents=True)
        pins = {"sleef": {"candidates": [{"git": "x"}, {"size": 2000000}]}}
        self.packages = ["sleef", "protobuf", "mkl", "pytorch"]
        for name in self.packages:
            system = "none" if name == "mkl" else "cmake"
            memory = {"heavy_sources": "", "heavy_memory_per_job_mb": 5400, "memory_per_job_mb": 1800}
            memory["link_memory_mb"] = 4000 if name == "pytorch" else 1000
            declared = {"name": name, "build_system": system, "machine": "", **memory}
            self.write(f"packages/{name}/package.json", declared)
            self.write(f"packages/{name}/pins.json", pins if name == "sleef" else {})
        self.write("settings.json", {"torchpkg": str(self.folder / "torchpkg")})
        self.write("fetch/request.json", {"cache": str(self.top / "sources"), "local": {}})
        for name in ("libtorch-shared-with-deps", "libtorch-shared-without-deps"):
            self.write(f"artifacts/{name}.json", {"product": "libtorch"})

    def write(self, place, value):
        file = self.folder / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value) if not isinstance(value, str) else value)

    def planned(self, cores=2, factor=1.0, states="", memory=24000, artifacts=1, archs=(), **run):
        run = {
            "packages": self.packages,
            "artifacts": ["libtorch-shared-with-deps", "libtorch-shared-without-deps"][:artifacts],
            "needs": ["11000", "2500", "400", "500"],
            "archs": list(archs),
            "cores": cores,
            "farm": 0,
            "available_mb": str(memory),
            "jobs": "",
            "compiler": GCC,
            "compiler_path": "/nowhere/c++",
            "compiler_cache": "",
            "release": "2.6.0",
            "preset": "cpu-libtorch-shared",
            "dist": "/dist",
            "store": str(self.top / "store"),
            "remote_store": "",
            **run,
        }
        self.write("plan/run.json", run)
        self.write("plan/states.txt", states)
        if factor:
            speed = {"factor": factor, "from": "a run", "compiler": GCC, "cores": cores}
            self.speed.write_text(json.dumps(speed))
        return plan.Plan(self.folder).make()

    def within(self, measured, low_high, share=0.3):
        """A range has it; and at both ends it is not far."""
        low, high = low_high
        self.assertLessEqual(low, measured)
        self.assertGreaterEqual(high, measured)
        self.assertLess(abs((low + high) / 2 - measured) / measured, share)

    def test_what_was_measured_is_planned(self):
        """The factor is what the whole run took there, divided by what it took on the machine of the costs."""
        found = self.planned(64, 11891 / 7211, memory=500000)
        self.within(5 * 60 + 46, found["wall_s"], 0.4)  # without debug information, sources there
        self.within(11891, found["cpu_s"])
        found = self.planned(32, 10089 / 7211, memory=250000, artifacts=2)
        self.within(8 * 60 + 8, found["wall_s"], 0.4)
        found = self.planned()
        self.within(76 * 60, found["wall_s"])  # of which other work took some
        self.within(7211, found["cpu_s"])
        self.within(3846, self.planned(release="2.8.0")["memory_mb"])  # of which the link of libtorch_cpu.so took 3748
        self.within(8800, [found["disk_mb"]["build"] * 0.9, found["disk_mb"]["build"] * 1.1])

    def test_a_machine_of_unknown_speed_has_a_range(self):
        found = self.planned(factor=0)
        self.assertGreater(found["wall_s"][1], 2 * found["wall_s"][0])
        self.assertIn("the plan command measures", "".join(plan.lines_of(found)))
        self.speed.write_text(json.dumps({"factor": 9, "compiler": "Clang 19", "cores": 2}))
        self.assertEqual(self.planned(factor=0)["speed"], {})  # which another compiler has

    def test_a_machine_is_measured_once_for_all_build_folders(self):
        self.planned(factor=0)
        with mock.patch.object(plan, "probe", return_value=plan.COSTS["probe"] * 2) as probe:
            for _ in range(2):
                self.assertEqual(plan.Plan(self.folder).make(measure=True)["speed"]["factor"], 2)
            probe.assert_called_once()
            with mock.patch.dict(os.environ, XDG_CACHE_HOME=str(self.speed)):  # nothing can be written below a file
                self.assertEqual(plan.Plan(self.folder).make(measure=True)["speed"]["factor"], 2)
        self.assertEqual(list(self.folder.parent.iterdir()), [self.folder])

    def test_memory_and_the_setting_limit_the_jobs(self):
        self.assertEqual(self.planned(64, memory=20000)["jobs"], 10)
        self.assertEqual(self.planned(64, memory=200000, jobs="5")["jobs"], 5)
        self.assertEqual(self.planned(4, memory=900)["jobs"], 1)

    def test_the_check_compiles_programs(self):
        """An official run took 2.3 GB on 2 cores, of which no package had more than 0.5."""
        self.packages = ["mkl"]
        found = self.planned()
        self.within(2250, found["memory_mb"])
        self.within(218, found["cpu_s"])
        self.assertGreater(self.planned(64, memory=200000)["memory_mb"][0], 5000)
        for alone in ({"jobs": "1"}, {"memory": 3000}):
            self.assertLess(self.planned(**alone)["memory_mb"][1], 2000)
        self.write("artifacts/libtorch-shared-with-deps.json", {"product": "wheel"})  # one program
        self.within(1753, self.planned(64)["memory_mb"])
        self.write("steps/libtorch-shared-with-deps/deliver.json", {})
        self.assertEqual(self.planned(states="keep mkl\n")["memory_mb"], [500, 1200])

    def test_what_is_there_takes_nothing(self):
        (self.folder / "torchpkg").touch()
        states = "keep sleef\nstore protobuf\nkeep mkl\n{} pytorch\n"
        found = self.planned(states=states.format("keep"))
        self.assertEqual(found["packages"], {"keep": ["sleef", "mkl", "pytorch"], "store": ["protobuf"]})
        self.assertLess(found["wall_s"][1], 400)
        self.assertIn("packages: protobuf from the store; 3 there already", list(plan.lines_of(found)))
        more = self.planned(states=states.format("compile"))
        self.assertGreater(more["wall_s"][0], 2000)
        # What a run that was interrupted has left, and what the store may have, can make it short.
        self.write("packages/pytorch/build/.ninja_log", "")
        self.assertLess(self.planned(states=states.format("compile"))["wall_s"][0], 200)
        os.remove(self.folder / "packages/pytorch/build/.ninja_log")
        (self.top / "store/pytorch").mkdir(parents=True)
        self.assertLess(self.planned()["wall_s"][0], 600)

    def test_a_checkout_that_is_built_where_it_is(self):
        self.packages = ["mkl", "pytorch-develop"]
        of = {
            "name": "pytorch-develop",
            "build_system": "cmake",
            "heavy_sources": "",
            "machine": "",
            "in_place": "/mine",
        }
        self.write("packages/pytorch-develop/package.json", of | {"memory_per_job_mb": 1800, "link_memory_mb": 4000})
        self.write("packages/pytorch-develop/pins.json", {})
        found = self.planned(artifacts=0, states="store mkl\ncompile pytorch-develop\n")
        self.assertEqual(list(plan.lines_of(found))[:2], ["packages alone, into /mine",
                                                          "packages: pytorch-develop compiled; mkl from the store"])  # fmt: skip
        self.assertGreater(found["wall_s"][0], 3000)
        self.write("packages/pytorch-develop/build/.ninja_log", "")  # Ninja knows what is left
        self.assertLess(self.planned(artifacts=0, states="compile pytorch-develop\n")["wall_s"][0], 200)

    def test_what_a_compiler_cache_has(self):
        for name, files, warm in (("ccache", 7, True), ("ccache", 0, False), ("sccache", 0, "unknown")):
            cache = self.top / name
            cache.write_text(f"#!/bin/sh\ntouch {self.top}/asked-{name}\nprintf 'files_in_cache\\t{files}\\n'\n")
            cache.chmod(0o755)
            self.assertEqual(self.planned(compiler_cache=str(cache))["compiler_cache"], warm)
        self.assertFalse((self.top / "asked-sccache").exists())  # it would start its server
        self.assertEqual(self.planned(compiler_cache="/nowhere/ccache")["compiler_cache"], False)

    def test_downloads_are_what_the_cache_lacks(self):
        found = self.planned()
        self.assertEqual((found["download_mb"], found["disk_mb"]["sources"]), (2, 2))
        self.assertIn("; disk as it is; downloads 2 MB", list(plan.lines_of(self.planned(needs=[])))[-1])
        (self.top / "sources/sleef/3.6").mkdir(parents=True)  # as a download leaves it that has failed
        self.assertEqual(self.planned()["download_mb"], 2)
        (self.top / "sources/sleef/3.6/sleef.tar.gz").touch()
        self.assertEqual(self.planned()["download_mb"], 0)

    def test_each_architecture_and_a_newer_release_take_more(self):
        one, two = (self.planned(archs=["90-real", "80-real"][:count])["cpu_s"][1] for count in (1, 2))
        self.assertGreater(one, 2 * self.planned()["cpu_s"][1])
        self.assertGreater(two, one + 10000)
        self.assertGreater(self.planned(release="2.8.0")["cpu_s"][1], 1.4 * self.planned()["cpu_s"][1])

    def test_the_progress_has_all_steps_in_their_order(self):
        self.planned()
        lines = (self.folder / "steps/plan.txt").read_text().splitlines()
        steps = [line.split(" ", 1)[1] for line in lines]
        self.assertEqual(steps[:7], ["torchpkg configure", "torchpkg build", "fetch sources",
                                     "sleef patch", "sleef configure", "sleef build", "sleef stage"])  # fmt: skip
        self.assertEqual(steps[-3:], [f"libtorch-shared-with-deps {step}" for step in ("check", "consumer", "deliver")])
        self.assertGreater(int(lines[steps.index("pytorch build")].split()[0]), 2000)


if __name__ == "__main__":
    unittest.main()
