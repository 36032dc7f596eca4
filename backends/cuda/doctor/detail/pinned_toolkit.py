# SPDX-License-Identifier: BSD-3-Clause
"""The toolkit that a release pins: wheels of the Python index (docs/cuda.md). provided_toolkit.py unpacks them into one folder
below build/, which is looked at last."""

import hashlib
import re

from backends.cuda.doctor.detail.toolkits import find_toolkits
from engine.doctor.checks import PROJECT


def pins_of_toolkit(doctor):
    """The release's pins of what the toolkit is made of with cuDNN, cuSPARSELt and NVSHMEM; none where the release has no toolkit
    for this processor. NCCL is compiled."""
    if "toolkit" not in doctor.of_release or doctor.processor != "x86_64":
        return {}
    pins = doctor.data.merged(doctor.release, "sources.json")["sources"]
    wanted = re.compile(r"(nvidia|cuda-toolkit)-(?!nccl$)(?!.*-aarch64$)")
    return {name: pin for name, pin in pins.items() if wanted.match(name)}


def pinned_folders(doctor):
    """Its folder, in which the wheels lie as in a site-packages, whether it is there or not. With other pins it is another one."""
    pins = pins_of_toolkit(doctor)
    if not pins:
        return []
    hashes = "".join(sorted(pin["candidates"][0]["sha256"] for pin in pins.values()))
    key = hashlib.sha256(hashes.encode()).hexdigest()[:8]
    return [f"{doctor.root}{PROJECT}/build/cuda-{doctor.version}-{key}"]


def choose_toolkit(doctor):
    """What Doctor.choose_toolkit chooses of all."""
    cuda_folder, home = doctor.target.get("cuda_folder", ""), doctor.setting("TSB_CUDA_HOME")
    python = doctor.setting("TSB_PYTHON")
    pinned = pinned_folders(doctor)
    toolkits = find_toolkits(doctor.facts("libraries"), cuda_folder, doctor.root, home, python, pinned)
    return doctor.choose_toolkit(toolkits, "CUDA", "TSB_CUDA_HOME")
