# SPDX-License-Identifier: BSD-3-Clause
"""The result of a preset's workflow, and whether it is done."""

import contextlib
import fcntl
import functools
import hashlib
import itertools
import json
import os
import pathlib
import re
import subprocess

from engine.partial_file import write_text
from engine.selection import ROOT
from engine.sources.tree import digest_of, digest_of_folder, files_of
from engine.text import size_text

HOMES = "CUDA_HOME", "CUDA_PATH", "ROCM_PATH", "HIP_CLANG_PATH"
ENVIRONMENT = "CC", "CXX", "CFLAGS", "CXXFLAGS", "SOURCE_DATE_EPOCH", *HOMES
CHANGE_NO_RESULT = "TSB_JOBS", "TSB_DOCTOR_SKIP", "TSB_STORE_REMOTE", "TSB_FARM"


def named(*names):
    """Finds the values of variables in what CMake makes of a preset, where one may have its type: NAME:PATH="/x"."""
    return re.compile(r'(?m)^ *(?:%s)(?::\w+)?="(.+)"$' % "|".join(names))


# What they name is built in, and may change under its name.
READ = named(r"TSB_LOCAL_\w+", "TSB_(?:ADDITIONS|PATCHES|SUPERBUILD_DIR|CONSUMER_DIR|PINS_FILE|TORCHPKG)")
TOOLKIT = named("TSB_CUDA_HOME", *HOMES)
PROGRAM = named("CC", "CXX", "CMAKE_C(?:XX)?_COMPILER", "TSB_CUDA_HOST_COMPILER", r"TSB_PYTHON(?:_\d+)?")
LIBRARY = named("TSB_(?:CUDNN|CUSPARSELT|NVSHMEM)_HOME")
ERROR = re.compile(r"error: |CMake Error|.* failed \(exit \d+\)$")  # of scripts, of CMake, of a package's phase


def checkout_hash():
    """A hash of the checkout's files as they are: git does not answer everywhere, and may mean a repository around it."""
    found = set()
    for folder, folders, names in os.walk(ROOT):
        folders[:] = set(folders) - ({"build", "dist", "additions"} if folder == str(ROOT) else set())
        paths = [os.path.join(folder, name) for name in names]
        found.update(
            os.path.relpath(path, os.fsencode(ROOT)) for path in map(os.fsencode, paths) if os.path.isfile(path)
        )
    # An addition may be a link to a folder elsewhere.
    found.update(b"additions/" + name for name in files_of(ROOT / "additions"))
    return digest_of_folder(ROOT, [name for name in found if not re.search(rb"(^|/)(\.[^/]*|__pycache__)/", name)])


@functools.lru_cache(None)
def programs(homes=(), others=()):
    """What compilers and Pythons say about themselves, which an update of the distribution changes. `homes`: toolkits that
    settings, or the preset, name; `others`: programs that they name, maybe with options."""
    homes = *(ROOT / pathlib.Path(home).expanduser() for home in homes), "/usr/local/cuda", "/opt/rocm"
    commands = [[f"{home}/{tool}"] for home in homes for tool in ("bin/nvcc", "bin/hipcc", "clang++")]
    for program in ("cc", "c++", "nvcc", "hipcc", *others):
        path = ROOT / pathlib.Path(program).expanduser()
        commands.append([str(path)] if path.is_file() else program.split())
    return [version(command) for command in commands]


def version(command):
    try:
        return subprocess.run([*command, "--version"], capture_output=True, text=True).stdout
    except OSError:
        return ""


@functools.lru_cache(None)
def library_hash(home):
    """A hash of the headers of a library in a folder that a setting names, since they say its version."""
    home = ROOT / pathlib.Path(home).expanduser()
    found = [
        home.glob(f"{start}include/{name}*")
        for start in ("", "nvidia/*/")
        for name in ("cudnn", "cusparseLt", "nvshmem")
    ]
    files = [os.fsencode(file.relative_to(home)) for file in itertools.chain(*found) if file.is_file()]
    return digest_of_folder(home, files)


@functools.lru_cache(None)
def content_hash(place):
    """The same of what a setting names; of a file of pins with what lies beside it. What cannot be read has another one each
    time, so nothing is taken for done."""
    path = ROOT / pathlib.Path(place).expanduser()
    beside = [file for file in (path.parent / "components.json", *path.parent.glob("patches/**/*")) if file.is_file()]
    files = [os.fsencode(file.relative_to(path.parent)) for file in (path, *beside)]
    try:
        return digest_of_folder(path.parent, files) if path.is_file() else digest_of_folder(path)
    except OSError:
        return os.urandom(16).hex()


