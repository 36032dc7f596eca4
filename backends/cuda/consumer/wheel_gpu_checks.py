# SPDX-License-Identifier: BSD-3-Clause
"""Those checks of wheel_checks.py that a wheel with CUDA has beside the others: called when its manifest has the member
cuda. What needs a GPU raises Skipped without one."""

import contextlib
import os
import re
import subprocess
import sys
import tempfile

CHECKS = []


class Skipped(Exception):
    """Nothing to check on this machine; the text says why."""


def check(function):
    CHECKS.append(function)
    return function


def runs(arch, gpu):
    """Whether a GPU, (8, 6), runs the code for an architecture, "8.0", "9.0a", "10.0f" or "9.0+PTX"."""
    major, minor, letter, ptx = re.fullmatch(r"(\d+)\.(\d)([af]?)(\+PTX)?", arch).groups()
    code = int(major), int(minor)
    if letter == "a":
        return code == gpu
    return code <= gpu and (code[0] == gpu[0] or bool(ptx and not letter))


def needs_gpu(function):
    def run(torch, options):
        if not torch.cuda.is_available():
            raise Skipped("this machine has no GPU that can be used")
        gpu = torch.cuda.get_device_capability()
        if not any(runs(arch, gpu) for arch in options.cuda["archs"]):
            name = "%s (%d.%d)" % (torch.cuda.get_device_name(), *gpu)
            lacking = "the package has code for %s, and none for %s" % (", ".join(options.cuda["archs"]), name)
            assert not options.gpus, lacking
            raise Skipped(lacking)
        torch.manual_seed(0)
        return function(torch, options)

    run.__name__ = function.__name__
    CHECKS.append(run)
    return run


def claims(options, feature):
    """Whether the manifest says so: among the features, or as a library that the package was made with. NCCL is asked for
    through torch.distributed."""
    if feature == "NCCL" and not options.features.get("DISTRIBUTED", True):
        return False
    return options.features.get(feature, feature.lower() in options.cuda["versions"])


def distance(found, expected):
    """The largest difference, against the largest number that is expected."""
    expected = expected.double().cpu()
    return ((found.double().cpu() - expected).abs().max() / expected.abs().max()).item()


@check
def cuda_version(torch, options):
    assert torch.version.cuda == options.cuda["version"], torch.version.cuda
    return torch.version.cuda


@check
def cuda_devices(torch, options):
    count = torch.cuda.device_count()
    assert count >= options.gpus, "%d GPUs, not %d" % (count, options.gpus)
    if count == 0:
        try:
            torch.ones(1, device="cuda")
        except RuntimeError as error:
            return "none: " + str(error).splitlines()[0]
        raise AssertionError("a tensor on a GPU that is not there")
    return ", ".join(torch.cuda.get_device_name(index) for index in range(count))


@check
def cuda_nccl_version(torch, options):
    if not torch.distributed.is_available() or not torch.distributed.is_nccl_available():
        assert not claims(options, "NCCL"), "there is no NCCL"
        return "built without NCCL"
    return ".".join(map(str, torch.cuda.nccl.version()))


@needs_gpu
def cuda_matmul(torch, options):
    left, right = torch.randn(65, 300).double(), torch.randn(300, 130).double()
    for type, limit in ((torch.double, 1e-12), (torch.float, 1e-5), (torch.half, 2e-3), (torch.bfloat16, 1e-2)):
        x, y = left.to(type), right.to(type)
        assert distance(x.cuda() @ y.cuda(), x.double() @ y.double()) < limit, type


@needs_gpu
def cuda_convolution(torch, options):
    assert torch.backends.cudnn.is_available() or not claims(options, "CUDNN"), "there is no cuDNN"
    image, weight = torch.randn(2, 16, 20, 20).double(), torch.randn(8, 16, 3, 3).double()
    for enabled in {False, torch.backends.cudnn.is_available()}:
        with torch.backends.cudnn.flags(enabled=enabled, allow_tf32=False):
            for type, limit in ((torch.double, 1e-12), (torch.float, 1e-5), (torch.half, 2e-3), (torch.bfloat16, 1e-2)):
                x, w = image.to(type), weight.to(type)
                found = torch.conv2d(x.cuda(), w.cuda(), padding=1)
                assert distance(found, torch.conv2d(x.double(), w.double(), padding=1)) < limit, (type, enabled)
    return "cuDNN %s" % torch.backends.cudnn.version()


