# SPDX-License-Identifier: BSD-3-Clause
"""What a user of the wheel does, as checks that count: import, numerics, autograd, scripting, threads, sharing memory
between processes, an extension in C++.

    python wheel_checks.py [--without-dependencies] [--root FOLDER] [--gpus N]

Which version, features and CUDA there have to be says the package's own torch/manifest.json.
--root: where its libraries have to come from, when that is not the folder of the module torch.
--gpus: the machine has at least so many; without it a check that finds none is skipped. For a wheel with CUDA only.
--without-dependencies: what the wheel requires could not be installed; a check that needs one of those is skipped, as is one
that needs NumPy or onnx, where they are not installed.
Exits with 1 when a check fails. The last line is "<n> checks, <n> failed", what was skipped not counted.
"""

import argparse
import importlib
import importlib.metadata
import json
import os
import re
import sys
import tempfile
import traceback

import wheel_cpu_checks

from engine.folders import Folders


def requirements():
    """The modules of the distributions that the wheel requires; they are named as their distributions are."""
    required = importlib.metadata.requires("torch") or []
    return {re.match(r"[A-Za-z0-9_.-]+", line).group().replace("-", "_").lower() for line in required}


def read_manifest(options):
    """Sets version, commit, features, cuda and checks_of_gpus of the options; the last two are None without CUDA, GPUs."""
    text = importlib.metadata.distribution("torch").read_text("../torch/manifest.json")
    assert text, "the package has no torch/manifest.json"
    manifest = json.loads(text)
    options.version = manifest["version"]
    options.commit = manifest["git_version"]
    options.features = {name: feature["enabled"] for name, feature in manifest["features"].items()}
    options.cuda = manifest.get("cuda")
    options.checks_of_gpus = find_gpu_checks(manifest)


def find_gpu_checks(manifest):
    """The module with a backend's own checks, backends/<kind>/consumer/wheel_gpu_checks.py; the manifest has a member <kind>."""
    data = Folders(os.environ.get("TSB_ADDITIONS"))
    for kind in sorted(manifest):
        file = data.find(f"backends/{kind}/consumer/wheel_gpu_checks.py")
        if file:
            sys.path.insert(0, str(file.parent))
            return importlib.import_module("wheel_gpu_checks")
    return None


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root")
    parser.add_argument("--gpus", type=int, default=0)
    parser.add_argument("--without-dependencies", action="store_true")
    options = parser.parse_args()
    read_manifest(options)
    import torch

    checks = list(wheel_cpu_checks.CHECKS)
    not_here = ()
    if options.checks_of_gpus:
        checks += options.checks_of_gpus.CHECKS
        not_here = options.checks_of_gpus.Skipped
    else:
        assert options.gpus == 0, "a wheel for the CPU uses no GPU"
    failed = skipped = 0
    absent = {"numpy", "onnx"} | (requirements() if options.without_dependencies else set())
    for function in checks:
        try:
            note = function(torch, options)
        except not_here as why:
            skipped += 1
            print("skip %s: %s" % (function.__name__, why), flush=True)
        except BaseException as error:
            if isinstance(error, ModuleNotFoundError) and error.name in absent:
                skipped += 1
                print("skip %s: %s is not installed" % (function.__name__, error.name), flush=True)
                continue
            traceback.print_exc()
            failed += 1
            print("FAIL " + function.__name__, flush=True)
        else:
            print("ok " + function.__name__ + (": " + note if note else ""), flush=True)
    print("%d checks, %d failed" % (len(checks) - skipped, failed))
    return 1 if failed else 0


def main():
    with tempfile.TemporaryDirectory() as cache:
        # One folder for all checks: torch.compile remembers the path of a header that it writes there.
        os.environ.update(TORCHINDUCTOR_CACHE_DIR=cache, TRITON_CACHE_DIR=cache)
        return run()
