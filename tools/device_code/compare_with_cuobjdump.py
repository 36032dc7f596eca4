# SPDX-License-Identifier: BSD-3-Clause
"""Compares what torchpkg reads of device code with what NVIDIA's cuobjdump lists, file by file.

    python3 compare_with_cuobjdump.py TORCHPKG CUOBJDUMP FILE...

Compared is how many cubins and PTX texts there are of each architecture. cuobjdump (12.4 to 13.2) writes the f of a
family's architecture for PTX only; for cubins it is left out on both sides. Exits with 1 when a file differs.
"""

import collections
import json
import re
import subprocess
import sys


def listed(cuobjdump, path):
    """What cuobjdump lists; `-all`: also the code that was linked on the device."""
    found = collections.Counter()
    for option, prefix in (("-lelf", "sm_"), ("-lptx", "compute_")):
        run = subprocess.run([cuobjdump, "-all", option, path], capture_output=True, text=True, check=False)
        if run.returncode != 0 and "does not contain device code" not in run.stdout + run.stderr:
            raise SystemExit(f"{cuobjdump} {option} {path}: {run.stdout[-300:]}{run.stderr[-300:]}")
        for line in run.stdout.splitlines():
            name = re.search(r"\.(?:sm|compute)_(\d+[af]?)\.(?:cubin|ptx)$", line)
            if name:
                arch = name.group(1)
                # Some cubins of cuBLAS have the bit in their ELF flags that means sm_90a from 9.0 on.
                if int(arch.rstrip("af")) < 90:
                    arch = arch.rstrip("af")
                found[prefix + arch] += 1
    return found


def read(torchpkg, path):
    text = subprocess.run([torchpkg, "inspect", "--json", path], capture_output=True, text=True, check=True).stdout
    code = json.loads(text).get("device_code", {})
    if code.get("problem"):
        print(f"{path}: {code['problem']}")
    found = collections.Counter()
    for name, count in code.get("entries", {}).items():
        if name.startswith(("sm_", "compute_")):
            found[name.removesuffix("f") if name.startswith("sm_") else name] += count
    return found


def main():
    torchpkg, cuobjdump, *files = sys.argv[1:]
    different = 0
    for path in files:
        theirs, ours = listed(cuobjdump, path), read(torchpkg, path)
        same = theirs == ours
        different += not same
        shown = " ".join(f"{name}:{count}" for name, count in sorted(ours.items()))
        print(f"{'same' if same else 'DIFFERENT'} {path.rsplit('/', 1)[-1]}: {shown or 'none'}", flush=True)
        if not same:
            print("    cuobjdump: " + " ".join(f"{name}:{count}" for name, count in sorted(theirs.items())))
    print(f"{len(files)} files, {different} different")
    return 1 if different else 0


sys.exit(main())