@needs_gpu
def cuda_linear_algebra(torch, options):
    magma = torch.cuda.has_magma
    assert magma or not claims(options, "MAGMA"), "there is no MAGMA"
    tall, square = torch.randn(60, 40).double(), torch.randn(50, 50).double()
    symmetric, batch = square + square.T, torch.randn(16, 24, 24).double()
    for library in ["cusolver", "magma"] if magma else ["cusolver"]:
        torch.backends.cuda.preferred_linalg_library(library)
        # With MAGMA chosen, 2.11.0 and 2.13.0 give it to cuSOLVER with an argument that is wrong.
        if library == "cusolver" or tuple(map(int, options.version.split(".")[:2])) < (2, 11):
            u, s, vh = torch.linalg.svd(tall.cuda(), full_matrices=False)
            assert distance(u * s @ vh, tall) < 1e-10, library
        values, vectors = torch.linalg.eigh(symmetric.cuda())
        assert distance(vectors * values @ vectors.T, symmetric) < 1e-10, library
        permutation, lower, upper = torch.linalg.lu(batch.cuda())
        assert distance(permutation @ lower @ upper, batch) < 1e-10, library
    torch.backends.cuda.preferred_linalg_library("default")
    return "cuSOLVER and MAGMA" if magma else "cuSOLVER"


@needs_gpu
def cuda_kernel_compiled_at_run_time(torch, options):
    x = torch.linspace(0.1, 9, 500).double()
    assert distance(torch.special.bessel_j0(x.cuda()), torch.special.bessel_j0(x)) < 1e-12
    own = torch.cuda.jiterator._create_jit_fn("template <typename T> T half_of(T x) { return x / 2; }")
    assert torch.equal(own(x.cuda()).cpu(), x / 2)


@needs_gpu
def cuda_attention(torch, options):
    from torch.nn.attention import SDPBackend, sdpa_kernel

    query, key, value = (torch.randn(2, 4, 128, 64, device="cuda", dtype=torch.half) for _ in range(3))
    attention = torch.nn.functional.scaled_dot_product_attention
    expected = attention(query.double().cpu(), key.double().cpu(), value.double().cpu())
    done = []
    for name, feature in (("FLASH_ATTENTION",) * 2, ("EFFICIENT_ATTENTION", "MEM_EFF_ATTENTION"), ("MATH", "")):
        try:
            with sdpa_kernel(getattr(SDPBackend, name)):
                found = attention(query, key, value)
        except RuntimeError as error:
            assert "No available kernel" in str(error) and name != "MATH", error
            # PyTorch has the first for compute capability 8.0 and newer.
            old = name == "FLASH_ATTENTION" and torch.cuda.get_device_capability() < (8, 0)
            assert old or not claims(options, feature), name
            continue
        assert distance(found, expected) < 5e-3, name
        done.append(name)
    return ", ".join(done)


@needs_gpu
def cuda_graph(torch, options):
    x = torch.ones(64, 64, device="cuda")
    x @ x
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = x @ x + x
    x.fill_(3)
    graph.replay()
    assert distance(y, torch.full((64, 64), 64 * 9 + 3.0)) < 1e-5


@needs_gpu
def cuda_errors(torch, options):
    try:
        torch.empty(1 << 50, dtype=torch.uint8, device="cuda")
    except torch.cuda.OutOfMemoryError as error:
        assert "CUDA out of memory" in str(error)
    else:
        raise AssertionError("there is no limit of memory")
    program = """
import torch
try:
    torch.ones(8, device="cuda").index_select(0, torch.full((4,), 1000, device="cuda"))
    torch.cuda.synchronize()
except RuntimeError as error:
    print("caught:", str(error).splitlines()[0])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, (done.returncode, done.stderr)
    assert "caught:" in done.stdout and "device-side assert triggered" in done.stdout, done.stdout
    return done.stdout.strip()


def all_reduce(rank, ranks, folder):
    import torch

    store = "file://" + os.path.join(folder, "store")
    torch.cuda.set_device(rank)
    torch.distributed.init_process_group("nccl", init_method=store, rank=rank, world_size=ranks)
    for type in (torch.float, torch.half, torch.long):
        tensor = (torch.arange(100) + rank + 1).to("cuda", type)
        torch.distributed.all_reduce(tensor)
        assert torch.equal(tensor.cpu(), (ranks * torch.arange(100) + ranks * (ranks + 1) // 2).to(type)), tensor
    torch.distributed.destroy_process_group()


@needs_gpu
def cuda_all_reduce(torch, options):
    """A process for each GPU, at most two: torch.distributed with NCCL."""
    if not torch.distributed.is_available() or not torch.distributed.is_nccl_available():
        assert not claims(options, "NCCL"), "there is no NCCL"
        raise Skipped("built without NCCL")
    ranks = min(2, torch.cuda.device_count())
    with tempfile.TemporaryDirectory() as folder:
        torch.multiprocessing.spawn(all_reduce, args=(ranks, folder), nprocs=ranks)
    return "over %d GPUs" % ranks


@needs_gpu
def cuda_compiled_function(torch, options):
    with contextlib.suppress(ImportError):
        import triton

        compiled = torch.compile(lambda x: torch.exp(x) / (1 + torch.exp(x)))
        x = torch.linspace(-3, 3, 1000, device="cuda")
        assert torch.allclose(compiled(x), torch.sigmoid(x), atol=1e-6)
        return "Triton " + triton.__version__
    raise Skipped("Triton is not installed")
