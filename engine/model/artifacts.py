# SPDX-License-Identifier: BSD-3-Clause
"""What is planned of artifacts: each one's row in packaging/artifacts.json, and all that decides what is in it."""

import re

from engine.model.data import Data
from engine.model.variant import facts_of_variant
from engine.model.versions import release_of, versions


def artifact_of(plan, row, slice_, asked, variant):
    """One artifact, for the slice or, without one, with everything."""
    of = plan.declared["artifacts"]
    preset = row.pop("preset")
    if preset == "all" and plan.backend.get("prebuilt"):  # its backend has no such preset
        preset = asked
    # That which makes it alone: made along with others it is the same, byte for byte.
    artifact = row | {"preset": of["preset"].replace(f"-{asked}", f"-{preset}")}
    artifact |= {"variant": variant} if variant else {}
    if plan.declared["local"].get("pytorch") or {"pytorch_options", "patches"} & set(variant):
        del artifact["cell"]  # which is of the release
    if plan.declared["debug_info"] == "none" or plan.backend.get("prebuilt"):
        artifact["debug_file"] = ""
    # On request, for a system that has two releases side by side; a release is compatible with its own patches only.
    if of["soname_version"] and (row["product"], row["linkage"]) == ("libtorch", "shared"):
        artifact["soname_version"] = re.match(r"\d+\.\d+", of["source_version"])[0]
    backend = dict(plan.backend)
    if slice_:
        artifact["name"] += f"-{slice_['name']}"
        artifact["slice"] = {"name": slice_["name"], "archs": slice_["archs"]}
        backend["configured"] = backend.get("configured", {}) | slice_["configured"]
    release = plan.release | {"version": release_of(of["source_version"])}
    artifact.update(release=release, backend=backend, target=plan.target, build_folder=plan.folder)
    return artifact | {name: of[name] for name in ("blas", "compiler", "objcopy")}


def artifacts_of(plan):
    of, variant = plan.declared["artifacts"], facts_of_variant(plan)
    for slice_ in of["slices"] or [None]:
        facts = versions(of, plan.backend, plan.target, slice_["name"] if slice_ else "")
        rows = Data().artifacts(plan.release, plan.backend, facts["version"], of["build_number"])
        for name in of["rows"]:
            asked = "all" if of["asked"] == "all" else rows[of["asked"].split(";")[0]]["preset"]
            yield artifact_of(plan, rows[name] | facts, slice_, asked, variant)
