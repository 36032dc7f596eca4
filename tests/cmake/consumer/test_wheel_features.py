# SPDX-License-Identifier: BSD-3-Clause
"""packaging/consumer/wheel_feature_checks.py with modules torch that claim what they do not do."""

import sys
import types
import unittest
from unittest import mock

import wheel_cpu_checks
import wheel_feature_checks as checks

from backends.cuda.consumer import wheel_gpu_checks

CONVOLVED = [4, 6, 6, 4, 6, 9, 9, 6, 6, 9, 9, 6, 4, 6, 6, 4]


class Torch:
    """As much of torch as the checks ask, with everything on that it has; what is given replaces a part."""

    def __init__(self, convolved=CONVOLVED, linear=None, itt=None, available=True, capability="AVX2"):
        self.linear = {"qnnpack": [3, 2], "fbgemm": [3, 2], **(linear or {})}
        self.torch = mock.MagicMock()
        backends = self.torch.backends
        backends.cpu.get_cpu_capability.return_value = capability
        backends.quantized.supported_engines = [*self.linear, "none"]
        backends.quantized.engine = "x86"
        backends.nnpack.is_available.return_value = available
        self.torch.profiler.itt.is_available.return_value = available
        self.torch.profiler.itt.range_push.side_effect = itt
        result = self.torch._nnpack_spatial_convolution.return_value.flatten.return_value
        result.tolist.side_effect = lambda: convolved
        result = self.torch.ops.quantized.linear.return_value.dequantize.return_value.flatten.return_value
        result.tolist.side_effect = lambda: self.linear[backends.quantized.engine]

    def run(self, check, **features):
        return check(self.torch, types.SimpleNamespace(features=features))


class Features(unittest.TestCase):
    def test_what_needs_an_absent_module_does_not_pass(self):
        """wheel_checks.py skips it then, by the module's name."""
        for check, module in (("model_as_onnx", "onnx"), ("numpy_shares_memory", "numpy")):
            with self.subTest(check), mock.patch.dict(sys.modules, {module: None}):
                with self.assertRaises(ModuleNotFoundError) as caught:
                    getattr(wheel_cpu_checks, check)(mock.MagicMock(), None)
                self.assertEqual(caught.exception.name, module)

    def test_all_are_called(self):
        for check in checks.CHECKS:
            self.assertIn(check, wheel_cpu_checks.CHECKS)

    def test_the_manifest_is_compared(self):
        self.assertIsNone(Torch().run(checks.features, NNPACK=True, FBGEMM=True, ITT=True, QNNPACK=True, MPI=False))
        with self.assertRaisesRegex(AssertionError, "^NNPACK: the manifest says it is on$"):
            Torch(available=False).run(checks.features, NNPACK=True)
        with self.assertRaisesRegex(AssertionError, "^ITT: the manifest says it is off$"):
            Torch().run(checks.features, ITT=False)
        with self.assertRaisesRegex(AssertionError, "^FBGEMM: the manifest says it is off$"):
            Torch().run(checks.features, FBGEMM=False)
        without_gloo = Torch()
        without_gloo.torch.distributed.is_gloo_available.return_value = False
        with self.assertRaisesRegex(AssertionError, "^GLOO: the manifest says it is on$"):
            without_gloo.run(checks.features, GLOO=True)
        self.assertEqual(without_gloo.run(wheel_cpu_checks.process_group, GLOO=False), "it is off")
        self.assertIsNone(Torch(available=False, capability="DEFAULT").run(checks.features, NNPACK=True))

    def test_nnpack(self):
        self.assertIsNone(Torch().run(checks.convolution_by_nnpack, NNPACK=True))
        wrong = Torch(convolved=CONVOLVED[:-1] + [4.1])
        with self.assertRaises(AssertionError):
            wrong.run(checks.convolution_by_nnpack, NNPACK=True)
        for features in {"NNPACK": False}, {}:
            self.assertEqual(wrong.run(checks.convolution_by_nnpack, **features), "it is off")
        wrong = Torch(convolved=[], capability="DEFAULT")
        self.assertEqual(wrong.run(checks.convolution_by_nnpack, NNPACK=True), "this processor has no AVX2")

    def test_every_engine(self):
        good = Torch()
        self.assertEqual(good.run(checks.quantized_linear_layers), "qnnpack, fbgemm")
        for engine in "qnnpack", "fbgemm":
            wrong = Torch(linear={engine: [3, 1]})
            with self.assertRaisesRegex(AssertionError, rf"^{engine}: \[3, 1\]$"):
                wrong.run(checks.quantized_linear_layers)
            self.assertEqual(wrong.torch.backends.quantized.engine, "x86", "as it was before")

    def test_itt(self):
        self.assertIsNone(Torch().run(checks.ranges_for_itt, ITT=True))
        broken = Torch(itt=RuntimeError("ITT functions not installed"))
        with self.assertRaisesRegex(RuntimeError, "ITT functions not installed"):
            broken.run(checks.ranges_for_itt, ITT=True)
        self.assertEqual(broken.run(checks.ranges_for_itt, ITT=False), "it is off")


class Gpus(unittest.TestCase):
    def test_what_is_claimed(self):
        for features, expected in (({}, True), ({"DISTRIBUTED": True}, True), ({"DISTRIBUTED": False}, False)):
            options = types.SimpleNamespace(features=features, cuda={"versions": {"nccl": "2.21.5"}})
            self.assertEqual(wheel_gpu_checks.claims(options, "NCCL"), expected)

    def test_only_a_gpu_that_the_package_has_code_for_is_used(self):
        """Such as the machine's own while a slice for another one is made."""
        used = mock.Mock(__name__="used", return_value="used")
        with mock.patch.object(wheel_gpu_checks, "CHECKS", []):
            wheel_gpu_checks.needs_gpu(used)
            (check,) = wheel_gpu_checks.CHECKS
        torch = mock.MagicMock()
        torch.cuda.get_device_name.return_value = "Some GPU"
        for archs, gpu, good in (
            ("8.0 8.6 9.0", (8, 9), True),
            ("9.0a", (9, 0), True),
            ("10.0f", (10, 3), True),
            ("8.0+PTX", (12, 0), True),
            ("9.0", (8, 6), False),
            ("8.6+PTX", (8, 0), False),
            ("9.0", (12, 0), False),
            ("10.0a", (10, 3), False),
            ("10.0f+PTX", (12, 0), False),
        ):
            torch.cuda.get_device_capability.return_value = gpu
            for gpus in 0, 1:
                options = types.SimpleNamespace(cuda={"archs": archs.split()}, gpus=gpus)
                with self.subTest(archs=archs, gpu=gpu, gpus=gpus):
                    if good:
                        self.assertEqual(check(torch, options), "used")
                        continue
                    # One that has to be there has to be of use.
                    with self.assertRaisesRegex(
                        AssertionError if gpus else wheel_gpu_checks.Skipped,
                        r"^the package has code for .*, and none for Some GPU \(%d\.%d\)$" % gpu,
                    ):
                        check(torch, options)
