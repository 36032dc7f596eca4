# SPDX-License-Identifier: BSD-3-Clause
"""The checks of wheel_checks.py that do not need a GPU. Each is a function of the module torch and the options; what it
returns is a remark.
"""

import os
import sys
import tempfile

import wheel_feature_checks

CHECKS = [*wheel_feature_checks.CHECKS]


def check(function):
    CHECKS.append(function)
    return function


@check
def version(torch, options):
    assert torch.__version__ == options.version, torch.__version__
    assert torch.version.git_version == options.commit, torch.version.git_version
    if not options.cuda:
        assert torch.version.cuda is None and not torch.cuda.is_available()


@check
def libraries_come_from_the_package(torch, options):
    root = os.path.realpath(options.root) if options.root else os.path.dirname(os.path.realpath(torch.__file__))
    with open("/proc/self/maps") as maps:
        loaded = {line.split()[-1] for line in maps if ".so" in line}
    named = [path for path in loaded if os.path.basename(path).startswith(("libtorch", "libc10", "libgomp", "libshm"))]
    assert named and all(path.startswith(root) for path in named), named


@check
def linear_algebra(torch, options):
    torch.manual_seed(0)
    matrix = torch.randn(40, 30, dtype=torch.float64)
    u, s, v = torch.linalg.svd(matrix, full_matrices=False)
    assert torch.allclose(u @ torch.diag(s) @ v, matrix)
    square = matrix.T @ matrix + torch.eye(30, dtype=torch.float64)
    assert torch.allclose(
        torch.linalg.solve(square, square @ torch.ones(30, dtype=torch.float64)), torch.ones(30).double()
    )
    assert torch.allclose(torch.fft.irfft(torch.fft.rfft(matrix), n=30), matrix)


@check
def convolution_and_autograd(torch, options):
    torch.manual_seed(0)
    layer = torch.nn.Conv2d(3, 4, 3).double()
    image = torch.randn(2, 3, 8, 8, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(layer, (image,))


@check
def training(torch, options):
    torch.manual_seed(0)
    x = torch.linspace(-1, 1, 64).unsqueeze(1)
    model = torch.nn.Sequential(torch.nn.Linear(1, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    losses = []
    for _ in range(200):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), x**2)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0] / 20, losses[::50]


@check
def scripted_model_saved_and_loaded(torch, options):
    model = torch.jit.script(torch.nn.Linear(3, 2))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.pt")
        model.save(path)
        again = torch.jit.load(path)
    x = torch.ones(1, 3)
    assert torch.equal(model(x), again(x))


@check
def saved_tensors(torch, options):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "tensors.pt")
        torch.save({"a": torch.arange(5)}, path)
        assert torch.equal(torch.load(path, weights_only=True)["a"], torch.arange(5))


@check
def errors_are_exceptions(torch, options):
    try:
        torch.ones(2, 3) @ torch.ones(2, 3)
    except RuntimeError as error:
        assert "mat1 and mat2" in str(error), error
    else:
        raise AssertionError("no exception")


@check
def vmap(torch, options):
    x = torch.randn(5, 3)
    assert torch.allclose(torch.func.vmap(torch.sum)(x), x.sum(1))


@check
def functorch_dims(torch, options):
    if sys.version_info >= (3, 12):
        # https://github.com/pytorch/pytorch/blob/v2.6.0/functorch/csrc/dim/dim.cpp
        return "PyTorch switches them off from Python 3.12 on"
    from functorch.dim import dims

    x = torch.randn(5, 3)
    i, j = dims(2)
    assert torch.allclose((x[i, j] * 2).order(i, j), x * 2)


@check
def threads(torch, options):
    torch.set_num_threads(2)
    assert torch.get_num_threads() == 2
    assert torch.ones(1000, 1000).sum().item() == 1e6


@check
def numpy_shares_memory(torch, options):
    import numpy

    array = numpy.zeros(3)
    tensor = torch.from_numpy(array)
    tensor[1] = 7
    assert array[1] == 7 and tensor.numpy() is not None


def add_one(queue, tensor):
    tensor += 1
    queue.put("done")


@check
def memory_shared_between_processes(torch, options):
    import torch.multiprocessing as multiprocessing

    multiprocessing.set_sharing_strategy("file_system")  # starts torch_shm_manager
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    tensor = torch.zeros(4).share_memory_()
    process = context.Process(target=add_one, args=(queue, tensor))
    process.start()
    assert queue.get(timeout=120) == "done"
    process.join()
    assert tensor.tolist() == [1, 1, 1, 1]


@check
def process_group(torch, options):
    if not torch.distributed.is_available() or not torch.distributed.is_gloo_available():
        return "it is off"
    with tempfile.TemporaryDirectory() as folder:
        store = "file://" + os.path.join(folder, "store")
        torch.distributed.init_process_group("gloo", init_method=store, rank=0, world_size=1)
        tensor = torch.ones(2)
        torch.distributed.all_reduce(tensor)
        torch.distributed.destroy_process_group()
    assert tensor.tolist() == [1, 1]


@check
def model_as_onnx(torch, options):
    """libtorch_python and libtorch_cpu hand each other messages of a protobuf that is hidden in one of them."""
    import onnx

    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.onnx")
        torch.onnx.export(model, (torch.ones(1, 3),), path, input_names=["x"], dynamic_axes={"x": {0: "n"}})
        exported = onnx.load(path)
    onnx.checker.check_model(exported, full_check=True)
    assert [node.op_type for node in exported.graph.node] == ["Gemm", "Relu", "Gemm"]
    dimensions = exported.graph.output[0].type.tensor_type.shape.dim
    assert dimensions[1].dim_value == 2, "the shapes were not inferred"


EXTENSION = """
torch::Tensor twice(const torch::Tensor& x) {
  TORCH_CHECK(x.dim() == 1, "one dimension is wanted");
  return x * 2;
}
"""


@check
def extension_in_cpp(torch, options):
    from torch.utils import cpp_extension

    with tempfile.TemporaryDirectory() as folder:
        module = cpp_extension.load_inline("wheel_extension", EXTENSION, functions="twice", build_directory=folder)
    assert torch.equal(module.twice(torch.arange(3)), torch.tensor([0, 2, 4]))
    try:
        module.twice(torch.ones(1, 1))
    except RuntimeError as error:  # thrown in the extension, caught here: one C++ runtime, one ABI
        assert "one dimension is wanted" in str(error)
    else:
        raise AssertionError("no exception")


@check
def compiled_code_uses_vectors(torch, options):
    """torch.compile includes ATen's vector headers, and goes on without vectors when those do not compile."""
    from torch._inductor.cpu_vec_isa import valid_vec_isa_list

    if torch.backends.cpu.get_cpu_capability() == "DEFAULT":
        return "the processor has no vector instructions that PyTorch uses"
    assert valid_vec_isa_list(), "ATen/cpu/vec/vec.h does not compile, or what it needs is not exported"
    compiled = torch.compile(lambda x: torch.exp(x) / (1 + torch.exp(x)))
    x = torch.linspace(-3, 3, 1000)
    assert torch.allclose(compiled(x), torch.sigmoid(x), atol=1e-6)


@check
def model_compiled_ahead_of_time(torch, options):
    """AOTInductor, which takes TorchScript's place. The loader is the one that C++ programs use."""
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU())
    x = torch.ones(2, 3)
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        exported = torch.export.export(model, (x,))
        package = torch._inductor.aoti_compile_and_package(exported, package_path=os.path.join(folder, "model.pt2"))
        assert torch.allclose(torch._inductor.aoti_load_package(package)(x), model(x))
