// SPDX-License-Identifier: BSD-3-Clause
#include "conda/tar_writer.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "common/error.h"

namespace torchpkg::conda {

using zip::SourceEntry;

namespace {

constexpr std::size_t kBlock = 512;
constexpr std::uint64_t kSizeLimit = std::uint64_t{1} << 33U;  // eleven octal digits
constexpr unsigned kExecutable = 0755;
constexpr unsigned kPlain = 0644;
constexpr unsigned kLink = 0777;
constexpr char kRegularType = '0';
constexpr char kSymlinkType = '2';
constexpr char kPaxType = 'x';

/// The header of an entry, all of it text.
struct Header {
  std::array<char, 100> name{};
  std::array<char, 8> mode{};
  std::array<char, 8> uid{};
  std::array<char, 8> gid{};
  std::array<char, 12> size{};
  std::array<char, 12> mtime{};
  std::array<char, 8> checksum{};
  char type = kRegularType;
  std::array<char, 100> target{};
  std::array<char, 8> magic{'u', 's', 't', 'a', 'r', '\0', '0', '0'};
  std::array<char, 32> user{'r', 'o', 'o', 't'};
  std::array<char, 32> group{'r', 'o', 'o', 't'};
  std::array<char, 8> device_major{};
  std::array<char, 8> device_minor{};
  std::array<char, 155> prefix{};
  std::array<char, 12> unused{};
};
static_assert(sizeof(Header) == kBlock);

Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

template <std::size_t N>
void put_text(std::array<char, N>& field, std::string_view text) {
  std::copy_n(text.begin(), std::min(text.size(), N), field.begin());
}

template <std::size_t N>
void put_number(std::array<char, N>& field, std::uint64_t number) {
  put_text(field, fmt::format("{:0{}o}", number, N - 1));
}

/// A record of a pax header counts its own length, with the digits of that.
std::string pax_record(std::string_view key, std::string_view value) {
  const std::size_t rest = key.size() + value.size() + 3;  // ' ', '=', '\n'
  std::size_t length = rest + 1;
  while (length != rest + std::to_string(length).size()) ++length;
  return fmt::format("{} {}={}\n", length, key, value);
}

bool needs_pax(std::string_view name) {
  return name.size() > sizeof(Header::name) ||
         std::any_of(name.begin(), name.end(), [](char c) { return (c & 0x80) != 0; });
}

}  // namespace

void TarWriter::write_padded(Bytes data) {
  static constexpr std::array<std::uint8_t, kBlock> kZeros{};
  if (!data.empty()) sink_(data);
  const std::size_t over = data.size() % kBlock;
  if (over != 0) sink_(Bytes(kZeros).first(kBlock - over));
}

void TarWriter::write_header(std::string_view name, std::string_view target, std::uint64_t size,
                             unsigned mode, char type) {
  Header header;
  put_text(header.name, name);
  put_number(header.mode, mode);
  put_number(header.uid, 0);
  put_number(header.gid, 0);
  put_number(header.size, size < kSizeLimit ? size : 0);
  put_number(header.mtime, static_cast<std::uint64_t>(std::max<std::int64_t>(time_, 0)));
  header.type = type;
  put_text(header.target, target);
  put_number(header.device_major, 0);
  put_number(header.device_minor, 0);
  header.checksum.fill(' ');
  std::array<std::uint8_t, kBlock> raw{};
  std::memcpy(raw.data(), &header, kBlock);
  unsigned sum = 0;
  for (const std::uint8_t byte : raw) sum += byte;
  const std::string digits = fmt::format("{:06o}", sum);
  std::copy(digits.begin(), digits.end(), header.checksum.begin());
  header.checksum[digits.size()] = '\0';
  std::memcpy(raw.data(), &header, kBlock);
  sink_(raw);
}

void TarWriter::write_pax_header(const std::string& records) {
  write_header("././@PaxHeader", "", records.size(), kPlain, kPaxType);
  write_padded(bytes_of(records));
}

void TarWriter::add(const SourceEntry& entry) {
  const bool link = entry.kind == SourceEntry::Kind::kSymlink;
  const std::string_view target = link ? std::string_view(entry.text) : std::string_view();
  const std::uint64_t size = link ? 0 : entry.size;
  std::string records;
  if (needs_pax(entry.name)) records += pax_record("path", entry.name);
  if (needs_pax(target)) records += pax_record("linkpath", target);
  if (size >= kSizeLimit) records += pax_record("size", std::to_string(size));
  if (!records.empty()) write_pax_header(records);
  const unsigned mode = entry.executable ? kExecutable : kPlain;
  write_header(entry.name, target, size, link ? kLink : mode, link ? kSymlinkType : kRegularType);
  if (link) return;
  if (entry.kind == SourceEntry::Kind::kMemory) {
    write_padded(bytes_of(entry.text));
    return;
  }
  const MappedFile file(entry.path);
  if (file.bytes().size() != entry.size) {
    throw Error(ExitCode::kEnvironment, entry.path.string() + " changed while it was packed",
                "pack again when nothing writes there");
  }
  write_padded(file.bytes());
}

void TarWriter::finish() {
  static constexpr std::array<std::uint8_t, 2 * kBlock> kEnd{};
  sink_(kEnd);
}

}  // namespace torchpkg::conda
