# SPDX-License-Identifier: BSD-3-Clause
"""What the data of a release says, and what its official wheel has in its place: for a release that nobody has compiled."""

import collections
import re
import types

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from wheel_facts import of_entry_points

from backends.cuda.hooks import artifact as cuda_hooks
from engine.model.read import read
from tools.import_official.import_official import cuda_of, release_facts

# Where the wheel says which version, or commit, of a source is inside: {pin: (header, expression)}.
HEADERS = {
    "flatbuffers": ("torch/csrc/jit/serialization/mobile_bytecode_generated.h", r"FLATBUFFERS_VERSION_\w+ == (\d+)"),
    "fmt": ("fmt/base.h", r"FMT_VERSION (\d+)(\d\d)(\d\d)"),
    "onednn": ("oneapi/dnnl/dnnl_version_hash.h", r'DNNL_VERSION_HASH +"(\w{40})'),
    "pybind11": ("pybind11/detail/common.h", r"PYBIND11_VERSION_(?:MAJOR|MINOR|MICRO|PATCH) +(\d+)"),
    "sleef": ("sleef.h", r"SLEEF_VERSION_(?:MAJOR|MINOR|PATCHLEVEL) +(\d+)"),
}


def versions_inside(wheel, pins):
    """{pin: (what it says, what the header of the wheel says)}, where both are known."""
    for name, (header, expression) in HEADERS.items():
        found = re.findall(expression, wheel.text(f"torch/include/{header}"))
        numbers = [part for one in found for part in ([one] if isinstance(one, str) else one)][:3]
        pin = pins.get(name, {"candidates": [{}]})["candidates"][0]
        if numbers and len(numbers[0]) == 40:
            yield name, pin.get("commit", ""), numbers[0]
        elif numbers and re.fullmatch(r"[0-9]+([.][0-9]+)+", pin.get("version", "")):
            numbers = [str(int(number)) for number in numbers]
            yield name, pin["version"], ".".join(numbers[: pin["version"].count(".") + 1])


def cuda_requirements(data, release, pins, cuda):
    """What a small wheel that is made with the toolkit of the official one would require (backends/cuda/hooks/artifact.py)."""
    facts, own = (
        data.facts({"folder": "cuda", "kind": "cuda"}, "libraries"),
        release["backends"].get("cuda", {}).get(cuda, {}),
    )
    wheels = {library["name"]: library["wheel"]["project"] for library in facts["libraries"]}
    versions = {name: pins[project]["candidates"][0]["version"] for name, project in wheels.items() if project in pins}
    versions |= {name: own[name] for name in ("cudnn", "cusparselt") if name in own}
    versions |= {name: pins[name]["candidates"][0]["version"] for name in ("nccl",) if name in pins}
    artifact = types.SimpleNamespace(record={"release": release, "style": "small"}, facts=facts, versions=versions)
    artifact.backend = {"version": cuda}
    features = (data.merged(release["version"], "options.json") or {}).get("features", [])
    artifact.features = {one["feature"] for one in features if one.get("backend") == "cuda"}
    return cuda_hooks.wheel(artifact)


def of_release(data, version, wheel):
    """(what our data says, what the wheel says), each by kind."""
    release, pins = data.release(version), data.merged(version, "sources.json")["sources"]
    ((cuda, gpus),) = cuda_of(wheel).items()
    here, there, upstream = collections.defaultdict(dict), collections.defaultdict(dict), release_facts(wheel)
    for side, facts in ((here, release), (there, upstream)):
        side["Python"] = dict.fromkeys(facts["pythons"], "")
        side["release"]["C++ standard"] = facts["cxx_standard"]
    here["release"]["extension of functorch"] = str("functorch" in release.get("python_targets", []))
    there["release"]["extension of functorch"] = str(any(name.startswith("functorch/_C") for name in wheel.members))
    for kind in ("official-cuda", "cuda"):
        builds = release["backends"].get(kind, {})
        if kind == "official-cuda" or cuda in builds:  # upstream has more CUDAs than the index
            here["release"][f"GPUs of {kind}"] = " ".join(builds.get(cuda, {"archs": builds})["archs"])
            there["release"][f"GPUs of {kind}"] = " ".join(gpus["archs"])

    commit = re.search("git_version = '([0-9a-f]{40})'", wheel.text("torch/version.py"))[1]
    inside = [("pytorch", pins["pytorch"]["candidates"][0]["commit"], commit)] if "pytorch" in pins else []
    for name, ours, theirs in [*inside, *versions_inside(wheel, pins)]:
        here["source"][name], there["source"][name] = ours, theirs
    for item, place in of_entry_points(wheel).items():
        here["entry point with a module"][item] = ""
        module = place.partition(":")[0].replace(".", "/")
        if {f"{module}.py", f"{module}/__init__.py"} & wheel.members.keys():
            there["entry point with a module"][item] = ""

    noted = read(
        data.find(f"releases/{version}/upstream_versions.json"),
        {"wheel": "STRING", "requires_dist": "ARRAY", "tree?": "OBJECT"},
    )
    lines = [line for line in wheel.metadata.get_all("Requires-Dist", []) if "extra ==" not in line]
    here["noted requirement"] = {str(Requirement(line)): "" for line in noted["requires_dist"]}
    there["noted requirement"] = {str(Requirement(line)): "" for line in lines}
    there["requirement for CUDA"] = {
        one.name: str(one.specifier) for one in map(Requirement, lines) if "platform_system" in str(one.marker)
    }
    for one in map(Requirement, cuda_requirements(data, release, pins, cuda)):
        wanted, (ours,) = there["requirement for CUDA"].get(one.name, ""), one.specifier
        fits = wanted and not ours.version.endswith("*") and SpecifierSet(wanted).contains(ours.version)
        here["requirement for CUDA"][one.name] = wanted if fits else str(ours)
    return here, there
