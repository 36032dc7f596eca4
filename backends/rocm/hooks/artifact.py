# SPDX-License-Identifier: BSD-3-Clause
"""What artifacts for ROCm have: its libraries, their licences and data, the manifest's member `rocm`."""

import pathlib
import re

from engine.failure import Failure
from engine.folders import natural


def versions(artifact):
    """Those of the components, and of ROCm itself."""
    toolkit = artifact.machine("rocm-toolkit")
    return {**toolkit["components"], "rocm-core": toolkit["version"]}


def manifest(artifact, root):
    """Version of the toolkit, GPUs, versions of the components."""
    backend = artifact.backend
    return {"version": backend["version"], "archs": backend["configured"]["archs"], "versions": artifact.versions}


def headers(artifact):
    """What is compiled into libtorch_hip: HIP's headers, whose licence is the runtime's, and libraries that are nothing but
    headers. Those that this ROCm does not have were not used."""
    prefix = artifact.install("rocm-toolkit")
    runtimes = sorted(prefix.glob("lib/libamdhip64.so.[0-9]*"), key=lambda file: natural(file.name))
    if not runtimes:
        raise Failure("package rocm-toolkit has no libamdhip64.so", "see the log of its stage phase")
    found = {entry["name"]: prefix / "include" / entry["folder"] for entry in artifact.facts["headers"]}
    return {"rocm-toolkit": runtimes[0], **{name: folder for name, folder in found.items() if folder.exists()}}


def license(artifact, package, library, soname):
    """AMD's packages put the text into share/doc/<component>, or into that of another component (`documented` in
    libraries.json), comgr's until ROCm 6 one folder deeper; a distribution's into share/doc/<package>, which is called
    after the SONAME: librocblas5, libamdhip64-7, libamd-comgr3. What has headers alone comes without a SONAME, by its
    name in libraries.json: composable_kernel's folders are composablekernel and libcomposable-kernel-dev. Error: there is
    none; nothing may be passed on without it."""
    doc = pathlib.Path(artifact.machine(package)["home"], "share/doc")
    base = soname.lower().replace("_", "-")
    of_library = re.match(r"(.*)\.so\.(\d+)", base)
    if of_library:
        known = artifact.library(soname)
        name, folders = known["name"], known.get("documented", [])
        packages = ["%s%s" % of_library.groups(), "%s-%s" % of_library.groups()]
    else:
        name, folders, packages = soname.replace("_", ""), [], ["lib%s-dev" % base]
    patterns = [folder + "/LICENSE*" for folder in (*folders, name, name + "-*", name + "/*")]
    patterns += [package + "/copyright" for package in packages]
    text = next((file for pattern in patterns for file in sorted(doc.glob(pattern))), None)
    if not text:
        raise Failure(
            "the licence text of %s (%s) is not on this machine" % (soname, library),
            "install ROCm's packages with their documentation, or put it there: %s/%s/LICENSE" % (doc, name),
        )
    return text


def data(artifact):
    """The kernels that rocBLAS and hipBLASLt load, MIOpen's tables and RCCL's algorithms: each library looks for them
    relative to itself, and they keep their places. A file for one GPU, which its name says, is taken if the preset has
    that GPU. The doctor has seen to it that rocBLAS has kernels for each of them."""
    toolkit = artifact.machine("rocm-toolkit")
    home, lib = pathlib.Path(toolkit["home"]), pathlib.Path(toolkit["configs"]).parent
    folders = {home / folder: folder for folder in ("share/miopen/db", "share/rccl/msccl-algorithms")}
    folders.update({lib / folder: "lib/" + folder for folder in toolkit["kernels"]})
    archs = artifact.backend["configured"]["archs"]
    return [
        (file, place)
        for folder, place in folders.items()
        for file in sorted(folder.glob("*"))
        # gfx90a68.db is MIOpen's.
        if not re.search("gfx[0-9]", file.name) or any(arch in file.name for arch in archs)
    ]
