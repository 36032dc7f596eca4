# SPDX-License-Identifier: BSD-3-Clause
"""NVTX, the marks for profilers: the toolkit's libnvToolsExt, or its headers of version 3 alone, since CUDA 12.9 has no such
library any more. Exports TSB_CUDA_NVTX: library or headers."""

from engine.doctor.checks import find


def check(doctor):
    toolkit = doctor.exports.get("TSB_CUDA_TOOLKIT")
    if not toolkit:
        return  # the check of the toolkit has said so
    library = find(toolkit["libraries"], "libnvToolsExt.so", "libnvToolsExt.so.1")
    if library:
        doctor.good(f"NVTX: {library}")
        doctor.export("TSB_CUDA_NVTX", "library")
    elif find(toolkit["include"], "nvtx3/nvToolsExt.h"):
        doctor.good("NVTX: the headers nvtx3 replace libnvToolsExt, which CUDA 12.9 removed")
        doctor.export("TSB_CUDA_NVTX", "headers")
    else:
        doctor.problem(
            f"NVTX: neither libnvToolsExt nor the headers nvtx3 are in the toolkit {toolkit['home']}",
            "install them: cuda-nvtx of NVIDIA's repository, nvidia-cuda-dev of Debian's",
        )
