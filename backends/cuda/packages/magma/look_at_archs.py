# SPDX-License-Identifier: BSD-3-Clause
"""Says which of the preset's architectures somebody's MAGMA has no code for, and on which it is translated first.

look_at_archs.py <build folder> <library> <architecture>...       8.0 9.0+PTX
"""

import os
import sys

from backends.cuda import device_code
from engine.build_folder import read_json
from engine.failure import Failure
from engine.folders import natural


def look(library, wanted, machine, intermediate):
    """Lines for the log; those with "notice: " are for the user."""
    if not machine and not intermediate:
        what = "%s has no code for any GPU" % library
        raise Failure(what, "name a MAGMA made for CUDA with TSB_LOCAL_magma, or unset it: MAGMA is built from source")
    has = "this MAGMA has code for " + " ".join(sorted(machine, key=natural))
    if intermediate:
        has += ", intermediate for " + " ".join(sorted(intermediate, key=natural))
    lacking = [arch for arch in wanted if arch not in machine]
    translated = [arch for arch in lacking if any(natural(older) <= natural(arch) for older in intermediate)]
    absent = [arch for arch in lacking if arch not in translated]
    lines = ["-- " + has]
    if translated:
        when = "the driver translates that for %s when it is first used" % " ".join(translated)
        lines.append("notice: %s; %s" % (has, when))
    if absent:
        lines.append("notice: %s; it does not run on %s, which the preset asks for" % (has, " ".join(absent)))
    return lines


def main(build_folder, library, *archs):
    wanted = [arch.removesuffix("+PTX") for arch in archs]
    torchpkg = read_json(os.path.join(build_folder, "settings.json"))["torchpkg"]
    lines = look(library, wanted, *device_code.code_archs(torchpkg, library))
    print("\n".join(lines), file=sys.stderr)
