// SPDX-License-Identifier: BSD-3-Clause
#include "common/source_date.h"

#include <fmt/core.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "common/error.h"

namespace torchpkg {

std::optional<std::int64_t> source_date() {
  const char* text = std::getenv("SOURCE_DATE_EPOCH");
  if (text == nullptr || *text == '\0') return std::nullopt;
  const std::string_view digits(text);
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), seconds);
  if (error != std::errc() || end != digits.end()) {
    throw Error(ExitCode::kUsage, fmt::format("SOURCE_DATE_EPOCH is not a number: {}", digits),
                "set it to seconds since 1970, or unset it");
  }
  return seconds;
}

}  // namespace torchpkg
