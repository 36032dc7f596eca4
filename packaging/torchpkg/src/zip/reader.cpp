// SPDX-License-Identifier: BSD-3-Clause
#include "zip/reader.h"

#include <fmt/core.h>
#include <libdeflate.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "common/error.h"
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

/// Takes the 64-bit values out of an entry's ZIP64 field, in their order there.
void apply_zip64_extra(Entry& entry, Bytes extra, std::uint64_t extra_at) {
  std::uint64_t at = 0;
  while (at + 4 <= extra.size()) {
    const std::uint16_t id = get16(extra, at);
    const std::uint16_t length = get16(extra, at + 2);
    if (length > extra.size() - at - 4) {
      throw bad(extra_at + at,
                fmt::format("an extra field of {} is longer than its room", entry.name));
    }
    if (id == kZip64Extra) {
      Bytes field = extra.subspan(at + 4, length);
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
  read_directory(find_directory());
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
  entries_.reserve(directory.count);
  std::uint64_t at = directory.at;
  for (std::uint64_t i = 0; i < directory.count; ++i) entries_.push_back(read_central(at, end, at));
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
  const bool unix_made = archive_[at + 5] == 3;
  if (unix_made) entry.mode = get32(archive_, at + 38) >> 16U;
  apply_zip64_extra(entry, archive_.subspan(name_at + name_size, extra_size), name_at + name_size);
  next = name_at + name_size + extra_size + comment_size;
  return entry;
}

Bytes Reader::compressed_data(const Entry& entry) const {
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
  return archive_.subspan(data_at, entry.compressed);
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
    // Deflate cannot do better than 1032:1, so a false size does not make us ask for memory.
    if (entry.size / 1032 > data.size()) {
      throw bad(at, fmt::format("{} claims more bytes than its data can hold", entry.name));
    }
    out.resize(entry.size);
    const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)>
        decompressor(libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
    if (!decompressor) {
      throw Error(ExitCode::kEnvironment, "there is not enough memory to decompress",
                  "use fewer --jobs");
    }
    const auto status = libdeflate_deflate_decompress(decompressor.get(), data.data(), data.size(),
                                                      out.data(), out.size(), nullptr);
    if (status != LIBDEFLATE_SUCCESS) {
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

std::vector<std::string> name_problems(const std::vector<Entry>& entries) {
  std::vector<std::string> problems;
  std::vector<const Entry*> sorted;
  sorted.reserve(entries.size());
  for (const Entry& entry : entries) sorted.push_back(&entry);

  std::sort(sorted.begin(), sorted.end(),
            [](const Entry* a, const Entry* b) { return a->name < b->name; });
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const Entry& entry = *sorted[i];
    const std::string where = fmt::format("byte {}: {}", entry.central_at, entry.name);
    if (i > 0 && sorted[i - 1]->name == entry.name) problems.push_back(where + " is there twice");
    if (entry.name.empty()) problems.push_back(where + "an entry has no name");
    if (entry.name.starts_with('/')) problems.push_back(where + " has an absolute name");
    if (entry.name.find('\\') != std::string::npos || entry.name.find('\0') != std::string::npos) {
      problems.push_back(where + " has a backslash or a zero byte in its name");
    }
    if (("/" + entry.name + "/").find("/../") != std::string::npos) {
      problems.push_back(where + " has .. in its name");
    }
  }

  std::sort(sorted.begin(), sorted.end(),
            [](const Entry* a, const Entry* b) { return a->header_at < b->header_at; });
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const Entry& before = *sorted[i - 1];
    const std::uint64_t room = sorted[i]->header_at - before.header_at;
    if (room < kLocalHeaderSize || room - kLocalHeaderSize < before.compressed) {
      problems.push_back(fmt::format("byte {}: the data of {} and {} overlap", sorted[i]->header_at,
                                     before.name, sorted[i]->name));
    }
  }
  return problems;
}

}  // namespace torchpkg::zip
