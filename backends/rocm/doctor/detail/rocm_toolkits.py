# SPDX-License-Identifier: BSD-3-Clause
"""Every ROCm of this machine, however it is laid out, in the order of docs/rocm.md: ROCM_PATH of the environment, /opt/rocm,
/opt/rocm-* (the highest version first), the distribution's (/usr).

A toolkit has these members:

found_by            the first way to it: ROCM_PATH, /opt or distribution
layout              standard: all below one folder; distribution: spread over the folders that it shares with others
home, version       the folder that it all lies below; that of include/rocm-core/rocm_version.h, such as 6.2.4
hipcc               the compiler's driver
clang, device_libraries, configs
                    folders: with the clang that hipcc starts, the device libraries, the components' files for CMake
components          {"rocblas": "4.2.4", ...}, as their files for CMake say it; "unknown" without one
kernels             the folders, relative to the one of the libraries, with kernels that rocBLAS and hipBLASLt load. A
                    distribution has one for each of the library's versions: rocblas/5/library
libraries           files: of its libraries those that an artifact may have inside (libraries.json)
fault               why nothing can be compiled with it. Empty when it is complete; else only home and version are sure to be there
"""

import os
import pathlib
import re

from engine.doctor.checks import header_version, matching, natural

BITCODE = "amdgcn/bitcode/ocml.bc"


def component_versions(known, configs, home):
    """Without what others have in the same folders. A distribution has those that are headers alone in share/."""
    names = "*/*-config.cmake", "*/*Config.cmake"
    files = matching(configs, *names) if configs else []
    found = {}
    for file in map(pathlib.Path, sorted(files + matching(f"{home}/share/cmake", *names))):
        name = re.sub(r"(-config|Config)\.cmake$", "", file.name)
        if name == file.parent.name and name in known:
            texts = (file.with_name(name + end) for end in ("-config-version.cmake", "ConfigVersion.cmake"))
            text = "".join(one.read_text(errors="replace") for one in texts if os.path.isfile(one))
            version = re.search(r'set *\( *PACKAGE_VERSION +"?(\d+(\.\d+)*)', text)
            found[name] = version[1] if version else "unknown"
    return dict(sorted(found.items()))


def clang_of_distribution(home):
    """(clang++, device library), each empty where there is none. hipcc starts the clang that it was made with: of several the
    newest that has device libraries beside it, or the newest where none has. HIP_CLANG_PATH names another."""
    named = os.environ.get("HIP_CLANG_PATH")
    clangs = matching(home, "lib/llvm-*/bin/clang++", "lib64/rocm/llvm/bin/clang++")
    if named:
        clangs = matching(named, "clang++") if os.path.isabs(named) else []
    clangs.sort(key=natural, reverse=True)
    for clang in clangs:
        llvm = pathlib.Path(os.path.realpath(clang)).parent.parent  # /usr/bin may have links
        own = matching(llvm, f"lib/clang/*/{BITCODE}", f"lib/clang/*/lib/{BITCODE}")
        if own:
            return clang, max(own, key=natural)
    common = matching(home, f"lib/*/{BITCODE}", f"lib/clang/*/{BITCODE}", f"lib/clang/*/lib/{BITCODE}")
    return (clangs or [""])[0], max(common, key=natural, default="")


def describe(home, layout, libraries, required):
    """The toolkit in this folder."""
    clang_name = "its clang"
    if layout == "standard":
        clang = min(matching(home, "llvm/bin/clang++", "lib/llvm/bin/clang++"), default="")
        bitcode = min(matching(home, BITCODE, f"lib/llvm/lib/clang/*/lib/{BITCODE}"), default="")
        folders = ["lib"]
        hip = min(matching(home, "lib/cmake/hip"), default="")
    else:
        clang, bitcode = clang_of_distribution(home)
        if os.environ.get("HIP_CLANG_PATH"):
            clang_name = f"clang++ in HIP_CLANG_PATH, which is {os.environ['HIP_CLANG_PATH']}"
        folders = ["lib/*-linux-gnu", "lib64"]
        hip = min(matching(home, "lib/*/cmake/hip", "lib64/cmake/hip", "lib/cmake/hip"), default="")
    header, hipcc, configs = "include/rocm-core/rocm_version.h", f"{home}/bin/hipcc", os.path.dirname(hip)
    version = header_version(f"{home}/{header}", *(f"ROCM_VERSION_{part}" for part in ("MAJOR", "MINOR", "PATCH")))
    parts = {
        header: version,
        clang_name: clang,
        "the device libraries (ocml.bc)": bitcode,
        "the folder cmake/hip": hip,
        "bin/hipcc": os.path.exists(hipcc),
    }
    lacking = ", ".join(name for name, found in parts.items() if not found)
    lib = pathlib.Path(configs).parent
    kernels = matching(lib, "rocblas/library", "rocblas/[0-9]*/library", "hipblaslt/library") if configs else []
    known = {entry["name"] for entry in libraries["libraries"] + libraries["headers"]} | set(required)
    names = [name for entry in libraries["libraries"] for name in entry["files"]]
    return {
        "layout": layout,
        "home": home,
        "version": version,
        "hipcc": hipcc,
        "clang": os.path.dirname(clang),
        "device_libraries": os.path.dirname(bitcode),
        "configs": configs,
        "components": component_versions(known, configs, home),
        "kernels": sorted(str(pathlib.Path(folder).relative_to(lib)) for folder in kernels),
        "libraries": sorted(set(matching(home, *(f"{folder}/{name}.so*" for folder in folders for name in names)))),
        "fault": f"it lacks {lacking}" if lacking else "",
    }


def find_toolkits(libraries, required, root=""):
    """All toolkits. One that is reached in two ways counts once, as found by the first. A folder that ROCM_PATH names is among
    them in any case, perhaps with a fault; a relative one has a fault, since the doctor and the build would look for it from
    different folders. `libraries`: libraries.json; `required`: further components; `root` stands for /."""
    ways = [("ROCM_PATH", os.environ.get("ROCM_PATH")), ("/opt", f"{root}/opt/rocm")]
    ways += [("/opt", folder) for folder in sorted(matching(f"{root}/opt", "rocm-*"), key=natural, reverse=True)]
    ways.append(("distribution", f"{root}/usr"))
    toolkits, seen = [], set()
    for way, folder in ways:
        real = os.path.realpath(folder or "")
        there = folder and any(os.path.exists(f"{folder}/{name}") for name in ("bin/hipcc", "include/rocm-core"))
        if not folder or real in seen or not there and way != "ROCM_PATH":
            continue
        if os.path.isabs(folder) and ";" not in folder:
            seen.add(real)
            layout = "distribution" if real == os.path.realpath(f"{root}/usr") else "standard"
            toolkit = describe(os.path.abspath(folder), layout, libraries, required)
        else:
            toolkit = {"home": folder, "version": "", "fault": "it is not the absolute path of one folder"}
        toolkits.append(toolkit | {"found_by": way})
    return toolkits
