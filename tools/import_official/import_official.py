#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Pins the official wheels of a release in pip's index, and the wheels of NVIDIA that they require, in the versions that pip
would install today.

    tools/import_official/import_official.py [--machine aarch64] <version>...

Writes releases/<version>/sources.json, in which it replaces these pins and leaves the others; wheel_check/,
what the check of a wheel installs besides NVIDIA's libraries, and of release.json what the release has not said itself, as
the wheel and the index say it. Each member of the wheel that a libtorch for the CPU
uses is downloaded once, for the hash of what fetch makes of them (engine/sources/wheel_members.py); whole wheels have the
index's hash.
"""

import argparse
import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

if __loader__ and __name__ == "__main__":  # by Python alone: engine has no loader
    os.execv(sys.executable, [sys.executable, os.path.dirname(__file__) + "/../../engine", *sys.argv])

from engine.folders import PROJECT
from engine.model.data import Data
from engine.model.difference import write_difference
from engine.model.inherit import merge
from engine.sources.index_links import pages_of
from tools.import_official.remote_wheel import Wheel

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
# The processors that there are wheels for, and how the names of their sources end.
MACHINES = {"x86_64": "", "aarch64": "-aarch64"}
# pip asks the machine, and the Python, that it runs on what a requirement's condition means.
PIP = "import platform, runpy; platform.machine = lambda: '{}'; platform.python_version_tuple = lambda: {}; "
PIP += "runpy.run_module('pip', run_name='__main__')"
# What libtorch_cpu.so needs of CUDA, for its profiler: all that a libtorch for the CPU has of NVIDIA's.
CPU_LIBRARIES = ("nvidia-cuda-cupti", "nvidia-cuda-runtime")
LIBRARIES = PROJECT / "backends/cuda/libraries.json"
LISTS = PROJECT / "tests/fixtures/nvidia_wheels.json"
COMMON = PROJECT / "backends/cpu/wheel_check.txt"
ABOUT = ("license", "homepage")
# The extras of the project cuda-toolkit that PyTorch, NCCL and MAGMA are compiled with.
TOOLKIT = "cccl,crt,cublas,cudart,cufft,cufile,culibos,cupti,curand,cusolver,cusparse,nvcc,nvfatbin,nvjitlink,nvml"
TOOLKIT += ",nvptxcompiler,nvrtc,nvtx,nvvm,profiler"


def resolve(requirements, machine):
    """What pip would install: entries of its report, in the versions that releases have in common if these fit."""
    platforms = [word for tag in TAGS for word in ("--platform", f"{tag}_{machine}")]
    abis = [word for abi in ("cp" + PYTHON.replace(".", ""), "abi3", "none") for word in ("--abi", abi)]
    words = [
        sys.executable,
        "-c",
        PIP.format(machine, (*PYTHON.split("."), "0")),
        "install",
        "--quiet",
        "--dry-run",
        "--ignore-installed",
    ]
    words += ["--only-binary", ":all:", "--python-version", PYTHON, "--implementation", "cp", *abis, *platforms]
    with tempfile.TemporaryDirectory() as folder:
        report, common = pathlib.Path(folder) / "report.json", pathlib.Path(folder) / "common.txt"
        common.write_text(re.sub(r"\s*\\\n\s*--hash=\S+", "", COMMON.read_text()))
        words += ["--target", folder, "--report", str(report), *requirements]
        fit = subprocess.run([*words, "--constraint", str(common)], capture_output=True)
        if fit.returncode and subprocess.run(words).returncode:
            sys.exit(f"pip cannot resolve {requirements[0]} for {machine}\n  the lines above say why")
        return json.loads(report.read_text())["install"]


def pythons(wheel, machine):
    """The Pythons that the index has wheels of the same version for, without those that are built otherwise (`3.14t`)."""
    pattern = re.compile(rf"torch-{re.escape(wheel.version)}(?:-[0-9]+)?-cp3([0-9]+)-cp3[0-9]+-[^-]*_{machine}[.]whl")
    found = {file for files in pages_of(sys.executable, wheel.project) for file in files}
    minors = {int(match[1]) for match in map(pattern.fullmatch, found) if match}
    return [f"3.{minor}" for minor in sorted(minors)]


def cuda_of(wheel):
    """The member of release.json's `official-cuda`: the wheel's CUDA, and what torch.cuda.get_arch_list() says."""
    cuda = re.search(r"^cuda\b.*= '([0-9.]+)'", wheel.text("torch/version.py"), re.MULTILINE)[1]
    archs = re.search(r"((?:sm_[0-9]+ )+sm_[0-9]+)\0", wheel.text("torch/lib/libtorch_python.so"))[1]
    return {cuda: {"archs": re.sub(r"sm_([0-9]+)([0-9])", r"\1.\2", archs).split()}}


def release_facts(wheel):
    """What the wheel and the index say about a release."""
    config = wheel.text("torch/share/cmake/Torch/TorchConfig.cmake")
    triton = re.search(r"['\"]triton *[=~]= *([0-9.]+)", str(wheel.metadata["requires_dist"]))
    return {
        "version": wheel.version,
        "sources": ["the official wheel, read by tools/import_official"],
        **({"triton": triton[1]} if triton else {}),
        "pythons": pythons(wheel, "x86_64"),
        "cxx_standard": "20" if re.search(r"(CXX_STANDARD |cxx_std_)20", config) else "17",
        "backends": {},
    }


def facts_of(folder, torch, suffix):
    """What is true of the release: what it inherits says nothing of this wheel, and what a person wrote stays, in its
    order."""
    data, file = Data(), folder / "release.json"
    of_wheel, own = {**data.inherited(folder.name, file.name), **release_facts(torch)}, data.fold([folder], file.name)
    facts = merge(of_wheel, own, file)
    backends = {"official-aarch64": {}} if suffix else {"official-cpu": {}, "official-cuda": cuda_of(torch)}
    facts["backends"] = {**facts["backends"], **backends, **facts["backends"]}
    return {**{name: facts[name] for name in own if name in facts}, **facts}


def write_json(path, content):
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content, indent=2) + "\n")


def read(folder, name):
    """What is true of the release, with what it inherits; {} without a folder."""
    return Data().merged(folder.name, name)


def write(folder, name, content):
    """What differs from what it inherits."""
    folder.mkdir(exist_ok=True)
    write_difference(folder / name, Data().inherited(folder.name, name), content)


def pin(candidates, license, homepage):
    return {"license": license, "homepage": homepage, "candidates": candidates}


def pins_of_torch(torch, suffix, known):
    """`known`: the pins until now. Nothing is downloaded for one that is of the same wheel."""
    commit = re.search("git_version = '([0-9a-f]{40})'", torch.text("torch/version.py"))[1]
    whole = torch.candidate(commit=commit)
    about = "BSD-3-Clause", "https://pytorch.org"
    of_cpu = known.get("torch-cpu" + suffix)
    if not of_cpu or of_cpu["candidates"][-1] != whole:
        names = [member.name for member in torch.members]
        members = [pattern for pattern in CPU_MEMBERS + OTHER_MEMBERS if fnmatch.filter(names, pattern)]
        of_cpu = pin([torch.candidate_of(members, "cpu", commit=commit), whole], *about)
    pins = {"torch-cpu" + suffix: of_cpu}
    return pins if suffix else {**pins, "torch-cuda": pin([whole], *about)}


def pins_of_nvidia(wheels, suffix, toolkit=False):
    """Those of the resolved wheels that have libraries, or of a toolkit all, by the project's name without CUDA's version. Where
    the libraries of x86-64 lie goes into the list that a test compares with our RPATHs."""
    facts = json.loads(LIBRARIES.read_text())
    packages = {library["wheel"]["project"]: library["package"] for library in facts["libraries"]}
    pins, lists = {}, json.loads(LISTS.read_text())
    for entry in wheels:
        name = re.sub(r"-cu\d+$", "", entry["metadata"]["name"])
        if not name.startswith("nvidia-") or (suffix and name not in CPU_LIBRARIES):
            continue
        wheel = Wheel(entry)
        if toolkit or wheel.libraries():
            if name not in packages and not toolkit:
                sys.exit(f"{LIBRARIES} does not know {name}, which the wheel requires\n  name its libraries there")
            about = {key: facts["packages"][packages.get(name, "cuda-toolkit")][key] for key in ABOUT}
            pins[name + suffix] = pin([wheel.candidate()], **about)
            if not toolkit and not suffix:
                lists[wheel.file] = " ".join(sorted({name.rpartition("/")[0] for name in wheel.libraries()}))
    write_json(LISTS, dict(sorted(lists.items())))
    return pins


def write_libraries(folder, wheels, pins):
    """What a user of the wheel has installed with it but for the libraries that have pins and what is common, and NumPy."""
    common = COMMON.read_text()
    pinned = {pin["candidates"][-1]["sha256"] for pin in pins.values()}
    text = "# SPDX-License-Identifier: BSD-3-Clause\n"
    for entry in sorted(wheels, key=lambda entry: entry["metadata"]["name"].lower()):
        sha256 = entry["download_info"]["archive_info"]["hashes"]["sha256"]
        if sha256 not in pinned and sha256 not in common:
            name = re.sub("[-_.]+", "-", entry["metadata"]["name"]).lower()
            text += f"{name}=={entry['metadata']['version']} \\\n    --hash=sha256:{sha256}\n"
    folder.mkdir(exist_ok=True)
    (folder / "libraries.txt").write_text(text)


def import_release(version, machines):
    folder = PROJECT / "releases" / version
    for machine in machines:
        suffix = MACHINES[machine]
        wheels = resolve([f"torch=={version}", "numpy"], machine)
        torch = Wheel(next(entry for entry in wheels if entry["metadata"]["name"] == "torch"))
        sources = read(folder, "sources.json") or {"schema": 1, "release": version, "sources": {}}
        pins = {**pins_of_torch(torch, suffix, sources["sources"]), **pins_of_nvidia(wheels, suffix)}
        sources["sources"].update(pins)
        write(folder, "sources.json", sources)
        if not suffix and not (folder / "wheel_check/beside.txt").exists():  # else all of it is the release's own
            write_libraries(folder / "wheel_check", wheels, pins)
        facts = facts_of(folder, torch, suffix)
        for backend in facts["backends"].get("cuda", {}).values() if not suffix else ():
            if "toolkit" in backend:
                wheels = resolve([f"cuda-toolkit[{TOOLKIT}]=={backend['toolkit']}"], machine)
                for name, one in pins_of_nvidia(wheels, suffix, toolkit=True).items():
                    if name not in pins:  # the official wheel does not require it
                        sources["sources"][re.sub("^nvidia(-cuda)?", "cuda-toolkit", name)] = one
                write(folder, "sources.json", sources)
        write(folder, "release.json", facts)
        sizes = [pins[name]["candidates"][-1]["size"] for name in pins if name != "torch-cpu"]
        print(f"{version}: {len(pins)} pins, {sum(sizes) / 1e6:.0f} MB in all; {torch.file}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("versions", nargs="+", metavar="version")
    parser.add_argument("--machine", choices=MACHINES, help="only the wheels for this processor")
    options = parser.parse_args()
    for version in options.versions:
        if not re.fullmatch(r"\d+[.]\d+[.]\d+", version):  # pip takes 9.9 for 9.9.0
            parser.error(f"{version} is not three numbers\n  name a release as 9.9.0")
    for version in options.versions:
        import_release(version, [options.machine] if options.machine else MACHINES)
