// SPDX-License-Identifier: BSD-3-Clause
#include "elf/ar_archive.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "common/error.h"

namespace torchpkg {

namespace {

constexpr std::string_view kMagic = "!<arch>\n";
constexpr std::string_view kThinMagic = "!<thin>\n";
constexpr std::uint64_t kHeaderSize = 60;

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// A decimal number that fills all of `text`; false when it is none.
bool read_number(std::string_view text, std::uint64_t& number) {
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  return !text.empty() && parsed.ec == std::errc{} && parsed.ptr == end;
}

std::uint64_t big_endian(Bytes bytes) {
  std::uint64_t value = 0;
  for (const std::uint8_t byte : bytes) value = value << 8U | byte;
  return value;
}

}  // namespace

bool is_ar(Bytes bytes) {
  const std::string_view text = as_text(bytes);
  return text.starts_with(kMagic) || text.starts_with(kThinMagic);
}

ArArchive::ArArchive(Bytes bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {
  if (!is_ar(bytes)) fail(0, "it does not begin as an archive does");
  thin_ = as_text(bytes).starts_with(kThinMagic);
  read();
}

void ArArchive::fail(std::uint64_t at, const std::string& what) const {
  throw Error(ExitCode::kBadInput,
              fmt::format("{} is a damaged static library: byte {}: {}", name_, at, what),
              "make it again");
}

ArArchive::Header ArArchive::read_header(std::uint64_t at) const {
  if (bytes_.size() - at < kHeaderSize) fail(at, "the header of a member is cut off");
  const std::string_view text = as_text(bytes_.subspan(at, kHeaderSize));
  if (text.substr(58) != "`\n") fail(at, "there is no member's header where one should begin");
  Header header;
  header.name = without_blanks(text.substr(0, 16));
  if (!read_number(without_blanks(text.substr(48, 10)), header.size)) {
    fail(at, "the size of a member is not a number");
  }
  return header;
}

std::string ArArchive::member_name(const Header& header, std::uint64_t at) const {
  std::string_view name = header.name;
  if (name.starts_with('/') && name.size() > 1) {
    std::uint64_t offset = 0;
    if (!read_number(name.substr(1), offset) || offset >= long_names_.size()) {
      fail(at, fmt::format("the name {} points outside the table of names", name));
    }
    const std::string_view rest = long_names_.substr(offset);
    name = rest.substr(0, std::min(rest.find('\n'), rest.size()));
  }
  if (name.ends_with('/')) name.remove_suffix(1);
  return std::string(name);
}

void ArArchive::read() {
  std::uint64_t at = kMagic.size();
  while (at < bytes_.size()) {
    const Header header = read_header(at);
    const std::uint64_t data_at = at + kHeaderSize;
    const bool index = header.name == "/" || header.name == "/SYM64/";
    const bool names = header.name == "//";
    const bool here = !thin_ || index || names;
    if (here && header.size > bytes_.size() - data_at) {
      fail(at, fmt::format("a member of {} bytes runs over the file's end", header.size));
    }
    const Bytes content = here ? bytes_.subspan(data_at, header.size) : Bytes{};
    if (index) {
      has_index_ = true;
      wide_index_ = header.name == "/SYM64/";
      index_ = content;
      index_at_ = data_at;
    } else if (names) {
      long_names_ = as_text(content);
    } else {
      members_.push_back({member_name(header, at), content});
    }
    // Each begins at an even byte; the last one's filling may be missing.
    at = data_at + content.size();
    at = std::min<std::uint64_t>(at + at % 2, bytes_.size());
  }
}

std::vector<std::string_view> ArArchive::index() const {
  std::vector<std::string_view> symbols;
  if (!has_index_) return symbols;
  const std::uint64_t width = wide_index_ ? 8 : 4;
  if (index_.size() < width) fail(index_at_, "the index is cut off");
  const std::uint64_t count = big_endian(index_.first(width));
  if (count > (index_.size() - width) / width) {
    fail(index_at_, fmt::format("the index has no room for {} symbols", count));
  }
  std::string_view names = as_text(index_.subspan(width + count * width));
  symbols.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::size_t end = names.find('\0');
    if (end == std::string_view::npos) fail(index_at_, "the index has fewer names than symbols");
    symbols.push_back(names.substr(0, end));
    names.remove_prefix(end + 1);
  }
  return symbols;
}

}  // namespace torchpkg
