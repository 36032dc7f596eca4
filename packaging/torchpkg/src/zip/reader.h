// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/file.h"

namespace torchpkg::zip {

/// One line of an archive's central directory.
struct Entry {
  std::string name;
  std::uint16_t method = 0;
  std::uint16_t flags = 0;
  std::uint32_t crc = 0;
  std::uint64_t size = 0;
  std::uint64_t compressed = 0;
  std::uint64_t header_at = 0;   ///< where its local header begins, bytes
  std::uint64_t central_at = 0;  ///< where its central directory line begins, bytes
  std::uint32_t mode = 0;        ///< Unix mode with the file type; 0 when there is none

  [[nodiscard]] bool is_folder() const { return name.ends_with('/'); }
  [[nodiscard]] bool is_symlink() const;
};

/// Reads a whole archive that lies in memory (or is mapped). Every offset and length is checked
/// before it is used; each message says what is wrong and at which byte.
class Reader {
 public:
  /// `archive` must outlive the reader. Errors: kBadInput when the directory cannot be read,
  /// TooLarge when it lists more than UnpackLimits allows.
  explicit Reader(Bytes archive);

  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

  /// What lets programs that read the file from its beginning see something else than those that
  /// read the directory: local headers that differ, entries that overlap, bytes between them. Stops
  /// at the first problem, which is one sentence.
  [[nodiscard]] std::vector<std::string> layout_problems() const;

  /// The compressed bytes of an entry, after a look at its local header. Error: kBadInput.
  [[nodiscard]] Bytes compressed_data(const Entry& entry) const { return place_of(entry).data; }

  /// The decompressed, CRC-checked content of an entry. Error: kBadInput.
  [[nodiscard]] std::vector<std::uint8_t> content(const Entry& entry) const;

 private:
  struct Directory {
    std::uint64_t at = 0;
    std::uint64_t size = 0;
    std::uint64_t count = 0;
    std::uint64_t end_record_at = 0;
  };

  struct Place {
    Bytes data;
    std::uint64_t end = 0;  ///< of the data, or of the data descriptor behind it
  };

  [[nodiscard]] Directory find_directory() const;
  void apply_zip64(Directory& directory) const;
  void read_directory(const Directory& directory);
  [[nodiscard]] Entry read_central(std::uint64_t at, std::uint64_t end, std::uint64_t& next) const;

  [[nodiscard]] Place place_of(const Entry& entry) const;
  /// Returns the size of the data descriptor; `after`: what follows the data.
  [[nodiscard]] std::uint64_t compare_local_header(const Entry& entry, Bytes extra,
                                                   Bytes after) const;

  Bytes archive_;
  std::uint64_t directory_at_ = 0;
  std::vector<Entry> entries_;
};

/// Whether `bytes` begin as ZIP files do (so that "truncated" differs from "no ZIP file").
bool looks_like_zip(Bytes bytes);

}  // namespace torchpkg::zip
