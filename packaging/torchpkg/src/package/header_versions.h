// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace torchpkg {

/// The number behind `#define <name>` in a header; empty when it is not defined there.
std::string defined_number(std::string_view header, const std::string& name);

/// A header that states the version of a source that libtorch was built with.
struct VersionHeader {
  std::string_view source;  ///< its name in the manifest
  std::string_view path;    ///< in the package
};

/// The headers of other projects that libtorch installs and that tell their version.
const std::vector<VersionHeader>& version_headers();

/// Whether a path is one of them.
bool is_header_with_version(std::string_view path);

/// The version that such a header tells ("3.7.2"); empty when it tells none.
std::string version_in_header(std::string_view source, std::string_view header);

}  // namespace torchpkg
