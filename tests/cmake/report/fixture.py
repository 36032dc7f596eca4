# SPDX-License-Identifier: BSD-3-Clause
"""A build folder like a real one, for tests of its report."""

import json
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest
from unittest import mock

from engine.report import facts

BEGUN = 1700000000
COMPILES = [(0, 4, 24, "x.cpp.o"), (4, 5, 3, "one.h"), (4, 5, 25, "two.h"), (0, 6, 26, "y.cpp.o"), (6, 9, 29, "x.so")]


def ninja(compiles, version=5):
    """Its log, after what another run has made. A file of a command may keep an older file's time."""
    return f"# ninja log v{version}\n0\t9\t5\tof/another/run.o\t9\n" + "".join(
        f"{begin}000\t{end}000\t{BEGUN + at}000000000\ta/{output}\t{begin + end}\n"
        for begin, end, at, output in compiles
    )


BUILD = """\
build lib/libtorch.so: CXX_SHARED_LIBRARY_LINKER__torch_Release a/x.cpp.o | lib/libc10.so /x/libsleef.a /usr/lib/libm.so.6 || z
build lib/libc10.so: CXX_SHARED_LIBRARY_LINKER__c10_Release c.o | || lib/libother.a
build a/x.cpp.o: CXX_COMPILER__torch_Release x.cpp
"""


def library(file, *entries):
    """A library with .nv_fatbin, of (kind, architecture, bytes)."""
    code = b"".join(struct.pack("<HHIQ12xI32x", kind, 1, 64, size, arch) + bytes(size) for kind, arch, size in entries)
    fat = file.with_suffix(".fatbin")
    fat.write_bytes(struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(code)) + code)
    command = ["cc", "-shared", "-nostdlib", "-x", "assembler", "-", "-o", file]
    subprocess.run(command, check=True, text=True, input=f'.section .nv_fatbin, "a"\n.incbin "{fat}"\n')
    fat.unlink()


class RunTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name, "build/cu124-x")
        self.run_ = self.folder / "runs" / str(BEGUN)
        environment = mock.patch.dict(os.environ, XDG_CACHE_HOME=folder.name)
        environment.start()
        self.addCleanup(environment.stop)
        self.speed = pathlib.Path(folder.name, "torch-superbuild/speed.json")
        install = "packages/pytorch/install/lib/libtorch_cuda.so"
        for name in ("check/zip/consumer/x", install, "steps/pytorch/x"):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        library(self.folder / install, (2, 80, 100), (2, 90, 300), (1, 90, 40))
        staged = {"lib/libtorch.so": 50000, "include/a.h": 9, "include/b.h": 9, "debug/x": 70000, "x": 1}
        for name, size in staged.items():
            self.write(f"stage/zip/{name}", "x" * size)
        self.write("packed/zip/libtorch.zip", "x" * 60000)
        feature = {"off": "", "remedy": "name a mirror"}
        for name, depends in {"sleef": [], "pytorch": ["sleef"]}.items():
            declared = {"name": name, "depends": depends, "source": name, "features": {"FBGEMM": feature, "MPI": {
                "off": "the official packages have none", "remedy": ""}} if depends else {}}  # fmt: skip
            self.write(f"packages/{name}/package.json", declared)
        self.write(
            "packages/pytorch/manifest.json", {"features": {"FBGEMM": {"reason": "no answer </script>", "remedy": "r"}}}
        )
        self.write("packages/pytorch/build/.ninja_log", ninja(COMPILES))
        self.write("packages/pytorch/build/build.ninja", BUILD)
        run = {"packages": ["sleef", "pytorch"], "artifacts": ["zip"], "archs": ["80-real"], "preset": "cu124-x"}
        run |= {"cores": 2, "farm": 0, "compiler_cache": ""}
        self.write("settings.json", {"torchpkg": os.environ["TORCHPKG"]})
        self.write("plan/run.json", run | {"release": "2.6.0", "available_mb": "9000", "compiler": "GNU 12"})
        plan = {"wall_s": [20, 90], "cpu_s": [60, 70], "memory_mb": [900, 1000], "disk_mb": {"build": 100, "store": 10}}
        self.write(f"runs/{BEGUN}/plan.json", plan | {"download_mb": 3, "packages": {"compile": ["pytorch"]}})
        for step in ("build", "stage"):
            self.write(f"steps/pytorch/{step}.json", {"inputs": {}, "outputs": {}})
        self.write("steps/pytorch/patch.json", {})
        os.utime(self.folder / "steps/pytorch/patch.json", (BEGUN - 9, BEGUN - 9))
        self.journal()
        self.write(
            f"runs/{BEGUN}/ccache.log", "# /s/x.cpp\ndirect_cache_hit\nlocal_storage_hit\n# /s/y.cpp\ncache_miss\n"
        )
        sources = {
            "sleef": {"status": "ok", "version": "3.6", "provider": "git"},
            "fbgemm": {"status": "missing", "reason": "no"},
        }
        self.write("fetch/result.json", {"sources": sources})
        self.write("fetch/origins.json", {"sleef": {"from": "git (here)", "passed": ["mirror: has none"]}})
        self.write("check/zip/check.json", {"checks": [{"verdict": "pass", "name": "no RPATH", "found": "31 files"}]})
        self.write("check/zip/consumer/results.xml", "<testsuite></testsuite>")
        self.write("check/zip/dist.json", [{"file": str(self.folder / "packed/zip/libtorch.zip"), "state": "new"}])

    def write(self, place, value):
        file = self.folder / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(value if isinstance(value, str) else json.dumps(value))

    def journal(self, code=0):
        entries = [
            {"command": "ninja", "begin": BEGUN + 2},
            {"step": "pytorch patch", "begin": BEGUN + 2, "end": BEGUN + 20, "cpu": 2},
            {"at": BEGUN + 10, "rss": 700, "one": 400, "free": 9000},
            {"step": "pytorch build", "begin": BEGUN + 20, "end": BEGUN + 30, "cpu": 18.5},
            {"at": BEGUN + 25, "rss": 900, "one": 500, "free": 8500},
            {"at": BEGUN + 33, "rss": 100, "one": 90, "free": 9900},  # somebody else has made room
            {"step": "pytorch stage", "begin": BEGUN + 30, "end": BEGUN + 35, "cpu": 4},
            {"end": BEGUN + 40, "code": code, "cpu": 25, "largest": 620},
        ]
        self.write(f"runs/{BEGUN}/journal.jsonl", "".join(json.dumps(entry) + "\n" for entry in entries))

    def facts(self):
        return facts.Facts(self.folder, self.run_).all()
