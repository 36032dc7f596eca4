// SPDX-License-Identifier: BSD-3-Clause
#include "common/unpack_limits.h"

#include <fmt/core.h>

#include <algorithm>

#include "common/text.h"

namespace torchpkg {

namespace {

/// What `packed` bytes may become.
std::uint64_t most_of(std::uint64_t packed, std::uint64_t most) {
  using Limits = UnpackLimits;
  return std::min(most, Limits::kFree + Limits::kMostRatio * std::min(packed, most));
}

std::string shown_limit(std::uint64_t limit, std::uint64_t packed) {
  return fmt::format("the limit for {} is {}", human_size(packed), human_size(limit));
}

}  // namespace

TooLarge::TooLarge(const std::string& message)
    : Error(ExitCode::kBadInput, message,
            "do not unpack it: no package is like this, and it would fill memory or disk") {}

UnpackLimits::UnpackLimits(std::uint64_t archive)
    : archive_(archive), most_(most_of(archive, kMostOfAll)) {}

void UnpackLimits::count(const std::string& name, std::uint64_t size, std::uint64_t packed) {
  check_entry_count(++entries_);
  const std::uint64_t most = std::min(most_, most_of(packed, kMostOfOne));
  if (size > most) {
    throw TooLarge(fmt::format("{} unpacks to {}; {}", printable(name), human_size(size),
                               shown_limit(most, std::min(packed, archive_))));
  }
  total_ += size;
  if (total_ > most_) {
    throw TooLarge(fmt::format("all up to {} unpacks to {}; {}", printable(name),
                               human_size(total_), shown_limit(most_, archive_)));
  }
}

void UnpackLimits::check_stream(std::uint64_t done) const {
  if (done <= most_) return;
  throw TooLarge("the tar goes on and on; " + shown_limit(most_, archive_));
}

void check_text_size(const std::string& name, std::uint64_t size) {
  if (size <= UnpackLimits::kMostText) return;
  throw TooLarge(fmt::format("{} has {}; the limit for a file that is parsed is {}",
                             printable(name), human_size(size),
                             human_size(UnpackLimits::kMostText)));
}

void check_entry_count(std::uint64_t count) {
  if (count <= UnpackLimits::kMostEntries) return;
  throw TooLarge(fmt::format("{} entries or more are inside; the limit is {}", count,
                             UnpackLimits::kMostEntries));
}

}  // namespace torchpkg
