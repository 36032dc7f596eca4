# SPDX-License-Identifier: BSD-3-Clause
"""How new a machine has to be for libraries: the versions of its C and C++ libraries."""

import re


def host_platform(elves):
    """The newest versions that are needed by these files, of which `versions` has the symbols' versions by library, as
    `torchpkg scan` names them: {"glibc": "2.28", "glibcxx": "3.4.26", "cxxabi": "1.3.11"}, without those of which
    nothing is needed."""
    needed = " ".join(version for elf in elves for some in elf.versions.values() for version in some)
    needed = needed.replace("GLIBC_ABI_DT_RELR", "GLIBC_2.36")  # the mark of relative relocations, which has no number
    newest = {}
    for family, *numbers in re.findall(r"\b(GLIBC|GLIBCXX|CXXABI)_(\d+)[.](\d+)(?:[.](\d+))?", needed):
        number = [int(text) for text in numbers if text]
        newest[family.lower()] = max(newest.get(family.lower(), [0]), number)
    return {family: ".".join(map(str, number)) for family, number in newest.items()}
