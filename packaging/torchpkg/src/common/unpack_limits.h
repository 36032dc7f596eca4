// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "common/error.h"

namespace torchpkg {

/// An archive unpacks to more than any package: no other part of it is worth reading.
class TooLarge : public Error {
 public:
  explicit TooLarge(const std::string& message);
};

/// Counts what an archive says that it unpacks to, before memory is asked for. Sizes are believed
/// as far as the archive's own size backs them: a header of some bytes can say anything.
class UnpackLimits {
 public:
  static constexpr std::uint64_t kMostEntries = 200'000;
  static constexpr std::uint64_t kMostOfOne = std::uint64_t{32} << 30U;
  static constexpr std::uint64_t kMostOfAll = std::uint64_t{128} << 30U;
  /// An archive of `n` bytes unpacks to this and `kMostRatio * n` at most.
  static constexpr std::uint64_t kFree = std::uint64_t{64} << 20U;
  static constexpr std::uint64_t kMostRatio = 100;
  /// JSON, METADATA and what else is kept in memory and parsed.
  static constexpr std::uint64_t kMostText = std::uint64_t{16} << 20U;

  /// `archive`: its size in bytes.
  explicit UnpackLimits(std::uint64_t archive);

  /// `packed`: how much of the archive the entry is. Error: TooLarge.
  void count(const std::string& name, std::uint64_t size, std::uint64_t packed);

  /// `done`: how much of a stream was unpacked until now. Error: TooLarge.
  void check_stream(std::uint64_t done) const;

 private:
  std::uint64_t archive_;
  std::uint64_t most_;
  std::uint64_t total_ = 0;
  std::uint64_t entries_ = 0;
};

/// Error: TooLarge for a file to be parsed that is larger than kMostText.
void check_text_size(const std::string& name, std::uint64_t size);

/// Error: TooLarge for more entries than UnpackLimits::kMostEntries.
void check_entry_count(std::uint64_t count);

}  // namespace torchpkg
