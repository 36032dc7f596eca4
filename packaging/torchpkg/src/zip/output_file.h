// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "common/file.h"

namespace torchpkg::zip {

/// A file that is written beside its final name (as `<name>.partial-<pid>`) and appears under it
/// only when it is complete. Dropped before commit(), it leaves nothing.
class OutputFile {
 public:
  /// Makes the parent folders and removes partial files of dead processes.
  /// Error: kEnvironment when the folder is not writable.
  explicit OutputFile(std::filesystem::path path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

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
  std::filesystem::path partial_;
  FileDescriptor file_;
  std::vector<std::uint8_t> buffer_;
  std::uint64_t position_ = 0;
};

}  // namespace torchpkg::zip
