# SPDX-License-Identifier: BSD-3-Clause
"""What artifacts for CUDA have: NVIDIA's libraries and their licences, the manifest's member `cuda`, what wheels and conda
packages require."""

import mmap
import re

from backends.cuda import device_code
from backends.cuda.doctor.detail import licence_of_nvidia as licence
from engine.failure import Failure
from engine.folders import natural
from engine.header_version import header_version


def major_of(version):
    return int(version.partition(".")[0])


def installed_libraries(artifact, package, pattern):
    return sorted(artifact.install(package).glob("lib/" + pattern), key=lambda file: natural(file.name))


def cudnn_version(artifact, version):
    """The header has three numbers, wheels have four. The library has a text cudnn_version_9_1_0_70_..."""
    mark = ("cudnn_version_%s_" % version.replace(".", "_")).encode()
    for file in installed_libraries(artifact, "cudnn", "libcudnn*.so.*"):
        with open(file, "rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
            place = content.find(mark)
            number = re.match(rb"\d+", content[place + len(mark) : place + len(mark) + 20])
            if place >= 0 and number:
                return version + "." + number[0].decode()
    return version


def versions(artifact):
    """What was compiled and linked with: the toolkit, as far as the doctor could read its versions (nvcc, cudart, nvrtc,
    cublas, ...), cudnn, cusparselt, nvshmem, nccl, magma."""
    toolkit = artifact.machine("cuda-toolkit")
    cudnn = artifact.machine("cudnn").get("version")
    nccl = artifact.install("nccl") / "include/nccl.h"
    magma = artifact.install("magma") / "include/magma_types.h"
    found = {
        **toolkit.get("library_versions", {}),
        "nvcc": toolkit.get("version"),
        "cudnn": cudnn and cudnn_version(artifact, cudnn),
        "cusparselt": artifact.machine("cusparselt").get("version"),
        "nvshmem": artifact.machine("nvshmem").get("version"),
        "nccl": header_version(nccl, "NCCL_MAJOR", "NCCL_MINOR", "NCCL_PATCH"),
        "magma": header_version(magma, *("MAGMA_VERSION_" + part for part in ("MAJOR", "MINOR", "MICRO"))),
    }
    return {name: version for name, version in found.items() if version}


def headers(artifact):
    """The toolkit's headers are compiled into libtorch_cuda. Their licence is the runtime's."""
    runtimes = installed_libraries(artifact, "cuda-toolkit", "libcudart.so.[0-9]*")
    if not runtimes:
        raise Failure("package cuda-toolkit has no libcudart.so", "see the log of its stage phase")
    return {"cuda-toolkit": runtimes[0]}


def archs_by_others(artifact, package, *names):
    """The architectures that the first of a package's libraries that is there was compiled for by somebody else, and what is linked
    with it has: a MAGMA of TSB_LOCAL_magma, NVSHMEM's archive; empty for one that was built here, which has those of the preset."""
    libraries = [artifact.install(package) / "lib" / name for name in names]
    libraries = [file for file in libraries if file.exists()]
    if artifact.package(package).get("build_system") != "none" or not libraries:
        return []
    machine, intermediate = device_code.code_archs(artifact.settings["torchpkg"], libraries[0])
    return sorted([*machine - intermediate, *(arch + "+PTX" for arch in intermediate)], key=natural)


def additional_archs(artifact):
    """Single source files of PyTorch are compiled for more, where one of the preset's is another form of it."""
    archs = [arch.removesuffix("+PTX") for arch in artifact.backend["configured"]["archs"]]
    version = natural(artifact.backend["version"])
    entries = artifact.record["release"].get("cuda", {}).get("additional_archs", [])
    fitting = [entry for entry in entries if entry["with"] in archs and version >= natural(entry["lowest_cuda"])]
    return [entry["arch"] for entry in fitting]


def manifest(artifact, root):
    """Version of the toolkit, architectures, code that others compiled, versions."""
    others = {
        "magma": archs_by_others(artifact, "magma", "libmagma.a", "libmagma.so"),
        "nvshmem": archs_by_others(artifact, "nvshmem", "libnvshmem_device.a"),
    }
    return {
        "version": artifact.backend["version"],
        "archs": artifact.backend["configured"]["archs"],
        "additional_archs": additional_archs(artifact),
        "other_code": [{"from": name, "archs": archs} for name, archs in others.items() if archs],
        "versions": artifact.versions,
    }


def license(artifact, package, library, soname):
    """Where this machine has the text. Error: there is none; nothing may be passed on without it."""
    home = artifact.machine(package).get("home", "")
    text = licence.text_of(library, soname, home, artifact.library(soname).get("package") == "cuda-toolkit")
    if not text:
        raise Failure("the licence text of %s (%s) is not on this machine" % (soname, library), licence.remedy(home))
    return text


def nvidia_wheel(artifact, library):
    """(project, folder) of the wheel that has a library. Those of the toolkit have moved with CUDA 13: one folder, projects
    without a suffix. Others move with a version of their own."""
    wheel, major = library["wheel"], major_of(artifact.backend["version"])
    moved_in = artifact.facts["packages"][library["package"]].get("wheels_moved_in")
    if moved_in and major >= int(moved_in):
        return wheel["project"], "nvidia/cu%d/lib" % major
    version = natural(artifact.versions.get(library["name"], "0"))
    moves = [folder for since, folder in wheel.get("moved", {}).items() if version >= natural(since)]
    return "%s-cu%d" % (wheel["project"], major), [wheel["folder"], *moves][-1]


def used(artifact):
    """The libraries that PyTorch is linked with: without those of a feature that is off. Official ones use more than ours."""
    libraries = artifact.facts["libraries"]
    if artifact.backend.get("prebuilt"):
        return libraries
    return [entry for entry in libraries if entry.get("feature") in {None, *artifact.features}]


def wheel_folders(artifact):
    """For a small wheel, as in the official ones: ("libcublas.so.*", "nvidia/cublas/lib")."""
    if artifact.record.get("style") != "small":
        return []
    return [(file + ".so.*", nvidia_wheel(artifact, entry)[1]) for entry in used(artifact) for file in entry["files"]]


def nvidia_requirement(artifact, library):
    """ "nvidia-cublas-cu12==12.4.5.8": exactly the version that was linked with. Where the machine does not say all of its
    numbers, those that it says: ==12.4.*; CUPTI and NVTX, whose libraries have other numbers, are of the toolkit's
    release. Error: nothing is known."""
    name, (project, _) = library["name"], nvidia_wheel(artifact, library)
    version = artifact.versions.get(name)
    if not version and name in ("cupti", "nvtx"):
        version = artifact.backend["version"]
    if not version:
        raise Failure(
            "which %s the small wheel must require is not known: the toolkit does not say the version of %s"
            % (project, name),
            "take a toolkit with version.json (TSB_CUDA_HOME), or make the large wheel, which has the libraries inside",
        )
    return "%s==%s%s" % (project, version, "" if version.count(".") + 1 >= library["wheel"]["numbers"] else ".*")


def wheel(artifact):
    """What a CUDA wheel requires besides, as the official ones do: NVIDIA's wheels, if it is small, and triton, which
    torch.compile needs. NVTX, which nothing needs any more, is among them for torch/__init__.py: it loads it with all the
    others when a library is not found by its RPATH, and fails without it (_preload_cuda_deps)."""
    requirements, release = [], artifact.record["release"]
    if artifact.record.get("style") == "small":
        requirements = [nvidia_requirement(artifact, entry) for entry in used(artifact)]
    if not release.get("triton"):
        raise Failure(
            "which triton a CUDA wheel of PyTorch %s requires is not known" % release["version"],
            "read it off METADATA of the official wheel and write it as triton into releases/%s/release.json"
            % release["version"],
        )
    return [*requirements, "triton==" + release["triton"]]


def conda_bounds(version, numbers):
    """ ">=12.4.5.8,<13.0a0": below the next version whose first numbers, which change with the ABI, are others."""
    series = version.split(".")[:numbers]
    following = [*series[:-1], str(int(series[-1]) + 1)]
    return ">=%s,<%s.0a0" % (version, ".".join(following))


def conda_driver(artifact):
    """The bound on __cuda, which is the newest CUDA that the driver knows.

    Each driver of a major version runs what any toolkit of that version has compiled (minor-version compatibility;
    conda-forge's cuda-version asks for no more), so the minor version must not be asked for. +PTX asks for none either:
    only a GPU that the list has no code for needs it, and then a driver as new as the toolkit. But code that is
    compressed for size is loaded by the driver of 12.4 and newer ones only: see hooks/resolve.cmake."""
    lowest = major_of(artifact.backend["version"])
    by_size = "-compress-mode=size" in artifact.backend.get("configured", {}).get("compression", [])
    return ">=12.4" if by_size and lowest <= 12 else ">=%d" % lowest


def conda(artifact, packages):
    """Gives NVIDIA's packages in a list of `depends` (names alone) their bounds, from what was linked with; and adds __cuda
    and cuda-version.

    conda-forge has the toolkit's libraries with the versions of the toolkit's own; the SONAME has the first number.
    CUPTI's own version is not always known: its package has the toolkit's."""
    cuda = artifact.backend["version"]
    members = {name: entry["name"] for entry in artifact.facts["libraries"] for name in entry.get("conda", [])}
    members[artifact.facts["packages"]["cuda-toolkit"]["conda_until_11"]] = "cuda"
    depends = ["__cuda " + conda_driver(artifact), "cuda-version " + conda_bounds(cuda, 1)]
    for name in packages:
        if name in members:
            version = artifact.versions.get(members[name]) or cuda
            name += " " + conda_bounds(version, 2 if version.startswith("0.") else 1)  # below 1.0 each minor is an ABI
        depends.append(name)
    return depends
