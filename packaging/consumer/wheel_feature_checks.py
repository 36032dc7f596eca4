# SPDX-License-Identifier: BSD-3-Clause
"""Those of wheel_cpu_checks.py that ask whether the features of the manifest are what the package has, and use them: what is
on has to give the right numbers. features.cpp is the same for C++.
"""

import platform

CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def has_avx2(torch):
    """FBGEMM and NNPACK ask for it."""
    return torch.backends.cpu.get_cpu_capability() != "DEFAULT"


@check
def features(torch, options):
    names = {"MKLDNN": torch.backends.mkldnn.is_available, "OPENMP": torch.backends.openmp.is_available}
    names["DISTRIBUTED"] = torch.distributed.is_available
    names["GLOO"] = lambda: torch.distributed.is_available() and torch.distributed.is_gloo_available()
    names["ITT"] = torch.profiler.itt.is_available
    names["XNNPACK"] = torch._C._is_xnnpack_enabled
    names["QNNPACK"] = lambda: "qnnpack" in torch.backends.quantized.supported_engines
    if has_avx2(torch):
        names["NNPACK"] = torch.backends.nnpack.is_available
        names["FBGEMM"] = lambda: "fbgemm" in torch.backends.quantized.supported_engines
    for name, wanted in options.features.items():
        if name in names:
            assert names[name]() == wanted, "%s: the manifest says it is %s" % (name, "on" if wanted else "off")
    assert torch.backends.mkl.is_available() or "BLAS_INFO=mkl" not in torch.__config__.show()


@check
def convolution_by_nnpack(torch, options):
    """By NNPACK itself: conv2d() takes another library for this size."""
    if not options.features.get("NNPACK"):
        return "it is off"
    if not has_avx2(torch):
        return "this processor has no AVX2"
    picture, kernel = torch.ones(1, 1, 4, 4), torch.ones(1, 1, 3, 3)
    found = torch._nnpack_spatial_convolution(picture, kernel, torch.zeros(1), [1, 1], [1, 1]).flatten().tolist()
    # Inside nine ones meet the kernel, at an edge six, at a corner four.
    expected = [4, 6, 6, 4, 6, 9, 9, 6, 6, 9, 9, 6, 4, 6, 6, 4]
    assert max(abs(a - b) for a, b in zip(found, expected)) < 1e-4, found


@check
def quantized_linear_layers(torch, options):
    """[1 2] times the transposed [[1 1] [2 0]], by every engine."""
    quantized = torch.backends.quantized
    before = quantized.engine
    # On other processors PyTorch offers FBGEMM's, and they raise "unknown architecure" (pytorch issue 186363).
    left_out = {"none"} if platform.machine() == "x86_64" else {"none", "fbgemm", "x86"}
    engines = [engine for engine in quantized.supported_engines if engine not in left_out]
    x = torch.quantize_per_tensor(torch.tensor([[1.0, 2.0]]), 0.5, 0, torch.quint8)
    weight = torch.quantize_per_tensor(torch.tensor([[1.0, 1.0], [2.0, 0.0]]), 0.5, 0, torch.qint8)
    try:
        for engine in engines:
            quantized.engine = engine
            packed = torch.ops.quantized.linear_prepack(weight, None)
            found = torch.ops.quantized.linear(x, packed, 0.5, 0).dequantize().flatten().tolist()
            assert found == [3, 2], "%s: %s" % (engine, found)
    finally:
        quantized.engine = before
    return ", ".join(engines) or "there is no engine"


@check
def ranges_for_itt(torch, options):
    """Marks ranges for VTune, of which nothing is seen when no VTune looks on."""
    if not options.features.get("ITT"):
        return "it is off"
    itt = torch.profiler.itt
    itt.range_push("wheel_checks")
    itt.mark("wheel_checks")
    itt.range_pop()
    with torch.autograd.profiler.emit_itt():
        torch.ones(2).add(1)
