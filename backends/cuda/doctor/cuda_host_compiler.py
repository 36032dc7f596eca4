# SPDX-License-Identifier: BSD-3-Clause
"""The compiler that nvcc hands C++ to: TSB_CUDA_HOST_COMPILER, or the one that project() will take. Which ones are too new is
read in the toolkit's own crt/host_config.h, whose #error would end each compile otherwise. Adds `host_compiler`, a path, to the
export TSB_CUDA_TOOLKIT, and exports TSB_CUDA_HOST_COMPILER_VERSION ("gcc 12.2.0")."""

import os
import re
import shutil

from engine.doctor.checks import find, output_of


def limits(toolkit):
    """{kind: the greatest major version that nvcc takes}, as far as it says."""
    header = find(toolkit["include"], "crt/host_config.h")
    found = {}
    for line in header.read_text(errors="replace").splitlines() if header else ():
        if re.match(r" *#if .*(__GNUC__ +>|__clang_major__ +>=)", line):
            gcc, clang = re.search(r"__GNUC__ +> +(\d+)", line), re.search(r"__clang_major__ +>= +(\d+)", line)
            if gcc:
                found.setdefault("gcc", int(gcc[1]))
            if clang:
                found.setdefault("clang", int(clang[1]) - 1)
    return found


def look_at(program):
    """(gcc or clang, version); None when it is neither, or does not work."""
    macros = dict(re.findall(r"#define (\w+) (\d+)", output_of(program, "-dM", "-E", "-x", "c++", "/dev/null")))
    if "__clang_major__" in macros:
        return "clang", macros["__clang_major__"]
    names = "__GNUC__", "__GNUC_MINOR__", "__GNUC_PATCHLEVEL__"
    return ("gcc", ".".join(macros[name] for name in names if name in macros)) if names[0] in macros else None


def remedy(doctor, greatest):
    """The newest on this machine that fits, else the newest that the distribution has; the greatest one where apt does not
    know (no lists in a container)."""
    for kind, name in ("gcc", "g++"), ("clang", "clang++"):
        for number in range(greatest.get(kind, 0), 8, -1):
            program = shutil.which(f"{name}-{number}")
            if program:
                return f"set TSB_CUDA_HOST_COMPILER={program}, which is here and fits"
    gcc = greatest.get("gcc", 0)
    candidates = range(gcc, 8, -1) if shutil.which("apt-cache") else ()
    known = (one for one in candidates if re.search(r"Candidate: \d", output_of("apt-cache", "policy", f"g++-{one}")))
    number, package = next(known, gcc), f"gcc-toolset-{gcc}-gcc-c++"
    install = doctor.install(f"g++-{number}", package)
    if package in install:
        return f"{install}, and set TSB_CUDA_HOST_COMPILER to its g++, which 'rpm -ql {package}' lists"
    return f"{install}, and set TSB_CUDA_HOST_COMPILER=g++-{number}"


def check(doctor):
    toolkit = doctor.exports.get("TSB_CUDA_TOOLKIT")
    if not toolkit:
        return  # the check of the toolkit has said so
    asked = doctor.setting("TSB_CUDA_HOST_COMPILER") or doctor.compiler or os.environ.get("CXX")
    names = [asked] if asked else ["c++", "g++", "clang++"]
    program = next(filter(None, map(shutil.which, names)), None)
    if not program:
        doctor.problem(
            f"CUDA host compiler: there is no {' '.join(names)}",
            "set TSB_CUDA_HOST_COMPILER to a C++ compiler that nvcc takes, or unset it",
        )
        return
    found = look_at(program)
    if not found:
        doctor.problem(
            f"CUDA host compiler: {program} is neither gcc nor clang, or does not work",
            "set TSB_CUDA_HOST_COMPILER to one that is",
        )
        return
    kind, version = found
    greatest = limits(toolkit)
    if int(version.split(".")[0]) > greatest.get(kind, 1000):
        doctor.problem(
            f"CUDA host compiler: {program} is {kind} {version}, and nvcc {toolkit['version']} takes {kind} up to "
            f"{greatest[kind]} only",
            remedy(doctor, greatest),
        )
        return
    doctor.good(f"CUDA host compiler: {kind} {version} ({program})")
    doctor.export("TSB_CUDA_HOST_COMPILER_VERSION", f"{kind} {version}")
    doctor.export("TSB_CUDA_TOOLKIT", toolkit | {"host_compiler": program})
