// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace torchpkg {

/// `torchpkg scan --help` describes them.
struct ScanOptions {
  std::vector<std::filesystem::path> paths;
  bool device_code = false;
  unsigned jobs = 0;
};

/// The facts in all ELF files and static libraries that the paths name or have below them, as JSON;
/// README.md lists its members. Symlinks below a folder are not followed.
/// Errors: kBadInput for a damaged file, and for a named file of another kind; kEnvironment for
/// what cannot be read.
std::string scan(const ScanOptions& options);

}  // namespace torchpkg
