# SPDX-License-Identifier: BSD-3-Clause
"""A small project to run the whole workflow on: the tests' stand-in for PyTorch, in folders of one's own."""

import hashlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys

PROJECT = pathlib.Path(__file__).resolve().parents[2]
PRESET = "cpu-libtorch-shared"
SETTINGS = ("TSB_", "CMAKE_", "CCACHE_", "SCCACHE_", "NINJA_", "CTEST_", "SOURCE_DATE_")


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class StandIn:
    """`work` has what stays: mirror and compiler cache; `work/now` what a run changes: trees, sources, store, dist."""

    def __init__(self, work, torchpkg):
        self.work, self.torchpkg = pathlib.Path(work), torchpkg
        self.now = self.work / "now"
        mirror = ["cmake", f"-DTSB_OUTPUT={self.work}/stand-in", "-P", PROJECT / "tests/fixtures/make_mirror.cmake"]
        made = subprocess.run(mirror, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if made.returncode:
            sys.exit(made.stdout)
        self.now.mkdir()

    def add_tree(self, name):
        listed = subprocess.run(["git", "-C", PROJECT, "ls-files", "-z"], stdout=subprocess.PIPE, check=True).stdout
        for file in filter(None, os.fsdecode(listed).split("\0")):
            place = self.now / name / file
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(PROJECT / file, place, follow_symlinks=False)

    def environment(self, tree):
        own = {name: value for name, value in os.environ.items() if not name.startswith(SETTINGS)}
        return dict(
            own,
            TSB_PINS_FILE=f"{self.work}/stand-in/pins/sources.json",
            TSB_SOURCE_MIRROR=f"{self.work}/stand-in/mirror",
            TSB_PROVIDERS="mirror",
            TSB_CONSUMER_DIR=f"{self.now}/{tree}/tests/fixtures/consumer-stand-in",
            TSB_SOURCES=f"{self.now}/sources",
            TSB_STORE=f"{self.now}/store",
            TSB_DIST=f"{self.now}/dist",
            TSB_TORCHPKG=self.torchpkg,
            CCACHE_DIR=f"{self.work}/ccache",
            TSB_DOCTOR_SKIP="disk,memory",
        )

    def start(self, tree, command, log):
        """Starts a shell command in a process namespace of its own, as in a container: its end ends all in it."""
        apart = ["unshare", "--pid", "--fork", "--kill-child=KILL", "--mount-proc"]
        apart += [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
        with open(log, "ab") as output:
            return subprocess.Popen(
                [*apart, "sh", "-c", command],
                cwd=self.now / tree,
                env=self.environment(tree),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )

    def run(self, tree, command, log):
        return self.start(tree, command, log).wait()

    def keep(self, name):
        copy_folder(self.now, self.work / name)

    def restore(self, name):
        copy_folder(self.work / name, self.now)

    def artifacts(self):
        return {path.name: sha256(path) for path in (self.now / "dist").glob("*") if path.is_file()}

    def kept_files(self):
        """Names below the source cache and the store, where nothing may be left over."""
        folders = [self.now / "sources", self.now / "store"]
        return {str(path.relative_to(self.now)) for folder in folders for path in folder.rglob("*")}

    def store_fault(self):
        verify = ["python3", PROJECT / "cmake/store", "--store", self.now / "store", "verify"]
        done = subprocess.run(verify, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.stdout if done.returncode else ""


def copy_folder(source, target):
    shutil.rmtree(target, ignore_errors=True)
    subprocess.run(["cp", "-a", "--reflink=auto", source, target], check=True)


def kill(process):
    process.send_signal(signal.SIGKILL)
    process.wait()
