// SPDX-License-Identifier: BSD-3-Clause
//
// scaled_dot_product_attention by each of its implementations, against the plain one in double
// precision on the CPU.
#include <ATen/Context.h>
#include <ATen/SDPBackend.h>

#include "checks.h"

namespace {

struct Implementation {
  const char* name;
  const char* feature;
  at::SDPBackend backend;
  int capability;  // of the GPU, at least
};
const Implementation implementations[] = {
    {"flash", "FLASH_ATTENTION", at::SDPBackend::flash_attention, 80},
    {"memory_efficient", "MEM_EFF_ATTENTION", at::SDPBackend::efficient_attention, 50},
    // Which cuDNN can do it for which GPU, PyTorch decides: no feature promises it.
    {"cudnn", "", at::SDPBackend::cudnn_attention, 80},
    {"math", "", at::SDPBackend::math, 0},
};

void use_only(at::SDPBackend backend) {
  auto& context = at::globalContext();
  context.setSDPUseFlash(backend == at::SDPBackend::flash_attention);
  context.setSDPUseMemEfficient(backend == at::SDPBackend::efficient_attention);
  context.setSDPUseCuDNN(backend == at::SDPBackend::cudnn_attention);
  context.setSDPUseMath(backend == at::SDPBackend::math);
}

// The result, and the gradients.
std::vector<at::Tensor> attention(const std::vector<at::Tensor>& given) {
  std::vector<at::Tensor> inputs;
  for (const at::Tensor& one : given) {
    inputs.push_back(one.detach().clone().set_requires_grad(true));
  }
  const at::Tensor result =
      at::scaled_dot_product_attention(inputs[0], inputs[1], inputs[2], {}, 0.0, true);
  result.backward(at::ones_like(result));
  return {result.detach(), inputs[0].grad(), inputs[1].grad(), inputs[2].grad()};
}

}  // namespace

void check_cuda_attention(Report& report, const Expectations& expected, const Gpu& gpu) {
  at::manual_seed(31);
  std::vector<at::Tensor> there;
  std::vector<at::Tensor> here;
  for (int i = 0; i < 3; ++i) {
    there.push_back(at::randn({2, 4, 128, 64}, at::kHalf));
    here.push_back(there.back().to(at::kDouble));
    there.back() = there.back().cuda();
  }
  const auto reference = attention(here);
  for (const Implementation& one : implementations) {
    const std::string name = std::string("cuda::attention::") + one.name;
    if (gpu.capability < one.capability) {
      report.skip(name, "not for " + gpu.name);
      continue;
    }
    report.topic(name, [&] {
      use_only(one.backend);
      int64_t choice = -1;
      std::string why = "PyTorch does not choose it here";
      try {
        choice = at::_fused_sdp_choice(there[0], there[1], there[2], {}, 0.0, true);
      } catch (const c10::Error& error) {
        why = error.what_without_backtrace();
      }
      if (is_there(report, expected, name, one.feature, choice == static_cast<int64_t>(one.backend),
                   why)) {
        const auto found = attention(there);
        report.at_most(name, distance(found[0], reference[0]), 5e-3);
        double worst = 0;
        for (size_t part = 1; part < found.size(); ++part) {
          worst = std::max(worst, distance(found[part], reference[part]));
        }
        report.at_most(name + "::gradients", worst, 1e-2);
      }
    });
  }
  auto& context = at::globalContext();
  context.setSDPUseFlash(true);
  context.setSDPUseMemEfficient(true);
  context.setSDPUseCuDNN(true);
  context.setSDPUseMath(true);
}
