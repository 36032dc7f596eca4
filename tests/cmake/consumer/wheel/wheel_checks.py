# SPDX-License-Identifier: BSD-3-Clause
"""packaging/consumer/wheel_checks.py with checks of a few lines; case.json beside it says what they find."""

import importlib.util
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
CASE = json.loads((HERE / "case.json").read_text())
ROOT = pathlib.Path(CASE["root"])
sys.path += [str(ROOT / "packaging/consumer"), str(ROOT / "backends/cuda/consumer")]
spec = importlib.util.spec_from_file_location("checks", ROOT / "packaging/consumer/wheel_checks.py")
checks = importlib.util.module_from_spec(spec)
spec.loader.exec_module(checks)


def one(torch, options):
    assert CASE["holds"] and torch.__version__ == options.version
    assert options.commit == "c0ffee" and options.features["MKLDNN"] is True


def other(torch, options):
    importlib.import_module(CASE["needed"])


def gpu(torch, options):
    import wheel_gpu_checks

    if options.gpus == 0:
        raise wheel_gpu_checks.Skipped("this machine has no GPU")
    assert options.cuda["version"] == "9.9"
    assert wheel_gpu_checks.claims(options, "NCCL") and not wheel_gpu_checks.claims(options, "MAGMA")
    print("%d GPUs" % options.gpus)


checks.wheel_cpu_checks.CHECKS[:] = [one, other]
if CASE["cuda"]:
    import wheel_gpu_checks

    wheel_gpu_checks.CHECKS[:] = [gpu]
sys.exit(checks.main())
