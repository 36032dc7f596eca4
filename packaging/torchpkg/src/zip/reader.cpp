// SPDX-License-Identifier: BSD-3-Clause
#include "zip/reader.h"

#include <fmt/core.h>
#include <libdeflate.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "common/error.h"
#include "common/unpack_limits.h"
#include "zip/format.h"

namespace torchpkg::zip {

namespace {

constexpr const char* kMakeAgain = "make or download the archive again";

Error bad(std::uint64_t at, const std::string& what) {
  return {ExitCode::kBadInput, fmt::format("byte {}: {}", at, what), kMakeAgain};
}

std::uint16_t get16(Bytes bytes, std::uint64_t at) { return get<std::uint16_t>(&bytes[at]); }
std::uint32_t get32(Bytes bytes, std::uint64_t at) { return get<std::uint32_t>(&bytes[at]); }
std::uint64_t get64(Bytes bytes, std::uint64_t at) { return get<std::uint64_t>(&bytes[at]); }

/// Takes the 64-bit values out of an entry's ZIP64 field, in their order there. A field that gives
/// the entry another name is what some programs go by.
void apply_extra(Entry& entry, Bytes extra, std::uint64_t extra_at) {
  std::uint64_t at = 0;
  while (at + 4 <= extra.size()) {
    const std::uint16_t id = get16(extra, at);
    const std::uint16_t length = get16(extra, at + 2);
    if (length > extra.size() - at - 4) {
      throw bad(extra_at + at,
                fmt::format("an extra field of {} is longer than its room", entry.name));
    }
    Bytes field = extra.subspan(at + 4, length);
    if (id == kUnicodePathExtra &&
        (length < kUnicodePathName || as_text(field.subspan(kUnicodePathName)) != entry.name)) {
      throw bad(extra_at + at, fmt::format("an extra field gives {} another name", entry.name));
    }
    if (id == kZip64Extra) {
      for (std::uint64_t* value : {&entry.size, &entry.compressed, &entry.header_at}) {
        if (*value != kMax32) continue;
        if (field.size() < 8) {
          throw bad(extra_at + at, fmt::format("the ZIP64 field of {} is too short", entry.name));
        }
        *value = get64(field, 0);
        field = field.subspan(8);
      }
    }
    at += 4 + std::uint64_t{length};
  }
}

/// The size of the data descriptor: CRC and sizes behind an entry's data. It may have a signature,
/// and sizes of 32 or 64 bits. 0: there is none with the entry's numbers.
std::uint64_t descriptor_size(Bytes after, const Entry& entry) {
  for (const bool wide : {true, false}) {
    std::vector<std::uint8_t> expected;
    put(expected, kDataDescriptor);
    put(expected, entry.crc);
    for (const std::uint64_t size : {entry.compressed, entry.size}) {
      wide ? put(expected, size) : put(expected, static_cast<std::uint32_t>(size));
    }
    for (const Bytes form : {Bytes(expected), Bytes(expected).subspan(4)}) {
      if (after.size() >= form.size() && std::equal(form.begin(), form.end(), after.begin())) {
        return form.size();
      }
    }
  }
  return 0;
}

}  // namespace

bool Entry::is_symlink() const { return (mode & kTypeMask) == kTypeSymlink; }

bool looks_like_zip(Bytes bytes) {
  if (bytes.size() < 4) return false;
  const std::uint32_t begin = get32(bytes, 0);
  return begin == kLocalHeader || begin == kEndRecord;
}

Reader::Reader(Bytes archive) : archive_(archive) {
  if (!looks_like_zip(archive)) {
    throw Error(ExitCode::kBadInput, "byte 0: this is not a ZIP file", "give a .zip file");
  }
  const Directory directory = find_directory();
  directory_at_ = directory.at;
  read_directory(directory);
}

Reader::Directory Reader::find_directory() const {
  const std::uint64_t size = archive_.size();
  const std::uint64_t farthest = std::min<std::uint64_t>(size, kEndRecordSize + kMax16);
  for (std::uint64_t back = kEndRecordSize; back <= farthest; ++back) {
    const std::uint64_t at = size - back;
    if (get32(archive_, at) != kEndRecord) continue;
    if (at + kEndRecordSize + get16(archive_, at + 20) != size) continue;
    Directory directory;
    directory.end_record_at = at;
    directory.count = get16(archive_, at + 10);
    directory.size = get32(archive_, at + 12);
    directory.at = get32(archive_, at + 16);
    apply_zip64(directory);
    if (directory.at > at || directory.size > at - directory.at) {
      throw bad(at, fmt::format("the central directory ({} bytes at {}) lies outside the file of "
                                "{} bytes",
                                directory.size, directory.at, size));
    }
    return directory;
  }
  throw bad(size, "the file ends before the end record of the archive: it is truncated");
}

void Reader::apply_zip64(Directory& directory) const {
  const bool needed =
      directory.count == kMax16 || directory.size == kMax32 || directory.at == kMax32;
  if (!needed || directory.end_record_at < kZip64LocatorSize) return;
  const std::uint64_t locator = directory.end_record_at - kZip64LocatorSize;
  if (get32(archive_, locator) != kZip64Locator) return;
  const std::uint64_t record = get64(archive_, locator + 8);
  if (record > locator || locator - record < kZip64EndRecordSize) {
    throw bad(locator, "the ZIP64 locator points outside the file");
  }
  if (get32(archive_, record) != kZip64EndRecord) {
    throw bad(record, "there is no ZIP64 end record where the locator says");
  }
  directory.count = get64(archive_, record + 32);
  directory.size = get64(archive_, record + 40);
  directory.at = get64(archive_, record + 48);
}

void Reader::read_directory(const Directory& directory) {
  const std::uint64_t end = directory.at + directory.size;
  if (directory.count > directory.size / kCentralHeaderSize) {
    throw bad(directory.end_record_at,
              fmt::format("{} entries do not fit a central directory of {} bytes", directory.count,
                          directory.size));
  }
  check_entry_count(directory.count);
  UnpackLimits limits(archive_.size());
  entries_.reserve(directory.count);
  std::uint64_t at = directory.at;
  for (std::uint64_t i = 0; i < directory.count; ++i) {
    const Entry& entry = entries_.emplace_back(read_central(at, end, at));
    limits.count(entry.name, entry.size, entry.compressed);
  }
  if (at != end) throw bad(at, "the central directory is longer than its entries");
}

Entry Reader::read_central(std::uint64_t at, std::uint64_t end, std::uint64_t& next) const {
  if (end - at < kCentralHeaderSize || get32(archive_, at) != kCentralHeader) {
    throw bad(at, "there is no central directory entry where one should begin");
  }
  const std::uint64_t name_size = get16(archive_, at + 28);
  const std::uint64_t extra_size = get16(archive_, at + 30);
  const std::uint64_t comment_size = get16(archive_, at + 32);
  const std::uint64_t name_at = at + kCentralHeaderSize;
  if (name_size + extra_size + comment_size > end - name_at) {
    throw bad(at, "a central directory entry runs over the directory's end");
  }
  Entry entry;
  entry.central_at = at;
  entry.name = as_text(archive_.subspan(name_at, name_size));
  entry.flags = get16(archive_, at + 8);
  entry.method = get16(archive_, at + 10);
  entry.crc = get32(archive_, at + 16);
  entry.compressed = get32(archive_, at + 20);
  entry.size = get32(archive_, at + 24);
  entry.header_at = get32(archive_, at + 42);
  // Whatever system claims to have made it: not all programs ask.
  entry.mode = get32(archive_, at + 38) >> 16U;
  apply_extra(entry, archive_.subspan(name_at + name_size, extra_size), name_at + name_size);
  next = name_at + name_size + extra_size + comment_size;
  return entry;
}

Reader::Place Reader::place_of(const Entry& entry) const {
  const std::uint64_t at = entry.header_at;
  const std::uint64_t size = archive_.size();
  if (at > size || size - at < kLocalHeaderSize) {
    throw bad(entry.central_at, fmt::format("{} should begin at {}, outside the file of {} bytes",
                                            entry.name, at, size));
  }
  if (get32(archive_, at) != kLocalHeader) {
    throw bad(at, fmt::format("{} should begin here, but there is no local header", entry.name));
  }
  const std::uint64_t name_size = get16(archive_, at + 26);
  const std::uint64_t extra_size = get16(archive_, at + 28);
  const std::uint64_t name_at = at + kLocalHeaderSize;
  if (name_size + extra_size > size - name_at ||
      as_text(archive_.subspan(name_at, name_size)) != entry.name) {
    throw bad(at, fmt::format("the local header of {} names another file", entry.name));
  }
  const std::uint64_t data_at = name_at + name_size + extra_size;
  if (entry.compressed > size - data_at) {
    throw bad(data_at, fmt::format("the data of {} ({} bytes) runs over the file's end", entry.name,
                                   entry.compressed));
  }
  const std::uint64_t end = data_at + entry.compressed;
  const Bytes extra = archive_.subspan(name_at + name_size, extra_size);
  return {archive_.subspan(data_at, entry.compressed),
          end + compare_local_header(entry, extra, archive_.subspan(end))};
}

std::uint64_t Reader::compare_local_header(const Entry& entry, Bytes extra, Bytes after) const {
  const std::uint64_t at = entry.header_at;
  Entry local;
  local.name = entry.name;
  local.crc = get32(archive_, at + 14);
  local.compressed = get32(archive_, at + 18);
  local.size = get32(archive_, at + 22);
  apply_extra(local, extra, at + kLocalHeaderSize + entry.name.size());
  bool same = get16(archive_, at + 6) == entry.flags && get16(archive_, at + 8) == entry.method;
  std::uint64_t descriptor = 0;
  if ((entry.flags & kFlagDescriptor) != 0) {
    descriptor = descriptor_size(after, entry);
    same = same && descriptor != 0;
  }
  const bool all_later =
      descriptor != 0 && local.crc == 0 && local.size == 0 && local.compressed == 0;
  same = same && (all_later || (local.crc == entry.crc && local.size == entry.size &&
                                local.compressed == entry.compressed));
  if (same) return descriptor;
  throw bad(at, fmt::format("flags, method, CRC or sizes of {} are others here than in the "
                            "directory",
                            entry.name));
}

std::vector<std::string> Reader::layout_problems() const {
  std::vector<const Entry*> sorted;
  sorted.reserve(entries_.size());
  for (const Entry& entry : entries_) sorted.push_back(&entry);
  std::sort(sorted.begin(), sorted.end(),
            [](const Entry* a, const Entry* b) { return a->header_at < b->header_at; });
  std::uint64_t end = 0;
  const auto misplaced = [&end](std::uint64_t at, const std::string& what) {
    return at < end ? fmt::format("byte {}: {} begins in the data of another entry", at, what)
                    : fmt::format("byte {}: {} should begin here, not at {}", end, what, at);
  };
  try {
    for (const Entry* entry : sorted) {
      if (entry->header_at != end) return {misplaced(entry->header_at, entry->name)};
      end = place_of(*entry).end;
    }
  } catch (const Error& error) {
    return {error.what()};
  }
  if (directory_at_ != end) return {misplaced(directory_at_, "the central directory")};
  return {};
}

std::vector<std::uint8_t> Reader::content(const Entry& entry) const {
  const Bytes data = compressed_data(entry);
  const std::uint64_t at = entry.header_at;
  if ((entry.flags & kFlagEncrypted) != 0) {
    throw bad(at, fmt::format("{} is encrypted", entry.name));
  }
  std::vector<std::uint8_t> out;
  if (entry.method == kStored) {
    if (entry.size != data.size()) {
      throw bad(at, fmt::format("{} is stored, but its two sizes differ", entry.name));
    }
    out.assign(data.begin(), data.end());
  } else if (entry.method == kDeflated) {
    out.resize(entry.size);
    const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)>
        decompressor(libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
    if (!decompressor) {
      throw Error(ExitCode::kEnvironment, "there is not enough memory to decompress",
                  "use fewer --jobs");
    }
    std::size_t read = 0;
    const auto status = libdeflate_deflate_decompress_ex(
        decompressor.get(), data.data(), data.size(), out.data(), out.size(), &read, nullptr);
    if (status != LIBDEFLATE_SUCCESS || read != data.size()) {
      throw bad(at, fmt::format("the data of {} cannot be decompressed to {} bytes", entry.name,
                                entry.size));
    }
  } else {
    throw bad(at, fmt::format("{} has the unknown method {}", entry.name, entry.method));
  }
  if (libdeflate_crc32(0, out.data(), out.size()) != entry.crc) {
    throw bad(at, fmt::format("the content of {} does not have the CRC that the directory says",
                              entry.name));
  }
  return out;
}

}  // namespace torchpkg::zip
