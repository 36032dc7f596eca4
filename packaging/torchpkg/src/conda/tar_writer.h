// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "common/file.h"
#include "zip/entry_list.h"

namespace torchpkg::conda {

/// Writes a tar stream: ustar, with a pax header where a name is long or not ASCII, or a file is
/// 8 GiB or larger. Its bytes depend only on names, content, executable bits and the time; the
/// owner is root, modes are 755 and 644.
/// https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html
/// Not libarchive's writer: that one needs a UTF-8 locale for names that are not ASCII.
class TarWriter {
 public:
  using Sink = std::function<void(Bytes)>;

  /// `time`: of every entry, seconds since 1970. `sink` receives the stream, in order.
  TarWriter(std::int64_t time, Sink sink) : time_(time), sink_(std::move(sink)) {}

  /// Adds a file, a symlink or a file that lies in memory; no folders.
  /// Error: kEnvironment when the file cannot be read, or has changed its size.
  void add(const zip::SourceEntry& entry);

  /// Writes the end mark.
  void finish();

 private:
  void write_header(std::string_view name, std::string_view target, std::uint64_t size,
                    unsigned mode, char type);
  void write_pax_header(const std::string& records);
  void write_padded(Bytes data);

  std::int64_t time_;
  Sink sink_;
};

}  // namespace torchpkg::conda
