# SPDX-License-Identifier: BSD-3-Clause
"""For which GPUs a library has code."""

import json
import re
import subprocess

from engine.failure import Failure


def code_archs(torchpkg, library):
    """The architectures for which a library or an archive has machine code, and those of intermediate code: "9.0a"."""
    done = subprocess.run([torchpkg, "scan", "--device-code", str(library)], stdout=subprocess.PIPE)
    if done.returncode:
        raise Failure("the code for GPUs in %s cannot be read" % library, "see the message above")
    found = {"sm": set(), "compute": set()}
    code = json.loads(done.stdout)["files"][0].get("device_code", {"groups": []})  # without code there is no member
    for group in code["groups"]:
        for target in group["targets"]:
            known = re.fullmatch(r"(sm|compute)_(\d+)(\d[af]?)", target)
            if known:
                found[known[1]].add("%s.%s" % (known[2], known[3]))
    return found["sm"], found["compute"]
