// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace torchpkg {

/// Names of libraries that every host has and that are therefore never bundled.
class AllowList {
 public:
  /// The C library's parts and its loader, libgcc_s, libstdc++, the drivers' libraries.
  static AllowList built_in();

  /// From a file: one name or pattern (`*`, `?`) a line, `#` begins a comment.
  /// Error: kEnvironment when it cannot be read.
  static AllowList from_file(const std::filesystem::path& path);

  [[nodiscard]] bool allows(const std::string& name) const;

 private:
  std::vector<std::string> patterns_;
};

/// Whether a library comes with a GPU's driver, which no package can contain.
bool is_driver_library(std::string_view name);

/// Whether a library is an OpenMP runtime, by its file name or SONAME. Such a library is never
/// renamed: two of them in one process start two teams of threads.
bool is_openmp_runtime(std::string_view name);

}  // namespace torchpkg
