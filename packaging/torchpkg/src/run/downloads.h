// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace torchpkg {

/// A download that a command tried, as its log tells.
struct Download {
  std::string what;       ///< a URL, a host, a requirement of pip's, else the log's own words
  std::string_view line;  ///< the line of the log

  bool operator==(const Download&) const = default;
};

/// What the proxy writes into the log (NetworkGuard), and tsb_isolate_package.cmake too.
constexpr std::string_view kRefusedDownload = "refused a download: ";

/// The downloads that a log mentions, each once, in the order in which they were tried.
std::vector<Download> downloads_in(std::string_view log);

}  // namespace torchpkg
