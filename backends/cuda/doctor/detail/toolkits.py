# SPDX-License-Identifier: BSD-3-Clause
"""Every CUDA toolkit of this machine, however it is laid out, in the places and the order of docs/cuda.md.

A toolkit has these members:

found_by            the first way to it: TSB_CUDA_HOME, PATH, /usr/local ...
layout              standard: all below one folder; distribution: split over /usr, also below another root; conda: in targets/
                    of an environment; pip: in nvidia/ of a site-packages
home, programs, include, libraries
                    the folder that it all lies below; the folders of its parts. `libraries` has static, shared and stub ones
version, nvcc       nvcc's, such as 12.4.131; the program itself, not a script that starts it. Empty where there is none
fault               why nothing can be compiled with it. Empty when it is complete
nvvm                cicc, a program; libdevice, a folder
library_versions    {name in libraries.json: version}, as far as they can be read
"""

import json
import os
import pathlib
import re

from backends.cuda.doctor.detail.python_sites import site_folders
from engine.doctor.checks import existing, find, header_version, matching, natural, output_of, texts_inside

RELEASE = rb"Cuda compilation tools, release [0-9.]*, V([0-9.]*)"
TOOLS = "ptxas", "fatbinary", "cudafe++", "nvlink", "bin2c"


def newest_first(folder, pattern):
    """What fits a pattern, the highest version first."""
    return sorted(matching(folder, pattern), key=natural, reverse=True)


def real_nvcc(nvcc):
    """The program that an nvcc really is, or None. nvcc looks for its parts by the profile beside it, so that is what the
    real one is known by; others are scripts or a compiler cache that start it."""
    nvcc = os.path.abspath(nvcc)
    if not os.path.isfile(nvcc):
        return None
    home = os.path.dirname(os.path.dirname(nvcc))
    for candidate in os.path.realpath(nvcc), f"{home}/lib/nvidia-cuda-toolkit/bin/nvcc":
        # In an unpacked package the profile is a link to a file of /etc, which need not be there.
        if os.path.exists(candidate) and os.path.lexists(os.path.join(os.path.dirname(candidate), "nvcc.profile")):
            return pathlib.Path(os.path.realpath(candidate))
    top = re.search(r"#\$ TOP=(.+)", output_of(nvcc, "--dryrun", "-x", "cu", "/dev/null"))
    real = os.path.realpath(f"{top[1]}/bin/nvcc") if top else ""
    return pathlib.Path(real) if os.path.exists(f"{real}.profile") else None


def release_inside(file):
    """The version that a file has inside, such as cicc, which does not say it; empty without one."""
    return (texts_inside(file, RELEASE) or [""])[0]


def of_cudart(number):
    """ "12.4" of CUDART_VERSION, 12040."""
    return f"{int(number) // 1000}.{int(number) % 1000 // 10}" if number else ""


def library_version(entry, stated, wheels, includes, libraries):
    """The version of a library, from the first of these that has it: version.json of NVIDIA's installers; that of the wheel that
    pip installed; the name of the shared library's file, libcublas.so.12.4.5.8; for NVRTC its own text; the header."""
    by_installer = stated.get(entry["installer"])
    if isinstance(by_installer, dict) and by_installer.get("version"):
        return by_installer["version"]
    for folder in wheels:
        return folder.removesuffix(".dist-info").rpartition("-")[2]
    stem = entry["files"][0]
    for folder in libraries:
        file = next(filter(os.path.exists, [f"{folder}/{stem}.so", *matching(folder, f"{stem}.so.*")]), "")
        in_name = re.search(r"\.so\.(\d+(\.\d+)+)$", os.path.realpath(file))
        if in_name and entry["name"] != "cupti":  # its file is named by its year
            return in_name[1]
        inside = release_inside(file) if entry["name"] == "nvrtc" else ""
        if inside:
            return inside
    for folder in includes if entry.get("header") else ():
        version = header_version(pathlib.Path(folder, entry["header"]), *entry["macros"])
        if version:
            return of_cudart(version) if entry["macros"] == ["CUDART_VERSION"] else version
    return ""


