#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Wheels like those of upstream and NVIDIA, out of an installed libtorch: what presets official-cpu-... are made of.

    official_wheels.py <version> <installed libtorch> <folder>

Writes <folder>/mirror and <folder>/sources.json, the pins. libtorch.so asks for a libtorch_cuda.so that is not there, and
libtorch_cpu.so for two of NVIDIA's libraries, as in the official wheels. The licences of third parties are in a folder.
"""

import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import zipfile

LIBRARIES = {"runtime": "libcudart.so.13", "cupti": "libcupti.so.13"}
OPENMP = "libgomp-a34b3233.so.1"  # as auditwheel has renamed it
CODE = "int %s(void) { return 13; }\n"


def make_library(path, name):
    source = path.with_suffix(".c")
    source.write_text(CODE % name)
    subprocess.run(["cc", "-shared", "-fPIC", f"-Wl,-soname,{path.name}", source, "-o", path], check=True)
    source.unlink()


def patch(library, *words):
    subprocess.run(["patchelf", *words, library], check=True)


def rename_openmp(folder):
    """What auditwheel does with the compiler's OpenMP runtime."""
    words = ["cc", "-print-file-name=libgomp.so.1"]
    original = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    shutil.copy(original, folder / OPENMP)
    patch(folder / OPENMP, "--set-soname", OPENMP)
    patch(folder / "libtorch_cpu.so", "--replace-needed", "libgomp.so.1", OPENMP)


def pack(folder, mirror, name, license, project):
    """The pin of a source that is a wheel of this folder's files."""
    file = mirror / name / "1.0" / f"{project}-1.0-py3-none-any.whl"
    file.parent.mkdir(parents=True)
    with zipfile.ZipFile(file, "w") as wheel:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                wheel.write(path, path.relative_to(folder))
    candidate = {
        "version": "1.0",
        "filename": file.name,
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        "commit": "0123456789" * 4,
        "license_file": next(str(path.relative_to(folder)) for path in folder.glob("*.dist-info/[Ll]icense*.txt")),
        "python-index": {"project": project, "version": "1.0", "file": file.name},
    }
    return {"license": license, "homepage": "https://example.org", "candidates": [candidate]}


def main():
    version, installed, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    shutil.rmtree(folder, ignore_errors=True)
    mirror = folder / "mirror"
    torch, info = folder / "wheel/torch", folder / "wheel/torch-1.0.dist-info"
    (info / "licenses/third_party/fmt").mkdir(parents=True)
    (info / "License.txt").write_text("PyTorch's terms.\n")
    (info / "licenses/third_party/fmt/LICENSE").write_text("fmt's terms.\n")
    for part in ("include", "share/cmake"):
        shutil.copytree(installed / part, torch / part)
    (torch / "include/sleef.h").write_text("/* In upstream's tree it is there. */\n")
    (torch / "lib").mkdir()
    for name in ("libc10.so", "libtorch.so", "libtorch_cpu.so"):
        shutil.copy(installed / "lib" / name, torch / "lib")
    patch(torch / "lib/libtorch.so", "--add-needed", "libtorch_cuda.so")
    for library in LIBRARIES.values():
        patch(torch / "lib/libtorch_cpu.so", "--add-needed", library)
    rename_openmp(torch / "lib")
    (torch / "version.py").write_text(f"__version__ = '{version}+cu130'\n")
    sources = {"torch-cpu": pack(folder / "wheel", mirror, "torch-cpu", "BSD-3-Clause", "torch")}
    for name, library in LIBRARIES.items():
        wheel = folder / name
        (wheel / "nvidia/cu13/lib").mkdir(parents=True)
        (wheel / f"nvidia_{name}-1.0.dist-info").mkdir()
        (wheel / f"nvidia_{name}-1.0.dist-info/License.txt").write_text("NVIDIA's terms.\n")
        make_library(wheel / "nvidia/cu13/lib" / library, name)
        source = f"nvidia-cuda-{name}"
        sources[source] = pack(wheel, mirror, source, "LicenseRef-NVIDIA-CUDA-Toolkit-EULA", source.replace("-", "_"))
    pins = {"schema": 1, "release": version, "sources": sources}
    (folder / "sources.json").write_text(json.dumps(pins, indent=2))


if __name__ == "__main__":
    main()
