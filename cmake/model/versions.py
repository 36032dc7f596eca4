# SPDX-License-Identifier: BSD-3-Clause
"""The versions of artifacts; nothing else makes one. What is compiled knows the release alone: the settings that change
these change what is packed.

PEP 440's is in the names of wheels and zips, in METADATA and in torch.__version__. In conda's order 9.9.0rc1 < 9.9.0.dev1
and 9.9.0+mine < 9.9.0, but 9.9.0dev1 < 9.9.0a0 < 9.9.0rc1 < 9.9.0: so there is no dot before "dev" in conda's, and what is
behind the "+" is in the build string (packaging/conda/metadata.cmake).
https://peps.python.org/pep-0440/
https://docs.conda.io/projects/conda/en/stable/dev-guide/api/conda/models/version/index.html
"""

import re


def release_of(source):
    """9.9.0 of 9.9.0a0, as version.h has it."""
    return re.match(r"\d+(\.\d+)*", source)[0]


def versions(of, backend, target, slice_name=""):
    """Members of an artifact: `version`, "9.9.0.dev20261123+cu124.openblas.sm90.mine"; `conda_version`,
    "9.9.0dev20261123"; `suffix`, "mine"; `conda_build_number`, the backend's and that of the settings.

    of: source_version, blas, and the settings nightly, candidate, suffix and build_number, each "" when it is not set."""
    public = of["source_version"]
    if of["nightly"]:
        public = f"{release_of(public)}.dev{of['nightly']}"
    elif of["candidate"]:
        public = f"{release_of(public)}rc{of['candidate']}"
    local = [backend.get("local_version") or backend["name"].replace("-", ".")]
    if of["blas"] not in target.get("blas", [])[:1]:  # the official packages' choice, which therefore has no name
        local.append(of["blas"])
    local = ".".join(filter(None, [*local, slice_name, of["suffix"]]))
    return {
        "version": f"{public}+{local}",
        "conda_version": public.replace(".dev", "dev"),
        "suffix": of["suffix"],
        "conda_build_number": int(backend.get("conda_build_number", 0)) + int(of["build_number"] or 0),
    }
