// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "common/file.h"
#include "zip/entry_list.h"
#include "zip/output_file.h"

namespace torchpkg::zip {

/// A date and time of day in the format of MS-DOS (two seconds' resolution, from 1980 on).
struct DosTime {
  std::uint16_t time = 0;
  std::uint16_t date = 0x21;  ///< 1980-01-01

  /// From seconds since 1970 (UTC); times before 1980 and after 2107 become the nearest possible.
  static DosTime from_epoch(std::int64_t seconds);
};

/// Writes the headers of a ZIP file around data that comes in order. ZIP64 where it is needed.
class Writer {
 public:
  Writer(const std::filesystem::path& path, DosTime time) : file_(path), time_(time) {}

  /// Begins an entry whose data follows through append_data(). `method`: kStored or kDeflated.
  /// For a stored one `source.size` may be an upper bound, when its length shows only at its end.
  void begin_entry(const SourceEntry& source, std::uint16_t method);

  void append_data(Bytes data) { file_.append(data); }

  /// Ends the entry: writes `crc` (of the uncompressed bytes) and the sizes into its header.
  void end_entry(std::uint32_t crc);

  /// Writes the central directory and puts the file under its name.
  void finish();

 private:
  struct Record {
    std::string name;
    std::uint32_t mode = 0;
    std::uint16_t method = 0;
    bool wide = false;  ///< its local header has the ZIP64 field
    std::uint32_t crc = 0;
    std::uint64_t size = 0;
    std::uint64_t compressed = 0;
    std::uint64_t header_at = 0;
    std::uint64_t data_at = 0;
  };

  [[nodiscard]] std::vector<std::uint8_t> local_header(const Record& record) const;
  void append_central(std::vector<std::uint8_t>& out, const Record& record) const;

  OutputFile file_;
  DosTime time_;
  std::vector<Record> records_;
};

}  // namespace torchpkg::zip
