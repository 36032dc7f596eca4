#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the installed PyTorch with a slice of it for the GPU of this machine, bit by bit.

    tools/bench/slice_on_gpu.py --torchpkg FILE --work FOLDER

The slice lies in FOLDER, with hard links to what is the same. Every operator runs twice in the installed PyTorch, since some
give other bits each time, and once in the slice. A second slice has only the code for 7.5: a newer GPU has to refuse it with
the driver's error. Needs PyTorch with CUDA, and a GPU. Exit status: 1 when the slice computes something else.
"""

import argparse
import hashlib
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import time

UNARY = """abs acos asin atan ceil cos cosh digamma erf erfc erfinv exp exp2 expm1 floor frac lgamma log log10 log1p log2
neg reciprocal round rsqrt sigmoid sign sin sinc sinh sqrt tan tanh trunc nonzero tril"""
BINARY = "add atan2 div eq fmod hypot logaddexp lt maximum minimum mul pow remainder sub"
ALONG_ROWS = """amax amin argmax argmin cumprod cumsum logsumexp max mean median nansum norm prod std sum var sort mode
softmax cummax logcumsumexp"""
LINALG = "cholesky det eigh eigvalsh inv lu_factor matrix_exp pinv qr slogdet svd svdvals"
EXPRESSIONS = """
x.half() @ x.half()
x.bfloat16() @ x.bfloat16()
x @ x
x.double() @ x.double()
x.to(torch.complex64) @ x.to(torch.complex64)
torch._int_mm((x * 100).to(torch.int8), (x * 100).to(torch.int8))
torch._scaled_mm(x.to(fp8), x.to(fp8).t(), scale_a=one, scale_b=one, out_dtype=torch.bfloat16)
torch.linalg.solve(square, x)
torch.linalg.lstsq(square, x).solution
F.conv2d(picture, kernel)
F.conv_transpose2d(picture, kernel)
F.avg_pool2d(picture, 3)
F.max_pool2d(picture, 2)
F.batch_norm(picture, zeros[:16], zeros[:16] + 1)
F.layer_norm(x, (512,))
F.group_norm(picture, 4)
F.cross_entropy(x, index[:512])
F.dropout(x)
F.embedding_bag(index, x, torch.arange(0, 2000, 20, device="cuda"))
F.gelu(x)
F.grid_sample(picture, grid, align_corners=False)
F.interpolate(picture, 100, mode="nearest")
F.unfold(picture, 3)
attention("FLASH_ATTENTION")
attention("EFFICIENT_ATTENTION")
attention("CUDNN_ATTENTION")
attention("MATH")
torch.fft.fft(x)
torch.fft.rfft2(x)
torch.fft.hfft(x)
torch.topk(x, 20)
torch.unique(index)
torch.bincount(index)
torch.histc(x)
torch.searchsorted(x.sort(1).values, x)
torch.roll(x, 7)
x.gather(1, index[:512].repeat(512, 1))
zeros.repeat(512, 1).scatter_add(1, index[:512].repeat(512, 1), x)
x.index_put((index[:100], index[100:200]), x[0, :100])
torch.sparse.mm(x.where(x > 0.9, 0).to_sparse_csr(), x)
x.where(x > 0.9, 0).to_sparse().coalesce().values()
torch.nn.LSTM(64, 128, 2, device="cuda")(picture[0, 0].unsqueeze(1))[0]
torch.nn.MultiheadAttention(64, 4, device="cuda")(picture[0], picture[0], picture[0])[0]
torch.autograd.functional.vjp(lambda k: F.conv2d(picture, k), kernel, F.conv2d(picture, kernel))[1]
torch.rand(10000, device="cuda")
torch.randn(10000, device="cuda")
torch.randperm(10000, device="cuda")
torch.vmap(lambda row: row.sum().exp().log())(x)
"""


def expressions():
    calls = ["torch.%s(x)" % name for name in UNARY.split()]
    calls += ["torch.%s(x, y)" % name for name in BINARY.split()]
    calls += ["torch.%s(x, dim=1)" % name for name in ALONG_ROWS.split()]
    calls += ["torch.linalg.%s(square)" % name for name in LINALG.split()]
    return calls + EXPRESSIONS.strip().splitlines()


def values(torch):
    """The names that the expressions use."""
    torch.manual_seed(0)
    x = torch.rand(512, 512, device="cuda") * 0.9 + 0.05
    halves = [torch.rand(2, 4, 256, 64, device="cuda", dtype=torch.float16) for _ in range(3)]

    def attention(backend):
        with torch.nn.attention.sdpa_kernel(getattr(torch.nn.attention.SDPBackend, backend)):
            return torch.nn.functional.scaled_dot_product_attention(*halves)

    return {
        "torch": torch,
        "F": torch.nn.functional,
        "attention": attention,
        "x": x,
        "y": torch.rand(512, 512, device="cuda") + 0.5,
        "square": x @ x.T + 10 * torch.eye(512, device="cuda"),
        "picture": torch.rand(8, 16, 64, 64, device="cuda"),
        "kernel": torch.rand(16, 16, 3, 3, device="cuda"),
        "grid": torch.rand(8, 32, 32, 2, device="cuda") * 2 - 1,
        "index": torch.randint(0, 512, (2000,), device="cuda"),
        "zeros": torch.zeros(512, device="cuda"),
        "one": torch.ones((), device="cuda"),
        "fp8": torch.float8_e4m3fn,
    }


def bytes_of(torch, value):
    if isinstance(value, (tuple, list)):
        return b"".join(bytes_of(torch, item) for item in value)
    return value.detach().contiguous().cpu().view(-1).view(torch.uint8).numpy().tobytes()


def run():
    """Prints a JSON object: by expression the hash of its result, or its error."""
    import torch

    results = {}
    names = {}
    for text in ["x", *expressions()]:
        try:
            names = names or values(torch)
            torch.manual_seed(1)
            results[text] = hashlib.sha256(bytes_of(torch, eval(text, names))).hexdigest()
        except Exception as error:
            results[text] = "error: " + str(error).splitlines()[0]
    print(json.dumps({"file": torch.__file__, "results": results}))


def results_of(site_packages):
    environment = dict(os.environ, PYTHONPATH=str(site_packages), CUBLAS_WORKSPACE_CONFIG=":4096:8")
    done = subprocess.run([sys.executable, __file__, "--run"], env=environment, stdout=subprocess.PIPE, check=True)
    answer = json.loads(done.stdout)
    if pathlib.Path(answer["file"]).resolve().parent.parent != site_packages.resolve():
        sys.exit("%s was imported, and not what is in %s" % (answer["file"], site_packages))
    return answer["results"]


def sliced(torchpkg, whole, place, arch):
    """A tree like site-packages, in which torch/lib is a slice, and seconds. The rest are links."""
    place.mkdir(parents=True)  # a new one: nothing of the user's is removed
    for entry in whole.iterdir():
        if entry.name != "torch":
            (place / entry.name).symlink_to(entry)
    subprocess.run(["cp", "-a", whole / "torch", place / "torch"], check=True)
    begin = time.monotonic()
    subprocess.run([torchpkg, "slice", "--arch", arch, place / "torch/lib"], check=True)
    return place, time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--torchpkg", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--run", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        return run()
    if not (options.torchpkg and options.work):
        parser.error("--torchpkg and --work are needed")
    import torch

    whole = pathlib.Path(importlib.util.find_spec("torch").origin).resolve().parent.parent
    arch = "%d.%d" % torch.cuda.get_device_capability()
    print("PyTorch %s on %s (%s)" % (torch.__version__, torch.cuda.get_device_name(), arch))
    first, second = results_of(whole), results_of(whole)
    place, seconds = sliced(options.torchpkg.resolve(), whole, options.work / "slice", arch)
    print("sliced in %.1f s" % seconds)
    third = results_of(place)
    steady = [text for text in first if first[text] == second[text]]
    errors = [text for text in steady if first[text].startswith("error: ")]
    different = [text for text in steady if first[text] != third[text]]
    for text in first:
        if text not in steady:
            print("not compared, since it differs in itself: " + text)
    for text in errors:
        print("%s: %s" % (text, first[text]))
    for text in different:
        print("DIFFERENT: %s: %s" % (text, third[text]))
    same = len(steady) - len(errors) - len(different)
    print("%d operators give the same bits, %d others, %d errors" % (same, len(different), len(errors)))
    place, _ = sliced(options.torchpkg.resolve(), whole, options.work / "other", "7.5")
    refused = set(results_of(place).values())
    print("with the code for 7.5 alone: " + "; ".join(sorted(refused)[:3]))
    return 1 if different or any(not text.startswith("error: ") for text in refused) else 0


if __name__ == "__main__":
    sys.exit(main())
