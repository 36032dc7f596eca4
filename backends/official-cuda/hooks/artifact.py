# SPDX-License-Identifier: BSD-3-Clause
"""What artifacts out of the official wheel have in another way than those that are built for CUDA."""

from backends.cuda.hooks import artifact as cuda
from engine.build_folder import read_json
from engine.failure import Failure
from engine.folders import natural

wheel_folders, conda = cuda.wheel_folders, cuda.conda


def versions(artifact):
    """That of the wheel of each of NVIDIA's libraries, as the pins say: not each artifact has them inside."""
    pins = read_json(artifact.package("pytorch")["pins"])["sources"]
    wheels = {library["name"]: pins.get(library["wheel"]["project"]) for library in artifact.facts["libraries"]}
    return {name: pin["candidates"][0]["version"] for name, pin in wheels.items() if pin}


def headers(artifact):
    """A wheel has upstream's licence texts, and those of NVIDIA come with its wheels."""
    return cuda.headers(artifact) if "cuda-toolkit" in artifact.library_folders else {}


def manifest(artifact, root):
    """Version of the toolkit, architectures, versions. What upstream's libraries have beside the release's architectures is
    read in those of the tree: single sources are compiled for more, some libraries for fewer, and a slice has what is
    left."""
    archs, found = artifact.backend["configured"]["archs"], set()
    for library in sorted(root.glob("lib/libtorch_*.so")):
        if library.name != "libtorch_cpu.so":
            machine, intermediate = cuda.device_code.code_archs(artifact.settings["torchpkg"], library)
            found |= machine | {arch + "+PTX" for arch in intermediate}
    lacking = [arch for arch in archs if arch not in found]
    if lacking and "slice" not in artifact.record:
        raise Failure(
            "the official libraries have no code for %s, which release.json of the release names" % ", ".join(lacking),
            "import the release again: tools/import_official/import_official.py",
        )
    return {
        "version": artifact.backend["version"],
        "archs": archs,
        "other_code": [{"from": "upstream", "archs": sorted(found, key=natural)}],
        "versions": artifact.versions,
    }
