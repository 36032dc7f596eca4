// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace torchpkg {

/// Which differences from the reference make a check fail; none of them unless asked for.
struct ParityLimits {
  bool missing_files = false;  ///< a library, header, CMake or Python file
  bool missing_libraries = false;
  bool missing_headers = false;
  bool missing_symbols = false;  ///< of libtorch's own interface, see is_torch_api()
  bool soname = false;
  std::optional<double> larger_percent;  ///< a library that has grown by more
};

/// From the words of `--fail-on`: missing-files, missing-libraries, missing-headers,
/// missing-symbols, soname, larger=<percent>. Error: kUsage for another word.
ParityLimits parse_parity_limits(const std::vector<std::string>& words);

}  // namespace torchpkg
