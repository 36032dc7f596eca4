#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Pins the official wheels of a release in pip's index, and the wheels of NVIDIA that its libraries for the CPU need.

    tools/import_official/import_official.py [--machine aarch64] <version>...

Writes releases/<version>/sources.json, in which it replaces these pins and leaves the others, and release.json where the
release has none: what it says is read in the wheel and in the index. Each member of the wheel that is used is downloaded
once, for the hash of what fetch makes of them (cmake/sources/wheel_members.py).
"""

import argparse
import fnmatch
import hashlib
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

PROJECT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "cmake/sources"))

import wheel_members  # noqa: E402
from remote_file import RemoteFile  # noqa: E402

PYTHON = "3.12"  # each release has a wheel for it, and the libraries without Python are the same in all
# pip's --platform takes no older tag for granted; NVIDIA's wheels have all of these.
TAGS = ["manylinux1", "manylinux2014", *(f"manylinux_2_{minor}" for minor in (5, 12, 17, 18, 24, 25, 26, 27, 28))]
# What a libtorch for the CPU is made of. All of it lies in a few runs of neighbours.
CPU_MEMBERS = [
    "torch/lib/libc10.so",
    "torch/lib/libtorch.so",
    "torch/lib/libtorch_cpu.so",
    "torch/lib/libgomp*.so*",
    "torch/include/*",
    "torch/share/cmake/*",
    "torch/version.py",
    "torch-*.dist-info/*",
]
# What libtorch_cpu.so needs besides, where the wheel has it: that for aarch64, whose names auditwheel has changed up to 2.9.
OTHER_MEMBERS = [
    "torch/lib/libarm_compute*.so*",
    "torch/lib/libgfortran*.so*",
    "torch/lib/libnvpl_*.so*",
    "torch/lib/libopenblas*.so*",
    "torch.libs/*.so*",
]
# The processors that there are wheels for, how the names of their sources end, and the backend made of them.
MACHINES = {"x86_64": ("", "official-cpu"), "aarch64": ("-aarch64", "official-aarch64")}
# pip asks the machine that it runs on what a requirement's condition means.
PIP = "import platform, runpy; platform.machine = lambda: '{}'; runpy.run_module('pip', run_name='__main__')"
# What libtorch_cpu.so needs of CUDA, for its profiler.
CPU_LIBRARIES = ("nvidia-cuda-cupti", "nvidia-cuda-runtime")
LICENCES = {"torch": "BSD-3-Clause", "nvidia": "LicenseRef-NVIDIA-CUDA-Toolkit-EULA"}
HOMEPAGES = {"torch": "https://pytorch.org", "nvidia": "https://docs.nvidia.com/cuda/eula/"}


class Digest:
    """A file that only hashes and counts what is written."""

    def __init__(self):
        self.hash, self.size = hashlib.sha256(), 0

    def write(self, block):
        self.hash.update(block)
        self.size += len(block)


class Wheel:
    """A wheel in pip's report, and its members, read from the index."""

    def __init__(self, entry):
        self.url, self.metadata = entry["download_info"]["url"], entry["metadata"]
        self.sha256 = entry["download_info"]["archive_info"]["hashes"]["sha256"]
        self.project, self.version = self.metadata["name"], self.metadata["version"].partition("+")[0]
        self.file = self.url.rpartition("/")[2].partition("#")[0].replace("%2B", "+")
        self.remote = RemoteFile(self.url)
        self.members = wheel_members.read_directory(self.remote.read, self.remote.size)

    def text(self, pattern):
        """The text of the one member that the pattern matches."""
        content = io.BytesIO()
        wheel_members.write_members(self.remote.read_blocks, wheel_members.choose(self.members, [pattern]), content)
        with zipfile.ZipFile(content) as file:
            return file.read(file.namelist()[0]).decode()

    def license_file(self):
        names = [member.name for member in self.members]
        return next(
            name for name in names if re.fullmatch(r"[^/]+[.]dist-info/(licenses/)?license([.]txt)?", name, re.I)
        )

    def candidate(self, **members):
        return {
            "version": self.version,
            "filename": self.file,
            "sha256": self.sha256,
            "size": self.remote.size,
            "license_file": self.license_file(),
            "python-index": {"project": self.project, "version": self.version, "file": self.file},
            **members,
        }

    def candidate_of(self, patterns, part, **members):
        """A candidate of some members; `part` is their name in the file's."""
        digest = Digest()
        wheel_members.write_members(self.remote.read_blocks, wheel_members.choose(self.members, patterns), digest)
        whole = self.candidate(**members)
        index = dict(whole["python-index"], members=patterns)
        name = re.sub(r"[.]whl$", f".{part}.whl", self.file)
        return {
            **whole,
            "filename": name,
            "sha256": digest.hash.hexdigest(),
            "size": digest.size,
            "python-index": index,
        }


