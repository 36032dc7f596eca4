# SPDX-License-Identifier: BSD-3-Clause
"""Reads a compile_commands.json and runs its compiles, measured.

Shared by the scripts beside it. Nothing here knows PyTorch.
"""

import json
import os
import re
import shlex
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor


class Command:
    """One entry of compile_commands.json, without launcher, input and output."""

    def __init__(self, entry, compiler=None):
        args = shlex.split(entry["command"])
        while os.path.basename(args[0]) in ("ccache", "sccache", "distcc"):
            args = args[1:]
        out = args.index("-o")
        self.object = args[out + 1]
        del args[out : out + 2]
        args.remove("-c")
        args.remove(entry["file"])
        if compiler:
            args[0] = os.path.join(compiler, os.path.basename(args[0]))
        self.file = entry["file"]
        self.directory = entry["directory"]
        self.compiler = args[0]
        self.flags = [a for a in args[1:] if not a.startswith("-fdiagnostics-color")]
        match = re.search(r"CMakeFiles/([^/]+)\.dir/", self.object)
        self.target = match.group(1) if match else ""

    def is_cxx(self):
        return not self.file.endswith(".c")


def load(database, compiler=None):
    """compiler: a folder whose c++ and cc are used instead of the recorded ones."""
    with open(database) as stream:
        return [Command(entry, compiler) for entry in json.load(stream)]


class Result:
    def __init__(self, code, cpu, wall, peak, errors):
        self.ok = code == 0
        self.cpu = cpu  # user + system seconds, children included
        self.wall = wall
        self.peak = peak  # MiB of the biggest process
        self.errors = errors  # what the compiler wrote


def compile_one(command, source, output, extra=(), flags=None):
    args = [command.compiler, *(command.flags if flags is None else flags), *extra, "-o", output, "-c", source]
    start = time.monotonic()
    child = subprocess.Popen(
        args, cwd=command.directory, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, errors="replace"
    )
    errors = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return Result(
        child.returncode, usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss / 1024, errors
    )


def run_all(jobs, work, items):
    """[work(item) for item in items], jobs at a time, in the given order."""
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(work, items))


def write_unit(path, members):
    """A unit as CMake's UNITY_BUILD writes it."""
    with open(path, "w") as stream:
        stream.writelines(f'#include "{member}"\n' for member in members)
