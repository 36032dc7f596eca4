// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "common/partial_file.h"

namespace torchpkg::zip {

/// A file that appears when it is complete (PartialFile), written in large pieces.
class OutputFile {
 public:
  /// Error: kEnvironment when the folder is not writable.
  explicit OutputFile(std::filesystem::path path);

  /// Appends. Error: kEnvironment (disk full...).
  void append(Bytes data);

  /// Overwrites bytes that were appended before.
  void overwrite(std::uint64_t offset, Bytes data);

  /// How much was appended, bytes.
  [[nodiscard]] std::uint64_t position() const { return position_; }

  /// Flushes and renames the file into place.
  void commit();

 private:
  void flush();

  std::filesystem::path path_;
  PartialFile partial_;
  std::vector<std::uint8_t> buffer_;
  std::uint64_t position_ = 0;
};

}  // namespace torchpkg::zip