def resolve(requirement, machine):
    """What pip would install: entries of its report."""
    platforms = [word for tag in TAGS for word in ("--platform", f"{tag}_{machine}")]
    abis = [word for abi in ("cp" + PYTHON.replace(".", ""), "abi3", "none") for word in ("--abi", abi)]
    words = [sys.executable, "-c", PIP.format(machine), "install", "--quiet", "--dry-run", "--ignore-installed"]
    words += ["--only-binary", ":all:", "--python-version", PYTHON, "--implementation", "cp", *abis, *platforms]
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        if subprocess.run([*words, "--target", folder, "--report", str(report), requirement]).returncode:
            sys.exit(f"pip cannot resolve {requirement} for {machine}\n  the lines above say why")
        return json.loads(report.read_text())["install"]


def release_facts(wheel):
    """release.json of a release that is not built here: what its wheel says."""
    config = wheel.text("torch/share/cmake/Torch/TorchConfig.cmake")
    return {
        "version": wheel.version,
        "sources": ["the official wheel, read by tools/import_official"],
        "pythons": [],
        "cxx_standard": "20" if re.search(r"(CXX_STANDARD |cxx_std_)20", config) else "17",
        "libtorch_zip": "libtorch-@linkage@-@deps@-@version@.zip",
        "backends": {},
    }


def write_json(path, content):
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content, indent=2) + "\n")


def pins_of(version, machine):
    """(the pins, the wheel of PyTorch)"""
    suffix, _ = MACHINES[machine]
    wheels = resolve(f"torch=={version}", machine)
    torch = Wheel(next(entry for entry in wheels if entry["metadata"]["name"] == "torch"))
    names = [member.name for member in torch.members]
    members = [pattern for pattern in CPU_MEMBERS + OTHER_MEMBERS if fnmatch.filter(names, pattern)]
    commit = re.search("git_version = '([0-9a-f]{40})'", torch.text("torch/version.py"))[1]
    pins = {
        "torch-cpu" + suffix: {
            "license": LICENCES["torch"],
            "homepage": HOMEPAGES["torch"],
            "candidates": [torch.candidate_of(members, "cpu", commit=commit), torch.candidate(commit=commit)],
        }
    }
    for entry in wheels:
        name = re.sub(r"-cu\d+$", "", entry["metadata"]["name"])
        if name in CPU_LIBRARIES:
            pins[name + suffix] = {
                "license": LICENCES["nvidia"],
                "homepage": HOMEPAGES["nvidia"],
                "candidates": [Wheel(entry).candidate()],
            }
    return pins, torch


def import_release(version, machines):
    folder = PROJECT / "releases" / version
    for machine in machines:
        pins, torch = pins_of(version, machine)
        sources = {"schema": 1, "release": version, "sources": {}}
        if (folder / "sources.json").exists():
            sources = json.loads((folder / "sources.json").read_text())
        sources["sources"].update(pins)
        write_json(folder / "sources.json", sources)
        facts = release_facts(torch)
        if (folder / "release.json").exists():
            facts = json.loads((folder / "release.json").read_text())
        if MACHINES[machine][1] not in facts["backends"]:
            facts["backends"][MACHINES[machine][1]] = {}
            write_json(folder / "release.json", facts)
        sizes = [pins[name]["candidates"][0]["size"] for name in pins]
        print(f"{version}: {len(pins)} pins, {sum(sizes) / 1e6:.0f} MB; {torch.file}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("versions", nargs="+", metavar="version")
    parser.add_argument("--machine", choices=MACHINES, help="only the wheels for this processor")
    options = parser.parse_args()
    for version in options.versions:
        import_release(version, [options.machine] if options.machine else MACHINES)


if __name__ == "__main__":
    main()
