// SPDX-License-Identifier: BSD-3-Clause
//
// An extension against PyTorch's stable ABI: compiled for 2.10, it loads with every later release.
// https://docs.pytorch.org/docs/stable/notes/libtorch_stable_abi.html
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>

namespace {

// It takes contiguous floats on the CPU.
torch::stable::Tensor thrice(torch::stable::Tensor x) {
  torch::stable::Tensor result = torch::stable::empty_like(x);
  const auto* from = static_cast<const float*>(x.data_ptr());
  auto* to = static_cast<float*>(result.data_ptr());
  for (int64_t i = 0; i < x.numel(); ++i) to[i] = 3 * from[i];
  return result;
}

STABLE_TORCH_LIBRARY(stable_extension, library) { library.def("thrice(Tensor x) -> Tensor"); }
STABLE_TORCH_LIBRARY_IMPL(stable_extension, CPU, library) {
  library.impl("thrice", TORCH_BOX(&thrice));
}

}  // namespace
