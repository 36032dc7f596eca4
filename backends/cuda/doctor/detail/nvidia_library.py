# SPDX-License-Identifier: BSD-3-Clause
"""Every cuDNN, cuSPARSELt or NVSHMEM of this machine: in the folder that a setting names, or where pip put it below that (then nowhere
else), in the toolkit's folders, the distribution's, an active conda environment, and where pip puts them."""

import fnmatch
import os
import re

from backends.cuda.doctor.detail.pinned_toolkit import pinned_folders
from backends.cuda.doctor.detail.python_sites import site_folders
from engine.doctor.checks import find, header_version, matching, texts_inside, unusable


def ways(doctor, name, setting):
    """(how, folder, folders of headers, folders of libraries)"""
    home = doctor.setting(setting)
    if home:  # also a folder made by pip install --target
        for folder in home, f"{home}/nvidia/{name}", f"{home}/{name}":
            yield setting, folder, [f"{folder}/include"], [f"{folder}/lib", f"{folder}/lib64"]
        return
    toolkit = doctor.exports.get("TSB_CUDA_TOOLKIT")
    if toolkit:
        libraries = [folder for folder in toolkit["libraries"] if not folder.endswith("/stubs")]
        yield "toolkit", toolkit["home"], toolkit["include"], libraries
    usr, triplet = f"{doctor.root}/usr", doctor.target.get("triplet", "")
    of_usr = [f"{usr}/include", f"{usr}/include/{triplet}"], [f"{usr}/lib/{triplet}", f"{usr}/lib64"]
    yield "distribution", usr, *of_usr
    yield "distribution", f"{usr}/local", [f"{usr}/local/include"], [f"{usr}/local/lib", f"{usr}/local/lib64"]
    conda = os.environ.get("CONDA_PREFIX")
    if conda:
        yield "conda", conda, [f"{conda}/include"], [f"{conda}/lib"]
    for site in [*site_folders(doctor.setting("TSB_PYTHON")), *pinned_folders(doctor)]:
        for folder in f"{site}/nvidia/{name}", f"{site}/{name}":
            yield "pip", folder, [f"{folder}/include"], [f"{folder}/lib"]


def libraries_in(folders, entry):
    """The libraries in the first folder that has some, by the names that programs ask for: libcudnn.so.9, not the linker's
    libcudnn.so nor libcudnn.so.9.1.0. With the archives that are linked with them."""
    for folder in folders:
        names = matching(folder, *(f"{name}.so.*" for name in entry["files"]))
        files = [path for path in dict.fromkeys(names) if re.search(r"\.so\.\d+$", path)]
        if files:
            return files + matching(folder, *entry.get("linked", {}).get("lib", []))
    return []


def same_version(one, other):
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")


def fault(name, how, home, cuda, version, entry, headers, libraries):
    """Why it does not do: its header and library do not belong together, something that PyTorch includes or links is missing, or
    it is made for another major version of CUDA."""
    if how == "pip":
        site = re.sub(rf"/(nvidia/)?{name}$", "", home)
        infos = "\n".join(matching(site, f"nvidia_{name}_cu*-*.dist-info"))
        of_packages = re.findall(rf"/nvidia_{name}_cu(\d+)-", infos)
        if of_packages and cuda not in of_packages:
            return f"it is for CUDA {of_packages[0]}"
    # cuDNN says for which CUDA it is by the library that it opens.
    for library in libraries:
        if "/libcudnn_adv.so" in library:
            opened = texts_inside(library, rb"libcublasLt\.so\.(\d+)")
            if opened and opened[-1] != cuda:
                return f"it is for CUDA {opened[-1]}"
    if not libraries:
        return f"it lacks the library {entry['files'][0]}.so.<version>"
    if version is None:
        return f"it lacks the header {entry['header']}"
    of_library = re.search(r"[0-9][0-9.]*$", os.path.realpath(libraries[0]))
    if of_library and not same_version(version, of_library[0]):
        return f"its header is of {version} and its library of {of_library[0]}"
    names = [os.path.basename(path) for path in (*libraries, *headers)]
    lacking = [
        pattern for group in entry.get("linked", {}).values() for pattern in group if not fnmatch.filter(names, pattern)
    ]
    return f"it lacks {', '.join(lacking)}" if lacking else unusable(home)


def find_libraries(doctor, name, setting):
    """[{found_by, home, version, headers, libraries, fault}]. The version is the header's."""
    entry = next(one for one in doctor.facts("libraries")["libraries"] if one["name"] == name)
    patterns = entry.get("linked", {}).get("include", [entry["files"][0].removeprefix("lib") + "*.h"])
    seen, found = set(), []
    for how, home, includes, folders in ways(doctor, name, setting):
        header = find(includes, entry["header"])
        libraries = libraries_in(folders, entry)
        if not (header or libraries) or (header and os.path.realpath(header) in seen):
            continue
        headers, version = [], None
        if header:
            seen.add(os.path.realpath(header))
            headers = matching(str(header).removesuffix(entry["header"]), *patterns)
            version = header_version(header, *entry["macros"])
        one = {"found_by": how, "home": home, "version": version or "", "headers": headers, "libraries": libraries}
        cuda = doctor.version.split(".")[0]
        found.append(one | {"fault": fault(name, how, home, cuda, version, entry, headers, libraries)})
    return found


def choose_library(doctor, name, setting, major):
    """(the first that is complete and of this major version, in words; those before it, in words, with the reason). An empty
    `major` is any. It is without what changes with the way to it; None when there is none."""
    others = []
    for one in find_libraries(doctor, name, setting):
        words = f"{one['version']} in {one['home']} ({one['found_by']})".removeprefix(" in ")
        if one["fault"]:
            others.append(f"{words}, but {one['fault']}")
        elif major and not one["version"].startswith(f"{major}."):
            others.append(words)
        else:
            return {member: one[member] for member in ("home", "version", "headers", "libraries")}, words, others
    return None, "", others


def pip_install(package, setting):
    """The command for pip, with the setting that names the folder. A folder of its own, since distributions let pip install
    nowhere else (https://peps.python.org/pep-0668), and without what the package requires: that is the toolkit."""
    folder = f"{os.environ.get('HOME', '')}/nvidia-{re.search('cu[0-9]+', package)[0]}"
    return f"python3 -m pip install --no-deps --target {folder} {package}, and set {setting}={folder}"
