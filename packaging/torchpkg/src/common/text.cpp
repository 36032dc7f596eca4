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

std::string counted(std::size_t count, std::string_view one, std::string_view several) {
  std::string what(count == 1 || several.empty() ? one : several);
  if (count != 1 && several.empty()) what += 's';
  return fmt::format("{} {}", count, what);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kWhitespace = " \t\n\v\f\r";
  const std::size_t begin = text.find_first_not_of(kWhitespace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kWhitespace) - begin + 1);
}

std::string printable(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool control = byte < 0x20 || byte == 0x7f;
    out += control ? fmt::format("\\x{:02x}", static_cast<unsigned>(byte)) : std::string(1, c);
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
