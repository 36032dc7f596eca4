// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string_view>

#include "common/file.h"

namespace torchpkg {

/// A file that is written beside its final name, as `<name>.partial-<random>`, and appears under it
/// only when it is complete and on the disk. Dropped before commit(), it leaves nothing. A name
/// that would be too long is shortened.
///
/// It is locked while this object lives. The kernel gives the lock back when the process ends, in a
/// container or on another host too, so a partial file without a lock is one of a killed run. On a
/// file system without locks those stay.
class PartialFile {
 public:
  /// Makes the parent folders and removes partial files of `path` that nobody holds.
  /// Error: kEnvironment, naming the file.
  explicit PartialFile(std::filesystem::path path);
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  /// Where it is until commit().
  [[nodiscard]] const std::filesystem::path& path() const { return partial_; }

  /// Open for writing, at its beginning.
  [[nodiscard]] const FileDescriptor& file() const { return file_; }

  /// Writes it to the disk and renames it into place. Error: kEnvironment, naming the file.
  void commit();

 private:
  std::filesystem::path final_;
  std::filesystem::path partial_;
  FileDescriptor file_;
};

/// Writes `text` beside `path` and renames it into place, unless the file already holds exactly
/// that. Makes the parent folders. Error: kEnvironment, naming the file.
void write_text_atomically(const std::filesystem::path& path, std::string_view text);

}  // namespace torchpkg
