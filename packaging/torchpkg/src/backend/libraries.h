// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace torchpkg::backend {

/// A library of a backend's toolkit, or one that belongs to it such as cuDNN: an entry of
/// `backends/<kind>/libraries.json`, with what its package says about all.
struct Library {
  std::string name;                ///< of its version in the manifest: "cublas"
  std::vector<std::string> files;  ///< what comes before ".so", or patterns: "libcudnn_*"
  std::string wheel_project;       ///< "nvidia-cublas", without a suffix for CUDA's major version
  std::string wheel_folder;        ///< in site-packages: "nvidia/cublas/lib"
  /// The CUDA since which the wheels of its package have no suffix and one folder; may be empty.
  std::string wheels_moved_in;
  std::vector<std::string> conda;  ///< conda-forge's packages that have it or had it; may be empty
  std::string conda_until_11;      ///< the one that had all of its package until CUDA 11
  std::string opened_as;           ///< the name without a version by which others open it, if any

  /// Whether a file name or SONAME is one of its files': "libcudnn_ops.so.9".
  [[nodiscard]] bool has(std::string_view file) const;
};

/// Those of all backends that torchpkg was built with.
const std::vector<Library>& libraries();

/// The library that has a file of this name or SONAME; null when none has.
const Library* library_of(std::string_view file);

/// SONAMEs of what comes with a driver, which no package can contain.
const std::vector<std::string>& driver_libraries();

}  // namespace torchpkg::backend
