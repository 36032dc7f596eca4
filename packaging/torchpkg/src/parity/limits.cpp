// SPDX-License-Identifier: BSD-3-Clause
#include "parity/limits.h"

#include <charconv>
#include <string_view>

#include "common/error.h"

namespace torchpkg {

namespace {

double parse_percent(std::string_view text) {
  unsigned value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (text.empty() || parsed.ec != std::errc{} || parsed.ptr != end) {
    throw Error(ExitCode::kUsage, "--fail-on larger=" + std::string(text) + " is no number",
                "give whole percents, as in --fail-on larger=10");
  }
  return value;
}

}  // namespace

ParityLimits parse_parity_limits(const std::vector<std::string>& words) {
  constexpr std::string_view kLarger = "larger=";
  ParityLimits limits;
  for (const std::string& word : words) {
    if (word == "missing-files") {
      limits.missing_files = true;
    } else if (word == "missing-libraries") {
      limits.missing_libraries = true;
    } else if (word == "missing-headers") {
      limits.missing_headers = true;
    } else if (word == "missing-symbols") {
      limits.missing_symbols = true;
    } else if (word == "soname") {
      limits.soname = true;
    } else if (word.starts_with(kLarger)) {
      limits.larger_percent = parse_percent(std::string_view(word).substr(kLarger.size()));
    } else {
      throw Error(ExitCode::kUsage, "--fail-on does not know " + word,
                  "use missing-files, missing-libraries, missing-headers, missing-symbols, soname "
                  "or larger=<percent>");
    }
  }
  return limits;
}

}  // namespace torchpkg
