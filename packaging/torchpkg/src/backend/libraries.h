// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace torchpkg::backend {

/// A library of a backend's toolkit, or one that belongs to it such as cuDNN: an entry of
/// `backends/<kind>/libraries.json`.
struct Library {
  std::string backend;             ///< the kind: "cuda"
  std::string name;                ///< of its version in the manifest: "cublas"
  std::string feature;             ///< of PyTorch's, which alone uses it: "NVSHMEM"
  std::vector<std::string> files;  ///< what comes before ".so", or patterns: "libcudnn_*"
  std::vector<std::string>
      wheel_folders;  ///< in site-packages, of all versions: "nvidia/cublas/lib"

  /// Whether a file name or SONAME is one of its files', shared or static: "libcudnn_ops.so.9",
  /// "libcudart_static.a".
  [[nodiscard]] bool has(std::string_view file) const;
};

/// The library, of all backends that torchpkg was built with, that has a file of this name or
/// SONAME; null when none has.
const Library* library_of(std::string_view file);

/// SONAMEs of what comes with a driver, which no package can contain.
const std::vector<std::string>& driver_libraries();

}  // namespace torchpkg::backend
