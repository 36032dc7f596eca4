# SPDX-License-Identifier: BSD-3-Clause
"""manifest.json of a tree, from what the build folder says about the artifact and its packages."""

import pathlib
import re
import subprocess

from engine.build_folder import read_json
from engine.failure import Failure
from engine.folders import natural
from engine.system_package import system_package

RUNTIMES = {"glibc": ("libc.so.6", "GLIBC"), "glibcxx": ("libstdc++.so.6", "GLIBCXX")}
RUNTIMES["cxxabi"] = ("libstdc++.so.6", "CXXABI")


def runtime_versions(compiler):
    """The newest symbol versions that this machine's C and C++ libraries offer, which is what an artifact built here may at
    most need: {"glibc": ..., "glibcxx": ..., "cxxabi": ...}."""
    newest = {}
    for name, (library, tag) in RUNTIMES.items():
        path = subprocess.run(
            [compiler, "-print-file-name=" + library], stdout=subprocess.PIPE, text=True
        ).stdout.strip()
        content = pathlib.Path(path).read_bytes() if path else b""
        versions = re.findall(rb"(?<=\0)%s_([0-9.]+)(?=\0)" % tag.encode(), content)
        if not versions:
            raise Failure("cannot read which %s versions %s offers" % (tag, path), "see what %s prints" % compiler)
        newest[name] = max((version.decode() for version in versions), key=natural)
    return newest


def host_libraries(artifact, bundle):
    """The libraries that the host must have, each with the package of this machine, or of the superbuild, that it was built
    against; none for an artifact with deps. Nothing is known about a library that no package owns."""
    found = []
    for library in bundle["host_libraries"]:
        name, version = artifact.owner(library["name"])[0], artifact.version_of(library["name"])
        if not name:
            owner = system_package(library["name"], artifact.record["target"])
            name, version = owner.name, owner.version
        found.append({**library, "built_against": {"package": name, "version": version}})
    return found


def compiled_by(artifact, pytorch):
    toolchain = pytorch["toolchain"]
    return {"id": toolchain["CXX_COMPILER_ID"], "version": toolchain["CXX_COMPILER_VERSION"]}


def manifest_of(artifact, root, bundle):
    record, backend = artifact.record, artifact.backend
    pytorch = artifact.package("pytorch")
    # What is only a view of this machine's files was not built: no pin knows it. Versions are in the backend's member.
    packages = artifact.manifests(artifact.packages_inside(bundle))
    config = (root / "share/cmake/Torch/TorchConfig.cmake").read_text(encoding="utf-8")
    manifest = {
        "schema": 1,
        "name": "libtorch",
        **{
            member: record[member]
            for member in ("version", "linkage", "deps", "preset", "cell", "variant")
            if member in record
        },
        "product": record["tree"],
        "backend": backend["name"],
        "backend_kind": backend["kind"],
        "cxx11_abi": "_GLIBCXX_USE_CXX11_ABI=0" not in config,
        "debug_package": record.get("debug_file", ""),
        "git_version": packages["pytorch"]["commit"],
    }
    if backend.get("prebuilt"):  # upstream's compiler is not known, and its libraries need less than this machine has
        manifest["platform"] = bundle["platform"]
    else:
        manifest["compiler"] = compiled_by(artifact, pytorch)
        manifest["platform"] = runtime_versions(record["compiler"])
    manifest["features"] = packages["pytorch"]["features"]
    manifest["packages"] = list(packages.values())
    symbols = [file for file in pytorch["inputs"] if file.endswith("/symbols.json")]
    if symbols:  # of the release: superbuild/pytorch/hide_symbols.cmake
        manifest["symbols"] = read_json(symbols[0])
    manifest["bundled"] = bundle["bundled"]
    manifest["host_libraries"] = host_libraries(artifact, bundle)
    of_backend = artifact.ask("manifest", root)
    if of_backend:
        if "slice" in record:
            of_backend["slice"] = record["slice"]["archs"]
        manifest[backend["kind"]] = of_backend
    return manifest
