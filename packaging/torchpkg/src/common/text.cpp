// SPDX-License-Identifier: BSD-3-Clause
#include "common/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace torchpkg {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string join(const std::vector<std::string>& items, std::string_view separator) {
  std::string text;
  for (const std::string& item : items) {
    if (!text.empty()) text += separator;
    text += item;
  }
  return text;
}

std::string join_some(const std::vector<std::string>& items, std::size_t limit) {
  if (items.size() <= limit) return join(items, ", ");
  const std::vector<std::string> first(items.begin(),
                                       items.begin() + static_cast<std::ptrdiff_t>(limit));
  return fmt::format("{} and {} more", join(first, ", "), items.size() - limit);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kWhitespace = " \t\n\v\f\r";
  const std::size_t begin = text.find_first_not_of(kWhitespace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kWhitespace) - begin + 1);
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&text](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned first = byte(at);
  if (at >= text.size()) return 0;
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xc0U) != 0x80) return 0;
  }
  // Longer than needed, half of a surrogate pair, beyond the last character.
  const unsigned second = byte(at + 1);
  if (first == 0xe0 && second < 0xa0) return 0;
  if (first == 0xed && second > 0x9f) return 0;
  if (first == 0xf0 && second < 0x90) return 0;
  if (first == 0xf4 && second > 0x8f) return 0;
  return length;
}

namespace {

/// Whether a character of UTF-8 ends a line, or changes the order in which others are shown.
bool moves_text(std::string_view character) {
  constexpr std::array<std::array<std::string_view, 2>, 4> kRanges{
      {{"\u061c", "\u061c"}, {"\u200e", "\u200f"}, {"\u2028", "\u202e"}, {"\u2066", "\u2069"}}};
  return std::any_of(kRanges.begin(), kRanges.end(), [&](const auto& range) {
    return range[0] <= character && character <= range[1];
  });
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    const auto byte = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F are control characters too.
    const bool c1 = length == 2 && byte == 0xc2 && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    if (length == 0 || byte < 0x20 || byte == 0x7f || c1 || moves_text(text.substr(i, length))) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(byte));
      ++i;
    } else {
      out += text.substr(i, length);
      i += length;
    }
  }
  return out;
}

std::string human_size(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  constexpr std::array<std::string_view, 4> kUnits = {"KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

int compare_versions(std::string_view left, std::string_view right) {
  const auto next = [](std::string_view& text) {
    std::uint64_t number = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number).ptr;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const std::size_t dot = text.find('.');
    text.remove_prefix(dot == std::string_view::npos ? text.size() : dot + 1);
    return number;
  };
  while (!left.empty() || !right.empty()) {
    const bool left_ended = left.empty();
    const bool right_ended = right.empty();
    if (left_ended != right_ended) return left_ended ? -1 : 1;
    const std::uint64_t a = next(left);
    const std::uint64_t b = next(right);
    if (a != b) return a < b ? -1 : 1;
  }
  return 0;
}

}  // namespace torchpkg
