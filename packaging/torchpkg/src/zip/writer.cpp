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
    case SourceEntry::Kind::kMemory:
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
  put(out, kLocalHeader);
  put(out, record.wide ? kVersionZip64 : kVersionDeflate);
  put(out, flags_of(record.name));
  put(out, record.method);
  put(out, time_.time);
  put(out, time_.date);
  put(out, record.crc);
  put(out, record.wide ? kMax32 : narrow(record.compressed));
  put(out, record.wide ? kMax32 : narrow(record.size));
  put(out, static_cast<std::uint16_t>(record.name.size()));
  put(out, static_cast<std::uint16_t>(record.wide ? 20 : 0));
  put_text(out, record.name);
  if (record.wide) {
    put(out, kZip64Extra);
    put(out, std::uint16_t{16});
    put(out, record.size);
    put(out, record.compressed);
  }
  return out;
}

void Writer::append_central(std::vector<std::uint8_t>& out, const Record& record) const {
  std::vector<std::uint8_t> wide;
  for (const std::uint64_t value : {record.size, record.compressed, record.header_at}) {
    if (value >= kMax32) put(wide, value);
  }
  const bool folder = (record.mode & kTypeMask) == kTypeFolder;
  const std::uint16_t version = record.wide || !wide.empty() ? kVersionZip64 : kVersionDeflate;
  put(out, kCentralHeader);
  put(out, static_cast<std::uint16_t>(kMadeOnUnix | version));
  put(out, version);
  put(out, flags_of(record.name));
  put(out, record.method);
  put(out, time_.time);
  put(out, time_.date);
  put(out, record.crc);
  put(out, narrow(record.compressed));
  put(out, narrow(record.size));
  put(out, static_cast<std::uint16_t>(record.name.size()));
  put(out, static_cast<std::uint16_t>(wide.empty() ? 0 : wide.size() + 4));
  put(out, std::uint16_t{0});  // comment
  put(out, std::uint16_t{0});  // disk
  put(out, std::uint16_t{0});  // internal attributes
  put(out, (record.mode << 16U) | (folder ? kDosFolder : 0));
  put(out, narrow(record.header_at));
  put_text(out, record.name);
  if (!wide.empty()) {
    put(out, kZip64Extra);
    put(out, static_cast<std::uint16_t>(wide.size()));
    out.insert(out.end(), wide.begin(), wide.end());
  }
}

void Writer::finish() {
  const std::uint64_t directory_at = file_.position();
  std::vector<std::uint8_t> out;
  for (const Record& record : records_) append_central(out, record);
  const std::uint64_t directory_size = out.size();
  const std::uint64_t count = records_.size();
  if (count >= kMax16 || directory_at >= kMax32 || directory_size >= kMax32) {
    put(out, kZip64EndRecord);
    put(out, std::uint64_t{kZip64EndRecordSize - 12});
    put(out, static_cast<std::uint16_t>(kMadeOnUnix | kVersionZip64));
    put(out, kVersionZip64);
    put(out, std::uint32_t{0});
    put(out, std::uint32_t{0});
    put(out, count);
    put(out, count);
    put(out, directory_size);
    put(out, directory_at);
    put(out, kZip64Locator);
    put(out, std::uint32_t{0});
    put(out, directory_at + directory_size);
    put(out, std::uint32_t{1});
  }
  const auto short_count = static_cast<std::uint16_t>(std::min<std::uint64_t>(count, kMax16));
  put(out, kEndRecord);
  put(out, std::uint16_t{0});
  put(out, std::uint16_t{0});
  put(out, short_count);
  put(out, short_count);
  put(out, narrow(directory_size));
  put(out, narrow(directory_at));
  put(out, std::uint16_t{0});  // comment
  file_.append(out);
  file_.commit();
}

}  // namespace torchpkg::zip
