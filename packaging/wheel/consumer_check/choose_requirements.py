# SPDX-License-Identifier: BSD-3-Clause
"""Chooses what is installed beside the wheel, from the files of a release (releases/<version>/wheel_check):

    python choose_requirements.py <result> [<folder>]

requirements.txt, and of common.txt what is not in it, if the wheel requires anything; libraries.txt: what it requires by exactly that version, and so
NVIDIA's wheels among the release's pins (../sources.json), where cuda-toolkit stands for those that it does not name.
<result> is for `pip install --require-hashes --no-deps`. Prints what the wheel requires and none of them has. Without
<folder> that is all."""

import importlib.metadata
import json
import os
import re
import sys

from pip._vendor.packaging.requirements import Requirement
from pip._vendor.packaging.utils import canonicalize_name


def pinned(name):
    """The requirements of a file with hashes, one string each; none if it is not there."""
    text = ""
    for folder in sys.argv[2:]:
        if os.path.exists(os.path.join(folder, name)):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                text = re.sub("^#.*\n", "", file.read(), flags=re.MULTILINE)
    return [line for line in text.replace("\\\n", "").splitlines() if line.strip()]


def pinned_libraries():
    """The same of NVIDIA's wheels that the release has as sources."""
    for file in filter(os.path.exists, (folder + "/../sources.json" for folder in sys.argv[2:])):
        with open(file, encoding="utf-8") as stream:
            pins = json.load(stream)["sources"]
        for name in pins:
            if name.startswith("nvidia-") and not name.endswith("-aarch64"):
                wheel = pins[name]["candidates"][0]
                yield "%s==%s --hash=sha256:%s" % (wheel["python-index"]["project"], wheel["version"], wheel["sha256"])


def project(requirement):
    return canonicalize_name(re.match(r"[\w.-]+", requirement)[0])


found = map(Requirement, importlib.metadata.requires("torch") or [])
required = {project(one.name): one for one in found if not one.marker or one.marker.evaluate({"extra": ""})}
chosen = {}
for line in [*pinned("requirements.txt"), *pinned("common.txt")] if required else []:
    chosen.setdefault(project(line), line)
for line in [*pinned("libraries.txt"), *pinned_libraries()]:
    name, version = project(line), line.split()[0].partition("==")[2]
    # The wheel may name the first numbers only (==12.4.*), or write one number with other digits.
    if required[name].specifier.contains(version, prereleases=True) if name in required else "cuda-toolkit" in required:
        chosen.setdefault(name, line)
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.writelines(line + "\n" for line in chosen.values())
print(*[f"{one.name}{one.specifier}" for name, one in required.items() if name not in chosen])
