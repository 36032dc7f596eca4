// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace torchpkg {

/// An absolute path that was found in a file.
struct FoundPath {
  std::size_t line = 0;
  std::string path;
};

/// Absolute paths in a CMake file that would break it on another machine. The file is read as
/// CMake reads it, so that these are not taken for paths: comments; messages and documentation
/// strings; patterns (string(REGEX), MATCHES, FILTER...); what follows a variable or a generator
/// expression (`${dir}/lib`); MSVC flags (`/EHsc`); suffixes (`/lib`, PATH_SUFFIXES); URLs.
/// Allowed as they stand on every machine: `/`, `/dev/null`, `/bin/sh`, `/usr/bin/env`; the
/// customary homes of SDKs, given only as a default: `/usr/local/cuda`, `/opt/rocm`,
/// `/opt/intel`; folders that only macOS has; and places below `/usr` and `/opt` where a find_*()
/// command looks among others.
std::vector<FoundPath> absolute_paths_in_cmake(std::string_view text);

/// The same for a pkg-config file, where only comments, URLs and the description are left out.
std::vector<FoundPath> absolute_paths_in_pkg_config(std::string_view text);

}  // namespace torchpkg
