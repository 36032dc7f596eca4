# SPDX-License-Identifier: BSD-3-Clause
"""The licence texts of NVIDIA's libraries that artifacts have inside, and of the toolkit, whose headers are compiled into all of
them: without a text nothing is packed, and that would be known after hours of compiling."""

import pathlib

from backends.cuda.doctor.detail.licence_of_nvidia import remedy, text_of
from engine.doctor.checks import matching


def libraries(doctor, inside):
    """(library, folder of what it belongs to, whether that is the toolkit)"""
    toolkit = doctor.exports.get("TSB_CUDA_TOOLKIT")
    if toolkit:
        found = [file for folder in toolkit["libraries"] for file in matching(folder, "libcudart.so.[0-9]*")]
        yield from [(file, toolkit["home"], True) for file in found[:1]]
    for name in ("TSB_CUDNN", "TSB_CUSPARSELT", "TSB_NVSHMEM") if inside else ():
        package = doctor.exports.get(name)
        if package:
            yield package["libraries"][0], package["home"], False


def check(doctor):
    if doctor.setting("TSB_PACKAGES"):
        return  # they alone are built; nothing is packed
    names = doctor.setting("TSB_ARTIFACTS").split(";")
    inside = any(name == "all" or name.endswith(("-with-deps", "-large")) for name in names)
    for library, home, in_toolkit in libraries(doctor, inside):
        name = pathlib.Path(library).name
        if not text_of(library, name, home, in_toolkit):
            doctor.problem(f"licence: the text of {name} ({library}) is not on this machine", remedy(home))
