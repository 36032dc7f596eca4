# SPDX-License-Identifier: BSD-3-Clause
"""Whether ROCm's compiler and rocBLAS know the GPUs that are built for. Exports TSB_ROCM_REFUSED if not."""

import pathlib
import re

from engine.doctor.checks import natural


def known_gpus(device_libraries):
    """Those that ROCm's compiler knows: it has a file for each."""
    files = pathlib.Path(device_libraries).glob("oclc_isa_version_*.bc")
    return sorted((file.stem.replace("oclc_isa_version_", "gfx") for file in files), key=natural)


def gpus_with_kernels(folders):
    """Those that rocBLAS computes on: files for one GPU have its name in theirs, TensileLibrary_lazy_gfx90a.dat,
    Kernels.so-000-gfx90a-xnack+.hsaco."""
    names = (file.name for folder in folders for file in pathlib.Path(folder).glob("*gfx*"))
    return sorted({gpu for name in names for gpu in re.findall("(gfx[0-9a-f]+)[-._:]", name)}, key=natural)


def fault(archs, version, device_libraries, folders, leave):
    """(what is wrong, what to do) with the first GPU for which something is; None. `folders`: those with rocBLAS's kernels;
    `leave`: how to leave a GPU out."""
    known, with_kernels = known_gpus(device_libraries), gpus_with_kernels(folders)
    for arch in archs:
        if arch not in known:
            return f"ROCm {version} does not know {arch}, only {' '.join(known)}", f"{leave}, or take another ROCm"
        if arch not in with_kernels:
            others = " ".join(with_kernels) or "none"
            what = f"rocBLAS has no kernels for {arch} in {', '.join(map(str, folders))}; for others: {others}"
            return what, f"install rocBLAS with kernels for {arch}, or {leave}"
    return None


def check(doctor):
    toolkit = doctor.exports.get("TSB_ROCM_TOOLKIT")
    wish = doctor.setting("TSB_ROCM_ARCHS").replace(";", " ")
    archs = doctor.configured["archs"]
    found = None
    if toolkit:
        lib = pathlib.Path(toolkit["configs"]).parent
        # hipBLASLt knows few GPUs, and PyTorch does without it on others.
        folders = [lib / folder for folder in toolkit["kernels"] if folder.startswith("rocblas/")]
        leave = "remove it from TSB_ROCM_ARCHS" if wish else "set TSB_ROCM_ARCHS to some of these"
        found = fault(archs, doctor.version, toolkit["device_libraries"], folders, leave)
    if found:
        what, remedy = found
        doctor.export("TSB_ROCM_REFUSED", archs)
        doctor.problem(f'TSB_ROCM_ARCHS is "{wish}": {what}' if wish else f"ROCm architectures: {what}", remedy)
    else:
        doctor.good(f"ROCm architectures: {' '.join(archs)}")
