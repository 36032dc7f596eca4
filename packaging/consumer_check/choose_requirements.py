# SPDX-License-Identifier: BSD-3-Clause
"""Chooses what is installed beside the wheel, from the files of a release (releases/<version>/wheel_check):

    python choose_requirements.py <result> [<folder>]

requirements.txt, if the wheel requires anything; libraries.txt: what it requires by exactly that version, and so NVIDIA's
wheels among the release's pins, where cuda-toolkit and cuda-bindings stand for those that it does not name. If something is
still missing, what releases have in common (backends/*/wheel_check.txt). <result> is for `pip install --require-hashes
--no-deps`. Prints what the wheel requires and none of them has. Without <folder> that is all."""

import importlib.metadata
import os
import re
import sys

from pip._vendor.packaging.requirements import Requirement
from pip._vendor.packaging.utils import canonicalize_name

from engine.model.data import Data


def pinned(files):
    """The requirements of files with hashes that are for this Python, one string each; none of one that is not there."""
    for path in filter(os.path.exists, files):
        with open(path, encoding="utf-8") as file:
            text = re.sub("^#.*\n", "", file.read(), flags=re.MULTILINE)
        for line in filter(str.strip, text.replace("\\\n", "").splitlines()):
            marker = Requirement(line.partition("--hash")[0].strip()).marker
            if not marker or marker.evaluate():
                yield line


def pinned_libraries():
    """The same of NVIDIA's wheels that the release has as sources."""
    for release in (os.path.basename(os.path.dirname(os.path.abspath(folder))) for folder in sys.argv[2:]):
        pins = Data(os.environ.get("TSB_ADDITIONS")).merged(release, "sources.json").get("sources", {})
        for name in pins:
            if name.startswith("nvidia-") and not name.endswith("-aarch64"):
                wheel = pins[name]["candidates"][0]
                yield "%s==%s --hash=sha256:%s" % (wheel["python-index"]["project"], wheel["version"], wheel["sha256"])


def project(requirement):
    return canonicalize_name(re.match(r"[\w.-]+", requirement)[0])


found = map(Requirement, importlib.metadata.requires("torch") or [])
required = {project(one.name): one for one in found if not one.marker or one.marker.evaluate({"extra": ""})}
stand_for_others = required.keys() & {"cuda-toolkit", "cuda-bindings"}
chosen, folders = {}, sys.argv[2:]
for line in pinned(folder + "/requirements.txt" for folder in folders if required):
    chosen.setdefault(project(line), line)
for line in [*pinned(folder + "/libraries.txt" for folder in folders), *pinned_libraries()]:
    name, version = project(line), line.split()[0].partition("==")[2]
    # The wheel may name the first numbers only (==12.4.*), or write one number with other digits.
    if required[name].specifier.contains(version, prereleases=True) if name in required else stand_for_others:
        chosen.setdefault(name, line)
if folders and set(required) - set(chosen):
    for line in pinned(Data(os.environ.get("TSB_ADDITIONS")).of_backends("wheel_check.txt")):
        chosen.setdefault(project(line), line)
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.writelines(line + "\n" for line in chosen.values())
print(*[f"{one.name}{one.specifier}" for name, one in required.items() if name not in chosen])
