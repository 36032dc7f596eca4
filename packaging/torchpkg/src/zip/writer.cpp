// SPDX-License-Identifier: BSD-3-Clause
#include "zip/writer.h"

#include <algorithm>
#include <ctime>

#include "zip/format.h"

namespace torchpkg::zip {

namespace {

constexpr std::uint16_t kVersionDeflate = 20;
constexpr std::uint16_t kVersionZip64 = 45;
constexpr std::uint16_t kMadeOnUnix = 3U << 8U;
constexpr std::uint32_t kDosFolder = 0x10;

/// From this size on a file's compressed form might not fit 32 bits (incompressible data grows).
constexpr std::uint64_t kWideFrom = 0xf0000000;

std::uint32_t mode_of(const SourceEntry& source) {
  switch (source.kind) {
    case SourceEntry::Kind::kFolder:
      return kTypeFolder | 0755U;
    case SourceEntry::Kind::kSymlink:
      return kTypeSymlink | 0777U;
    case SourceEntry::Kind::kFile:
      break;
  }
  return kTypeFile | (source.executable ? 0755U : 0644U);
}

std::uint16_t flags_of(const std::string& name) {
  const bool ascii = std::all_of(name.begin(), name.end(),
                                 [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return ascii ? 0 : kFlagUtf8;
}

std::uint32_t narrow(std::uint64_t value) {
  return value >= kMax32 ? kMax32 : static_cast<std::uint32_t>(value);
}

}  // namespace

DosTime DosTime::from_epoch(std::int64_t seconds) {
  const auto when = static_cast<std::time_t>(seconds);
  std::tm utc{};
  if (gmtime_r(&when, &utc) == nullptr || utc.tm_year > 207) return {0xbf7d, 0xff9f};
  if (utc.tm_year < 80) return {};
  const auto field = [](int value, unsigned shift) {
    return static_cast<unsigned>(value) << shift;
  };
  DosTime result;
  result.time = static_cast<std::uint16_t>(field(utc.tm_hour, 11) | field(utc.tm_min, 5) |
                                           field(utc.tm_sec / 2, 0));
  result.date = static_cast<std::uint16_t>(field(utc.tm_year - 80, 9) | field(utc.tm_mon + 1, 5) |
                                           field(utc.tm_mday, 0));
  return result;
}

void Writer::begin_entry(const SourceEntry& source, std::uint16_t method) {
  Record record;
  record.name = source.name;
  record.mode = mode_of(source);
  record.method = method;
  record.wide = source.size >= kWideFrom;
  record.size = source.size;
  record.header_at = file_.position();
  file_.append(local_header(record));
  record.data_at = file_.position();
  records_.push_back(record);
}

void Writer::end_entry(std::uint32_t crc) {
  Record& record = records_.back();
  record.crc = crc;
  record.compressed = file_.position() - record.data_at;
  if (record.method == kStored) record.size = record.compressed;
  file_.overwrite(record.header_at, local_header(record));
}

std::vector<std::uint8_t> Writer::local_header(const Record& record) const {
  std::vector<std::uint8_t> out;
  put(out, kLocalHeader, record.wide ? kVersionZip64 : kVersionDeflate, flags_of(record.name),
      record.method, time_.time, time_.date, record.crc,
      record.wide ? kMax32 : narrow(record.compressed), record.wide ? kMax32 : narrow(record.size),
      static_cast<std::uint16_t>(record.name.size()),
      static_cast<std::uint16_t>(record.wide ? 20 : 0));
  put_text(out, record.name);
  if (record.wide) put(out, kZip64Extra, std::uint16_t{16}, record.size, record.compressed);
  return out;
}

void Writer::append_central(std::vector<std::uint8_t>& out, const Record& record) const {
  constexpr std::uint16_t kNone = 0;  // comment, disk, internal attributes
  std::vector<std::uint8_t> wide;
  for (const std::uint64_t value : {record.size, record.compressed, record.header_at}) {
    if (value >= kMax32) put(wide, value);
  }
  const std::uint32_t dos = record.name.ends_with('/') ? kDosFolder : 0;
  const std::uint16_t version = record.wide || !wide.empty() ? kVersionZip64 : kVersionDeflate;
  put(out, kCentralHeader, static_cast<std::uint16_t>(kMadeOnUnix | version), version,
      flags_of(record.name), record.method, time_.time, time_.date, record.crc,
      narrow(record.compressed), narrow(record.size),
      static_cast<std::uint16_t>(record.name.size()),
      static_cast<std::uint16_t>(wide.empty() ? 0 : wide.size() + 4), kNone, kNone, kNone,
      (record.mode << 16U) | dos, narrow(record.header_at));
  put_text(out, record.name);
  if (wide.empty()) return;
  put(out, kZip64Extra, static_cast<std::uint16_t>(wide.size()));
  out.insert(out.end(), wide.begin(), wide.end());
}

void Writer::finish() {
  constexpr std::uint16_t kNone = 0;  // disks, comment
  const std::uint64_t directory_at = file_.position();
  std::vector<std::uint8_t> out;
  for (const Record& record : records_) append_central(out, record);
  const std::uint64_t directory_size = out.size();
  const std::uint64_t count = records_.size();
  if (count >= kMax16 || directory_at >= kMax32 || directory_size >= kMax32) {
    put(out, kZip64EndRecord, kZip64EndRecordSize,
        static_cast<std::uint16_t>(kMadeOnUnix | kVersionZip64), kVersionZip64, std::uint32_t{0},
        std::uint32_t{0}, count, count, directory_size, directory_at);
    put(out, kZip64Locator, std::uint32_t{0}, directory_at + directory_size, std::uint32_t{1});
  }
  const auto short_count = static_cast<std::uint16_t>(std::min<std::uint64_t>(count, kMax16));
  put(out, kEndRecord, kNone, kNone, short_count, short_count, narrow(directory_size),
      narrow(directory_at), kNone);
  file_.append(out);
  file_.commit();
}

}  // namespace torchpkg::zip
