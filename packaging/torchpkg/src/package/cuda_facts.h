// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <string>

#include "common/file.h"
#include "cuda/device_code.h"

namespace torchpkg {

/// The GPU code in a library of a CUDA package, and what it says about the versions of
/// NVIDIA's libraries. Texts are looked for among the constants (.rodata).
struct CudaFacts {
  std::string path;  ///< in the package
  bool archive = false;
  DeviceCode code;
  bool nccl_kernels = false;   ///< it has NCCL's kernels
  bool magma_kernels = false;  ///< it has MAGMA's
  std::string nccl_version;    ///< "2.21.5+cuda12.4"
  std::string cudnn_version;   ///< "9.1.0.70"
  std::string tools_version;   ///< "12.4", of a compiler that is inside (NVRTC, nvJitLink)
  /// Of libtorch_cuda: its texts of eight hexadecimal digits, one of which may be what NVRTC's
  /// file is looked for by when it was renamed.
  std::set<std::string> hashes;

  [[nodiscard]] std::string file_name() const { return path.substr(path.rfind('/') + 1); }
};

/// For an ELF file or a static library. Error: kBadInput when it is damaged.
CudaFacts read_cuda_facts(const std::string& path, Bytes bytes);

}  // namespace torchpkg
