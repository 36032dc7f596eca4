// SPDX-License-Identifier: BSD-3-Clause
//
// Kernels that are compiled while the program runs, by NVRTC: without a toolkit, and NVRTC itself
// and its built-in headers come from the package.
#include <ATen/Context.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <torch/csrc/jit/passes/tensorexpr_fuser.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/jit.h>
#include <torch/script.h>

#include "checks.h"

namespace {

// The beginning of at::cuda::NVRTC, through which PyTorch calls NVRTC. Its header is not among the
// installed ones:
// https://github.com/pytorch/pytorch/blob/v2.6.0/aten/src/ATen/cuda/nvrtc_stub/ATenNVRTC.h
struct Nvrtc {
  int (*version)(int* major, int* minor);
  int (*add_name_expression)(void* program, const char* expression);
  int (*create_program)(void** program, const char* source, const char* name, int headers,
                        const char* const* texts, const char* const* names);
  int (*destroy_program)(void** program);
  int (*get_ptx_size)(void* program, size_t* size);
  int (*get_ptx)(void* program, char* ptx);
  int (*compile_program)(void* program, int options, const char* const* texts);
};

void check_jiterator(Report& report) {
  // All of these exist as source text only:
  // https://github.com/pytorch/pytorch/blob/v2.6.0/aten/src/ATen/native/cuda/Math.cuh
  const at::Tensor x = at::linspace(0.1, 9, 500, at::kDouble);
  report.at_most("cuda::jiterator::bessel_j0",
                 distance(at::special_bessel_j0(x.cuda()), at::special_bessel_j0(x)), 1e-12);
  report.at_most("cuda::jiterator::i0e", distance(at::special_i0e(x.cuda()), at::special_i0e(x)),
                 1e-12);
  report.at_most("cuda::jiterator::digamma", distance(at::digamma(x.cuda()), at::digamma(x)),
                 1e-12);
  const at::Tensor left = at::tensor({12, 18, 35, 64}, at::kLong);
  const at::Tensor right = at::tensor({18, 12, 21, 48}, at::kLong);
  report.at_most("cuda::jiterator::gcd",
                 distance(at::gcd(left.cuda(), right.cuda()), at::tensor({6, 6, 7, 16})), 0);
  report.at_most("cuda::jiterator::lcm",
                 distance(at::lcm(left.cuda(), right.cuda()), at::tensor({36, 36, 105, 192})), 0);
}

void check_fuser(Report& report) {
  const auto unit = torch::jit::compile(R"(
def pointwise(x, y):
    return torch.tanh(x * y + 1.0) * torch.sigmoid(x) - y
)");
  at::manual_seed(51);
  const at::Tensor x = at::randn({1000});
  const at::Tensor y = at::randn({1000});
  const at::Tensor reference = at::tanh(x * y + 1.0) * at::sigmoid(x) - y;
  at::Tensor found;
  for (int run = 0; run < 3; ++run) {  // the first is profiled, then it is fused
    found = unit->run_method("pointwise", x.cuda(), y.cuda()).toTensor();
  }
  report.at_most("cuda::script::fused", distance(found, reference), 1e-5);
  const std::string graph = torch::jit::lastExecutedOptimizedGraph()->toString();
  report.add("cuda::script::fuser", graph.find("prim::TensorExprGroup") != std::string::npos,
             graph.find("prim::TensorExprGroup") != std::string::npos ? "one kernel" : graph,
             "a prim::TensorExprGroup in the graph that ran");
}

void check_scripted_model(Report& report) {
  torch::jit::Module module("Model");
  at::manual_seed(52);
  module.register_parameter("kernel", at::randn({4, 3, 3, 3}), false);
  module.register_parameter("weight", at::randn({2, 4}), false);
  module.define(R"(
def forward(self, x):
    y = torch.relu(torch.conv2d(x, self.kernel))
    return torch.matmul(y.mean([2, 3]), self.weight.t())
)");
  const at::Tensor image = at::randn({5, 3, 12, 12});
  const at::Tensor reference = module.forward({image}).toTensor();
  module.save("torch_consumer_cuda_module.pt");
  module.to(at::kCUDA);
  report.at_most("cuda::script::module",
                 distance(module.forward({image.cuda()}).toTensor(), reference), 1e-4);
  torch::jit::Module loaded =
      torch::jit::load("torch_consumer_cuda_module.pt", at::Device(at::kCUDA));
  report.at_most("cuda::script::load_to_device",
                 distance(loaded.forward({image.cuda()}).toTensor(), reference), 1e-4);
}

}  // namespace

void check_nvrtc(Report& report, int capability) {
  const auto* nvrtc = reinterpret_cast<const Nvrtc*>(&at::globalContext().getNVRTC());
  int major = 0;
  int minor = 0;
  const int status = nvrtc->version(&major, &minor);
  const long built = at::detail::getCUDAHooks().versionCUDART();
  report.add("cuda::nvrtc::version", status == 0 && major == built / 1000,
             std::to_string(major) + "." + std::to_string(minor),
             std::to_string(built / 1000) + "." + std::to_string(built / 10 % 100));

  const char* source =
      "extern \"C\" __global__ void wave(double* x) { x[threadIdx.x] = sin(x[threadIdx.x]); }\n";
  const std::string arch =
      "--gpu-architecture=compute_" + std::to_string(capability == 0 ? 80 : capability);
  const char* options[] = {arch.c_str()};
  void* program = nullptr;
  size_t size = 0;
  std::string ptx;
  bool good = nvrtc->create_program(&program, source, "wave.cu", 0, nullptr, nullptr) == 0;
  int compiled = -1;
  if (good) {
    compiled = nvrtc->compile_program(program, 1, options);
    good = compiled == 0 && nvrtc->get_ptx_size(program, &size) == 0;
    ptx.resize(size);
    good = good && nvrtc->get_ptx(program, ptx.data()) == 0;
    nvrtc->destroy_program(&program);
  }
  report.add(
      "cuda::nvrtc::compile", good && ptx.find(".entry wave") != std::string::npos,
      good ? std::to_string(size) + " characters of PTX" : "status " + std::to_string(compiled),
      "PTX with an entry wave for " + arch);
}

void check_cuda_kernels_at_run_time(Report& report) {
  report.topic("cuda::jiterator", [&] { check_jiterator(report); });
  report.topic("cuda::fuser", [&] { check_fuser(report); });
  report.topic("cuda::scripted_model", [&] { check_scripted_model(report); });
}
