// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace torchpkg {

/// `torchpkg check --help` describes them.
struct CheckOptions {
  std::filesystem::path package;
  std::vector<std::filesystem::path> reports;
  std::vector<std::string> forbid_paths;
  std::filesystem::path debug_package;
  unsigned jobs = 0;
};

/// Looks at a package and reports, as text on standard output and in files. Returns 0 when all
/// checks pass, 1 when one fails. Reports are written beside and renamed. Errors: kUsage for a
/// report with an unknown suffix; kBadInput when the input is not a package, or its manifest is
/// missing or wrong; kEnvironment when something cannot be read or written.
int check(const CheckOptions& options);

}  // namespace torchpkg
