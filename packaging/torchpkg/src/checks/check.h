// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace torchpkg {

struct CheckOptions {
  std::filesystem::path package;               ///< a packed package, or the folder it is made from
  std::vector<std::filesystem::path> reports;  ///< files, each of the form that its suffix says
  std::vector<std::string> forbid_paths;       ///< folders whose name must occur in no file
  std::filesystem::path debug_package;         ///< that of the debug information; or empty
  unsigned jobs = 0;                           ///< threads; 0: as many as processors
};

/// Looks at a package and reports, as text on standard output and in files. Returns 0 when all
/// checks pass, 1 when one fails. Reports are written beside and renamed. Errors: kUsage for a
/// report with an unknown suffix; kBadInput when the input is not a package, or its manifest is
/// missing or wrong; kEnvironment when something cannot be read or written.
int check(const CheckOptions& options);

}  // namespace torchpkg
