# SPDX-License-Identifier: BSD-3-Clause
"""A py-rattler that "installs" what lies in a folder; case.json beside it says what happens."""

import json
import pathlib
import shutil
import sys

from .exceptions import GatewayError, SolverError

CASE = json.loads(pathlib.Path(__file__).with_name("case.json").read_text())
PackageName = Version = str


class GenericVirtualPackage:
    def __init__(self, name, version, build):
        self.name = self
        self.normalized, self.version = name, version


class VirtualPackage:
    def __init__(self, *values):
        self.values = values

    def into_generic(self):
        return GenericVirtualPackage(*self.values, "0")

    @staticmethod
    def detect(overrides):
        return [VirtualPackage("__linux", "6.1"), VirtualPackage(CASE["has"], "6.0")]


class Record:
    file_name = "a-1.0-0.conda"


async def solve(sources, specs, virtual_packages):
    if any("secret" in word for word in sys.argv):
        raise SolverError("everybody can see it")
    print(specs, sources, [package.normalized + "=" + package.version for package in virtual_packages])
    if CASE["error"] == "gateway":
        raise GatewayError("no such host")
    if CASE["error"] == "solver":
        raise SolverError("nothing provides it")
    return [Record()]


class Gateway:
    async def query(self, channels, platforms, specs, recursive):
        print("alone", specs)
        return [[Record()]]


async def install(records, target_prefix, cache_dir, show_progress):
    shutil.copytree(CASE["installed"], target_prefix)
