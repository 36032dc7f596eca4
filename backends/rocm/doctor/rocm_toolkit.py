# SPDX-License-Identifier: BSD-3-Clause
"""The ROCm for the backend's version (major and minor must be the same), with all components that PyTorch asks for, of this
version. All that are found are named; of several that fit, the first complete one in the order of find_toolkits() is taken, and
ROCM_PATH decides alone. Exports TSB_ROCM_TOOLKIT, what rocm_toolkits.py describes, without what changes with the way to it."""

import os
import pathlib

from backends.rocm.doctor.detail.rocm_toolkits import find_toolkits
from engine.doctor.checks import toolkit_text


def incomplete(doctor, toolkit):
    """What is wrong with its components, in words: what it lacks, what it has of another ROCm. Each may be empty."""
    facts = doctor.facts("versions")
    expected = facts["components"].get(doctor.version, {})
    missing, other = [], []
    for component in facts["required"]:
        found, wanted = toolkit["components"].get(component), expected.get(component, "")
        if not found:
            missing.append(component)
        elif wanted and found != "unknown" and not f"{found}.".startswith(f"{wanted}."):
            other.append(f"{component} {found} ({wanted})")
    missing += [name for name in facts["required_headers"] if not os.path.exists(f"{toolkit['home']}/include/{name}")]
    lib = pathlib.Path(toolkit["configs"]).parent
    for library in facts["required_kernels"]:
        if not any(folder.startswith(f"{library}/") for folder in toolkit["kernels"]):
            missing.append(f"{lib}/{library}/library")
    of_other = f"has components that are not of ROCm {doctor.version}, whose versions are in brackets: "
    return ", ".join(missing) and f"lacks {', '.join(missing)}", ", ".join(other) and of_other + ", ".join(other)


def mark_incomplete(doctor, toolkit):
    """The toolkit. One of the wanted version that is not complete has this for a fault, unless ROCM_PATH names it: it does not
    hide a complete one behind it."""
    fits = f"{toolkit['version']}.".startswith(f"{doctor.version}.")
    if not fits or toolkit["fault"] or toolkit["found_by"] == "ROCM_PATH":
        return toolkit
    faults = " and ".join(filter(None, incomplete(doctor, toolkit)))
    return toolkit | {"fault": faults and f"it {faults}"}


def say_none(doctor, others):
    found = f"found: {'; '.join(others)}" if others else "and there is none here"
    remedies = [f"install all of ROCm {doctor.version} (https://rocm.docs.amd.com), or name one in ROCM_PATH"]
    if "HIP_CLANG_PATH" in found:
        remedies.append("or set HIP_CLANG_PATH to the absolute path of a folder with ROCm's clang++, or unset it")
    doctor.problem(f"ROCm toolkit: {doctor.version} is needed, {found}", *remedies)


def check(doctor):
    toolkits = find_toolkits(doctor.facts("libraries"), doctor.facts("versions")["required"], doctor.root)
    choice = doctor.choose_toolkit([mark_incomplete(doctor, one) for one in toolkits], "ROCm", "ROCM_PATH")
    if choice and not choice[0]:
        choice = doctor.choose_toolkit(toolkits, "ROCm", "ROCM_PATH")
    if choice is None:
        return
    toolkit, _, others = choice
    if not toolkit:
        say_none(doctor, others)
        return
    lacks, has = incomplete(doctor, toolkit)
    if lacks:
        doctor.problem(
            f"ROCm toolkit: {toolkit_text(toolkit)} {lacks}",
            "install these components of the same ROCm, with their files for CMake",
            "or, where a distribution has them elsewhere, take AMD's packages and name them in ROCM_PATH",
        )
    if has:
        doctor.problem(f"ROCm toolkit: {toolkit_text(toolkit)} {has}", "install all components from one ROCm")
    if not lacks and not has:
        doctor.accept_toolkit("TSB_ROCM_TOOLKIT", choice, "ROCm", "ROCM_PATH")
