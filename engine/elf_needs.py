# SPDX-License-Identifier: BSD-3-Clause
"""What the ELF files of a tree need of their host. Needs pyelftools."""

import dataclasses
import os
import pathlib

from elftools.elf.dynamic import DynamicSegment
from elftools.elf.elffile import ELFFile

# What code for GPUs is, which no loader of the host's reads.
DEVICES = ("EM_AMDGPU", "EM_CUDA")


@dataclasses.dataclass
class ElfNeeds:
    path: str  # below the tree
    machine: str  # "EM_X86_64"
    soname: str
    libraries: list  # of DT_NEEDED
    versions: list  # of (library, symbol version)


def files_in(root):
    """All files and links below the folder, as paths relative to it, in order of their names."""
    found = []
    for folder, folders, names in os.walk(root):
        links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
        found += [os.path.relpath(os.path.join(folder, name), root) for name in names + links]
    return sorted(found, key=os.fsencode)


def needs_of(path, stream):
    """ElfNeeds of one ELF file, None for a static one."""
    elf = ELFFile(stream)
    dynamic = next((part for part in elf.iter_segments() if isinstance(part, DynamicSegment)), None)
    if elf["e_machine"] in DEVICES or not dynamic:
        return None
    tags = list(dynamic.iter_tags())
    soname = next((tag.soname for tag in tags if tag.entry.d_tag == "DT_SONAME"), "")
    libraries = [tag.needed for tag in tags if tag.entry.d_tag == "DT_NEEDED"]
    section = elf.get_section_by_name(".gnu.version_r")
    versions = (
        [(need.name, version.name) for need, rest in section.iter_versions() for version in rest] if section else []
    )
    return ElfNeeds(path, elf["e_machine"], soname, libraries, versions)


def elf_needs(root):
    """ElfNeeds of each dynamic ELF file below the folder."""
    found = []
    for path in files_in(root):
        file = pathlib.Path(root, path)
        if file.is_symlink():
            continue
        with open(file, "rb") as stream:
            if stream.read(4) == b"\x7fELF":
                found.append(needs_of(path, stream))
    return [needs for needs in found if needs]
