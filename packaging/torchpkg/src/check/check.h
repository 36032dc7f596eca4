// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace torchpkg {

/// `torchpkg check --help` describes them.
struct CheckOptions {
  std::filesystem::path folder;
  std::filesystem::path report;
  std::vector<std::string> forbid_paths;
  std::filesystem::path debug;
  unsigned jobs = 0;
  bool brief = false;
};

/// Checks the folder of a package, prints a row for each check (with `brief` only if one fails),
/// how many passed, and writes the report. Returns the exit code: whether every row passed. Errors:
/// see gather_facts().
int check(const CheckOptions& options);

}  // namespace torchpkg
