# SPDX-License-Identifier: BSD-3-Clause
"""Brings the toolkit that the release pins, where the machine has none that fits: fetches the wheels as all sources are fetched
and unpacks them. bootstrap.sh asks for it (cmake/doctor/provide.cmake); the doctor itself changes nothing."""

import json
import os
import re
import shutil
import subprocess
import sys

from backends.cuda.doctor.detail.pinned_toolkit import choose_toolkit, pinned_folders, pins_of_toolkit
from engine.doctor.checks import PROJECT, matching, output_of
from engine.failure import Failure
from engine.sources.archive import unpack_archive
from engine.sources.run_pip import python_with_pip
from engine.sources.unpack import copy_verified
from engine.text import size_text


def make_driver_stub(home):
    """lib/stubs/libcuda.so, which the wheels lack: a library to link with, that has what cudaProfiler.h and cuda.h declare, in all
    versions, and the name by which the driver's is loaded. Like NVIDIA's it only returns CUDA_ERROR_STUB_LIBRARY."""
    os.makedirs(f"{home}/lib/stubs", exist_ok=True)
    read = ["c++", "-E", "-P", "-x", "c++", f"-I{home}/include", f"{home}/include/cudaProfiler.h"]
    texts = output_of(*read) + output_of(*read, "-D__CUDA_API_VERSION_INTERNAL")
    names = sorted(set(re.findall(r"\bCUresult\s+(cu[A-Z]\w*)\s*\(", texts)))
    code = "".join(f'extern "C" int {name}() {{ return 34; }}\n' for name in names)
    options = ["-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-x", "c++", "-", "-o", f"{home}/lib/stubs/libcuda.so"]
    if not names or subprocess.run(["c++", *options], input=code.encode()).returncode:
        raise Failure("c++ cannot make a stub of the driver's library, libcuda.so")


def unpack(archives, site):
    """Wheels may have files in common, such as nvidia/__init__.py."""
    for sha256, archive in archives:
        copy_verified(archive, sha256, f"{site}.wheel")
        unpack_archive(f"{site}.wheel", "", site)
    for home in matching(site, "nvidia/cu[0-9]*"):
        make_driver_stub(home)


def fetch(doctor, pins, work):
    """(sha256, file) of each wheel; None when some are missing, which fetch has said."""
    size = size_text(sum(pin["candidates"][0]["size"] for pin in pins.values()))
    print(f"-- CUDA toolkit: fetching {doctor.of_release['toolkit']}, {len(pins)} wheels, {size}", flush=True)
    request = {"pins": f"{work}/pins.json", "cache": doctor.setting("TSB_SOURCES"), "work": f"{work}/fetch"}
    lists = {"mirrors": "TSB_SOURCE_MIRROR", "providers": "TSB_PROVIDERS"}
    request |= {name: list(filter(None, doctor.setting(of).split(";"))) for name, of in lists.items()}
    request["offline"] = doctor.setting("TSB_OFFLINE") == "ON"
    request["python"] = python_with_pip(doctor.setting("TSB_PYTHON") or sys.executable)
    request["sources"] = [{"name": name, "required": True, "needed_by": "the CUDA toolkit"} for name in pins]
    for name, value in (("request", request), ("result", {}), ("pins", {"schema": 1, "sources": pins})):
        with open(f"{work}/{name}.json", "w", encoding="utf-8") as file:
            json.dump({member: one for member, one in value.items() if one is not None}, file)
    os.chmod(f"{work}/request.json", 0o600)  # a mirror's address may have a password
    command = [sys.executable, "-B", PROJECT / "engine", "sources.fetch", f"{work}/request.json"]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen([*command, f"{work}/result.json"], **streams) as process:
        for line in process.stdout:  # standard error is shown at the end only (tsb_run_python)
            if not line.startswith("tsb_progress:"):
                print(line, end="", flush=True)
    if process.returncode:
        return None
    with open(f"{work}/result.json", encoding="utf-8") as file:
        return [(one["sha256"], one["archive"]) for one in json.load(file)["sources"].values()]


def check(doctor):
    pins = pins_of_toolkit(doctor)
    choice = choose_toolkit(doctor) if pins else None
    if not choice or choice[0]:
        return  # or it has named what is wrong with TSB_CUDA_HOME
    (place,) = pinned_folders(doctor)
    work = f"{place}.{os.getpid()}"
    os.makedirs(work)
    try:
        archives = fetch(doctor, pins, work)
        if archives:
            unpack(archives, f"{work}/site")
            if not os.path.exists(place):  # another run may have been faster
                os.rename(f"{work}/site", place)
            doctor.good(f"CUDA toolkit: {doctor.of_release['toolkit']} of the Python index is in {place}")
        else:
            doctor.problem(
                "CUDA toolkit: some of its wheels are not available", "the lines above say why and what to do"
            )
    except (Failure, OSError) as error:
        doctor.problem(f"CUDA toolkit: its wheels cannot be unpacked: {error}", "correct that, then run this again")
    finally:
        shutil.rmtree(work, ignore_errors=True)
