// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "check_fixture.h"

namespace torchpkg::test {

/// Makes a stand-in of a package for CUDA 12.4 out of the sample package in `root`, whose libraries
/// are real and whose kernels are not: libtorch_cuda.so with fat binaries for 8.0 and 9.0+PTX, one
/// of them also for 9.0a, and NCCL's and MAGMA's marks; and, bundled, libcudart, libcublas, NVRTC
/// with its builtins, cuDNN with its parts. It passes every check.
void make_cuda_package(const fs::path& root);

/// What libtorch_cuda.so's source has besides its fat binaries, `texts` among it.
std::string cuda_source(const Names& texts);

/// A copy of a good CUDA package for each test, to be broken and checked.
class CheckCuda : public CheckTest {
 protected:
  void SetUp() override;

  /// Compiles libtorch_cuda.so again, with these fat binaries.
  static Change make_torch_cuda(const std::string& fat_binaries, const Names& texts = {});
};

}  // namespace torchpkg::test