def library_versions(facts, home, includes, libraries):
    try:
        stated = json.loads(pathlib.Path(home, "version.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        stated = {}
    stated = stated if isinstance(stated, dict) else {}
    entries = [one for one in facts["libraries"] if one["package"] == "cuda-toolkit" and one.get("installer")]
    site = pathlib.Path(home).parents[1] if re.search(r"/nvidia/cu\d+$", str(home)) else ""
    found = {}
    for entry in entries:
        infos = matching(site, entry["wheel"]["project"].replace("-", "_") + "-*.dist-info") if site else []
        found[entry["name"]] = library_version(entry, stated, infos, includes, libraries)
    return {name: version for name, version in found.items() if version}


def tool_faults(version, cicc, includes, programs):
    """What is missing or belongs to another version. nvcc takes what it does not find beside itself from the PATH, whatever
    version that is."""
    release = ".".join(version.split(".")[:2])
    for name in TOOLS:
        tool = find(programs, name)
        if not tool:
            yield f"it lacks {name}"
            continue
        of_tool = re.search(r"V(\d+\.\d+[0-9.]*)", output_of(str(tool), "--version"))
        if not of_tool:
            yield f"its {name} ({tool}) does not run"
        elif not (of_tool[1] + ".").startswith(release + "."):
            yield f"its {name} ({tool}) is V{of_tool[1]}"
    of_cicc = release_inside(cicc)
    if of_cicc and not (of_cicc + ".").startswith(release + "."):
        yield f"its cicc ({cicc}) is V{of_cicc}"
    header = find(includes, "cuda_runtime_api.h")
    of_header = of_cudart(header_version(header, "CUDART_VERSION")) if header else ""
    if of_header and of_header != release:
        yield f"its header {header} is {of_header}"


def faults(toolkit):
    """What it lacks to compile anything."""
    nvvm, includes = toolkit["nvvm"], toolkit["include"]
    if not toolkit["version"]:
        yield "its nvcc does not run"
    for file in nvvm["cicc"], f"{nvvm['libdevice']}/libdevice.10.bc":
        if not os.path.exists(file):
            yield f"it lacks {file}"
    if toolkit["version"]:
        yield from tool_faults(toolkit["version"], nvvm["cicc"], includes, toolkit["programs"])
    for header in "cuda_runtime.h", "crt/host_config.h":
        if not find(includes, header):
            yield f"it lacks the header {header}"
    if not find(toolkit["libraries"], "libcudart_static.a", "libcudart.so"):
        yield "it lacks the library cudart"


def describe(nvcc, facts, cuda_folder):
    """The toolkit that this real nvcc belongs to. `cuda_folder`: the target's, in targets/ of a toolkit."""
    home = nvcc.parent.parent
    targets = home / "targets" / cuda_folder
    programs, nvvm = [nvcc.parent], {"cicc": f"{home}/nvvm/bin/cicc", "libdevice": f"{home}/nvvm/libdevice"}
    if str(home).endswith("/lib/nvidia-cuda-toolkit"):
        layout, nvvm = "distribution", {"cicc": str(nvcc.with_name("cicc")), "libdevice": f"{home}/libdevice"}
        home = home.parent.parent
        programs.append(home / "bin")
        includes = [home / "include"]
        libraries = sorted({os.path.dirname(path) for path in matching(home, "lib/*/libcudart*")})
        libraries += [f"{folder}/stubs" for folder in libraries]
    elif find([targets / "include"], "cuda_runtime.h") and not find([home / "include"], "cuda_runtime.h"):
        layout = "conda"
        includes, libraries = [targets / "include"], [targets / "lib", targets / "lib/stubs", home / "nvvm/lib64"]
    else:
        layout = "pip" if re.search(r"/nvidia/cu\d+$", str(home)) else "standard"
        includes = [home / "include", home / "extras/CUPTI/include", home / "nvvm/include"]
        libraries = ["lib64", "lib", "lib64/stubs", "lib/stubs", "extras/CUPTI/lib64", "nvvm/lib64"]
        libraries = [home / folder for folder in libraries]
    version = re.search(r"release [0-9.]+, V(\d+\.[0-9.]+)", output_of(str(nvcc), "--version"))
    toolkit = {
        "layout": layout,
        "home": str(home),
        "programs": existing(programs),
        "include": existing(includes),
        "libraries": existing(libraries),
        "version": version[1] if version else "",
        "nvcc": str(nvcc),
        "nvvm": nvvm,
    }
    toolkit["fault"] = ", ".join(faults(toolkit))
    toolkit["library_versions"] = library_versions(facts, home, toolkit["include"], toolkit["libraries"])
    return toolkit


def describe_pip_without_nvcc(site, facts):
    """The packages of CUDA 11 and 12 that pip lays out, one folder for each. None of them has nvcc, so this is never a
    toolkit to build with; it is described to be named."""
    nvidia = pathlib.Path(site, "nvidia")
    includes, libraries = (matching(nvidia, f"*/{name}") for name in ("include", "lib"))
    infos = " ".join(matching(site, "nvidia_cuda_nvcc_cu1?-*") + matching(site, "nvidia_cuda_runtime_cu1?-*"))
    version = re.search(r"_cu1\d-([0-9.]+)\.dist-info", infos)
    return {
        "layout": "pip",
        "home": str(nvidia),
        "programs": existing([nvidia / "cuda_nvcc/bin"]),
        "include": includes,
        "libraries": libraries,
        "version": version[1] if version else "",
        "nvcc": "",
        "fault": "the packages of CUDA 11 and 12 for pip have no nvcc",
        "nvvm": {"cicc": "", "libdevice": f"{nvidia}/cuda_nvcc/nvvm/libdevice"},
        "library_versions": library_versions(facts, nvidia, includes, libraries),
    }


def ways(root, cuda_home, python, pinned):
    """(way, folder or nvcc), in their order."""
    found = [("TSB_CUDA_HOME", cuda_home)] if cuda_home else []
    found += [(name, os.environ[name]) for name in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(name)]
    on_path = (f"{folder}/nvcc" for folder in os.environ.get("PATH", "").split(":"))
    found += [("PATH", nvcc) for nvcc in on_path if os.path.exists(nvcc)]
    found.append(("/usr/local", f"{root}/usr/local/cuda"))
    found += [("/usr/local", folder) for folder in newest_first(f"{root}/usr/local", "cuda-*")]
    found += [("/opt", folder) for folder in newest_first(f"{root}/opt", "cuda*")]
    found.append(("distribution", f"{root}/usr"))
    if os.environ.get("CONDA_PREFIX"):
        found.append(("conda", os.environ["CONDA_PREFIX"]))
    for site in [*site_folders(python), *pinned]:
        found += [("pip", folder) for folder in newest_first(f"{site}/nvidia", "cu[0-9]*")]
        if os.path.exists(f"{site}/nvidia/cuda_nvcc") or os.path.exists(f"{site}/nvidia/cuda_runtime"):
            found.append(("pip", site))
    return found


def find_toolkits(facts, cuda_folder, root="", cuda_home="", python="", pinned=()):
    """All toolkits. One that is reached in two ways counts once, as found by the first. A folder that `cuda_home` names and
    that has no nvcc is among them, with a fault. `facts`: libraries.json; `root` stands for /; `python`: TSB_PYTHON; `pinned`:
    pinned_toolkit.py."""
    toolkits, seen = [], set()
    for way, place in ways(root, cuda_home, python, pinned):
        place = os.path.abspath(place)
        candidates = [place]
        if os.path.isdir(place):
            # The last: Debian's /usr/lib/cuda is a folder of links for programs that expect the standard layout.
            names = "bin/nvcc", "lib/nvidia-cuda-toolkit/bin/nvcc", "../nvidia-cuda-toolkit/bin/nvcc"
            candidates = [f"{place}/{name}" for name in names]
        nvcc = next(filter(None, map(real_nvcc, candidates)), None)
        key = str(nvcc or os.path.realpath(place))
        if key in seen:
            continue
        seen.add(key)
        if nvcc:
            toolkit = describe(nvcc, facts, cuda_folder)
        elif way == "pip" and not re.search(r"/nvidia/cu\d+$", place):
            toolkit = describe_pip_without_nvcc(place, facts)
        elif way == "TSB_CUDA_HOME":
            toolkit = {"layout": "", "version": "", "nvcc": "", "home": place, "fault": "there is no nvcc in it"}
        else:
            continue
        toolkits.append(toolkit | {"found_by": way})
    return toolkits
