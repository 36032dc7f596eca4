# SPDX-License-Identifier: BSD-3-Clause
"""The CUDA toolkit for the backend's version (major and minor must be the same). All that are found are named; of several
that fit, the first in the order of find_toolkits() is taken, and TSB_CUDA_HOME decides alone. Exports TSB_CUDA_TOOLKIT, what
toolkits.py describes, without what changes with the way to it."""

import re

from backends.cuda.doctor.detail.pinned_toolkit import choose_toolkit, pins_of_toolkit
from engine.doctor.checks import find, matching, output_of, toolkit_text

# Headers and libraries of it that packages need, beyond what compiles anything.
NEEDS = {
    "magma": "cublas_v2.h cusparse.h cublas cusparse",
    "pytorch": "cublas_v2.h cufft.h curand.h cusolverDn.h cusparse.h nvrtc.h thrust/version.h cub/version.cuh "
    "cublas cublasLt cufft curand cusolver cusparse nvrtc",
}


def install(doctor):
    """How to install this CUDA here."""
    name = "cuda-toolkit-" + doctor.version.replace(".", "-")
    policy = output_of("apt-cache", "policy", "nvidia-cuda-toolkit")
    candidate = re.search(r"Candidate: (\d+\.\d+)", policy)
    if candidate and candidate[1] == doctor.version:
        if re.search(r"Installed: \d", policy):  # it is there, and not whole
            return "apt-get install --reinstall nvidia-cuda-toolkit nvidia-cuda-dev"
        return "apt-get install nvidia-cuda-toolkit"
    return f"{doctor.install(name, name)} (of NVIDIA's repository)"


def needs(doctor):
    """The names of what is needed of it, also of libraries that features alone use: cuFile."""
    for package, names in NEEDS.items():
        yield from names.split() if doctor.builds(package) else ()
    for library in doctor.facts("libraries")["libraries"]:
        if library["package"] == "cuda-toolkit" and library.get("feature") in doctor.features:
            name = library["files"][0].removeprefix("lib")
            yield from (f"{name}.h", name)


def lacks(toolkit, names):
    """The headers among these names, and then the libraries, that it does not have."""
    includes = [folder + more for more in ("", "/cccl") for folder in toolkit["include"]]  # cccl/ since CUDA 13.0
    folders = [folder for folder in toolkit["libraries"] if not folder.endswith("/stubs")]
    names = dict.fromkeys(names)
    lacking = [name for name in names if "." in name and not find(includes, name)]
    libraries = [f"lib{name}.so" for name in names if "." not in name]
    return lacking + [name for name in libraries if not any(matching(folder, f"{name}*") for folder in folders)]


def say_none(doctor, others):
    found = f"found: {'; '.join(others)}" if others else "and there is no toolkit here"
    remedies = [f"{install(doctor)}, or name one in TSB_CUDA_HOME"]
    if pins_of_toolkit(doctor):
        command = f"./bootstrap.sh --install-only {doctor.setting('TSB_PRESET') or '<preset>'}"
        remedies.insert(0, f"{command} takes {doctor.of_release['toolkit']} from the Python index")
    # A backend of what is there, with the release that its presets have.
    backends, ranks = {}, {}
    for version in doctor.data.names("releases"):
        release = doctor.data.release(version)
        for backend in doctor.data.backends(release):
            name, rank = backend["name"], doctor.data.rank(release, backend)
            if not backend.get("artifacts") and (name not in ranks or rank < ranks[name]):
                backends[name], ranks[name] = version, rank
    for major, minor in re.findall(r"(\d+)\.(\d+)[0-9.]* in ", "; ".join(others)):
        name = f"cu{major}{minor}"
        if f"{major}.{minor}" != doctor.version and name in backends:
            remedies.append(f"or take the preset {name}-..., which is for PyTorch {backends[name]}")
    doctor.problem(f"CUDA toolkit: {doctor.version} is needed, {found}", *remedies)


def check(doctor):
    choice = choose_toolkit(doctor)
    if choice is None:
        return
    toolkit, _, others = choice
    lacking = toolkit and lacks(toolkit, needs(doctor))
    if not toolkit:
        say_none(doctor, others)
    elif lacking:
        doctor.problem(
            f"CUDA toolkit: {toolkit_text(toolkit)} lacks {', '.join(lacking)}",
            "install all of the toolkit, not the compiler alone (Debian: nvidia-cuda-toolkit and nvidia-cuda-dev)",
        )
    else:
        doctor.accept_toolkit("TSB_CUDA_TOOLKIT", choice, "CUDA", "TSB_CUDA_HOME")
