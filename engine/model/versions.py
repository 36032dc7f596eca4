# SPDX-License-Identifier: BSD-3-Clause
"""Computes all versions of artifacts. Compiled files have only the release's version, so the settings that change these
versions change only what is packed.

The PEP 440 version is in the names of wheels and zips, in METADATA and in torch.__version__. conda sorts
9.9.0rc1 < 9.9.0.dev1 and 9.9.0+mine < 9.9.0, but 9.9.0dev1 < 9.9.0a0 < 9.9.0rc1 < 9.9.0. So its version has no dot
before "dev", and the part after "+" is in the build string (packaging/conda/metadata.cmake).
https://peps.python.org/pep-0440/
https://docs.conda.io/projects/conda/en/stable/dev-guide/api/conda/models/version/index.html
"""

import re


def release_of(source):
    """The numbers of a version, as in version.h: 9.9.0 for 9.9.0a0."""
    return re.match(r"\d+(\.\d+)*", source)[0]


def versions(of, backend, target, slice_name=""):
    """Members of an artifact: `version`, "9.9.0.dev20261123+cu124.openblas.sm90.mine"; `conda_version`,
    "9.9.0dev20261123"; `suffix`, "mine"; `conda_build_number`, the backend's number plus the setting's.

    of: source_version, blas, and the settings nightly, candidate, suffix and build_number, each "" if it is not set."""
    public = of["source_version"]
    if of["nightly"]:
        public = f"{release_of(public)}.dev{of['nightly']}"
    elif of["candidate"]:
        public = f"{release_of(public)}rc{of['candidate']}"
    local = [backend.get("local_version") or backend["name"].replace("-", ".")]
    if of["blas"] not in target.get("blas", [])[:1]:  # the official packages use the first, so it is not named
        local.append(of["blas"])
    local = ".".join(filter(None, [*local, slice_name, of["suffix"]]))
    return {
        "version": f"{public}+{local}",
        "conda_version": public.replace(".dev", "dev"),
        "suffix": of["suffix"],
        "conda_build_number": int(backend.get("conda_build_number", 0)) + int(of["build_number"] or 0),
    }