def reason(lines):
    """Why it failed, from a log's lines: the last error, without what CMake and Ninja write around it; else the last line."""
    lines = [re.sub(r"^\d+: ", "", line) for line in lines if line.strip()]  # CTest numbers what a test says
    errors = [number for number, line in enumerate(lines) if ERROR.match(line)]
    at = [number for number in errors if not lines[number].startswith("CMake")] or errors
    if not at:
        return (lines or ["its log is empty"])[-1].strip()
    end = re.compile("log: " if re.search(r"\(exit \d+\)$", lines[at[-1]]) else r"\S")
    text = itertools.takewhile(lambda line: not end.match(line), lines[at[-1] + 1 :])
    words = " ".join(" ".join([lines[at[-1]], *text]).split())
    return re.sub(r"^error: |^CMake Error.*?:(\d+ \(\w+\):)? ", "", words)


class Run:
    """A preset's workflow: build/fleet/<preset>.json and .log."""

    def __init__(self, preset, image=""):
        """`image`: the hash of the image that it runs in; empty on the machine itself."""
        self.preset, self.image = preset, image
        self.folder = ROOT / "build" / (f"images/{image[:12]}" if image else "")
        results = ROOT / "build/fleet"
        results.mkdir(parents=True, exist_ok=True)
        self.file, self.log = results / f"{preset.name}.json", results / f"{preset.name}.log"
        self.read()

    def read(self):
        try:
            self.facts = json.loads(self.file.read_text())
        except (OSError, ValueError):
            self.facts = {"state": "waiting"}

    def key(self, checkout):
        """A hash of everything that decides what the preset makes, as CMake resolves it; empty when it cannot."""
        asked = subprocess.run(["cmake", "--preset", self.preset.configure, "-N"], cwd=ROOT, capture_output=True)
        given = {name: value for name, value in os.environ.items() if name.startswith("TSB_") or name in ENVIRONMENT}
        for name in CHANGE_NO_RESULT:
            given.pop(name, None)
        text = os.fsdecode(asked.stdout) + "".join(f'\n{name}="{value}"' for name, value in sorted(given.items()))
        facts = [checkout, text, self.image, [content_hash(place) for place in READ.findall(text)]]
        facts.append([library_hash(home) for home in LIBRARY.findall(text)])
        tools = tuple(TOOLKIT.findall(text)), tuple(PROGRAM.findall(text))
        facts += [] if self.image else programs(*tools)  # an image's are in its hash
        return "" if asked.returncode else hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()

    def take(self):
        """Whether no other fleet runs the preset. The kernel gives the lock back when the fleet ends."""
        self.lock = open(self.file.with_suffix(".lock"), "w")
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        self.lock.close()
        return False

    def write(self, **facts):
        self.facts = facts
        write_text(self.file, json.dumps(facts, indent=1) + "\n")

    def is_done(self, key):
        """Whether it is done with the same inputs, and its files are still those."""
        same = key and self.facts["state"] == "done" and self.facts["key"] == key
        return same and all(
            os.path.isfile(file) and digest_of(file) == sha for file, sha in self.facts["files"].items()
        )

    def end(self, state, key, seconds):
        """Writes the result: what was made, with its hashes, or the reason of a failure. `built` becomes the build folder: what a
        container has as build/ is another folder here."""
        facts = {"state": state, "key": key, "seconds": seconds}
        if state == "done":
            build, place = (ROOT / "build").resolve(), pathlib.Path(self.preset.folder).resolve()
            self.built = self.folder.resolve() / place.relative_to(build) if build in place.parents else place
            stamps = [json.loads(stamp.read_text())["outputs"] for stamp in self.built.glob("steps/*/deliver.json")]
            facts["files"] = dict(sorted(made for stamp in stamps for made in stamp.items()))
            checks = [pathlib.Path(file) for file in facts["files"] if file.endswith(".checks.json")]
            facts["checks"] = sum(json.loads(file.read_text())["passed"] for file in checks)
            if not stamps:
                facts.update(state="failed", why=f"it made no file: has it a step with the target check? ({self.log})")
        elif state == "failed":
            facts["why"] = f"{reason(self.log.read_text(errors='replace').splitlines())} ({self.log})"
        self.write(**facts)

    def row(self):
        facts = self.facts
        seconds = f"{facts['seconds']:.0f} s" if "seconds" in facts else ""
        files = [
            file for file in map(pathlib.Path, facts.get("files", {})) if ".json" not in file.name and file.exists()
        ]
        sizes = ", ".join(f"{file.name} {size_text(file.stat().st_size)}" for file in files)
        checks = f"{facts['checks']} passed" if facts.get("checks") else ""
        state = "killed" if facts["state"] == "running" and self.take() else facts["state"]
        return self.preset.name, state, seconds, checks, sizes or facts.get("why", "")
