// SPDX-License-Identifier: BSD-3-Clause
#include "parity/wheel_fields.h"

#include <fmt/core.h>

#include <algorithm>

#include "common/sha256.h"
#include "common/text.h"

namespace torchpkg {

namespace {

/// Takes the first line off a text.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// `sympy (==1.13.1) ; python_version >= '3.9'` is `sympy==1.13.1; python_version >= "3.9"`.
std::string normalized_requirement(std::string_view text) {
  const std::size_t semicolon = std::min(text.find(';'), text.size());
  std::string requirement;
  for (const char c : text.substr(0, semicolon)) {
    if (c != ' ' && c != '(' && c != ')') requirement += c;
  }
  std::string marker(trimmed(text.substr(std::min(semicolon + 1, text.size()))));
  std::replace(marker.begin(), marker.end(), '\'', '"');
  return marker.empty() ? requirement : requirement + "; " + marker;
}

}  // namespace

void add_metadata(std::string_view metadata, WheelFields& fields) {
  std::string name;
  std::string value;
  const auto finish = [&] {
    if (name.empty()) return;
    fields[name].insert(name == "Requires-Dist" ? normalized_requirement(value) : value);
  };
  while (!metadata.empty()) {
    const std::string_view line = take_line(metadata);
    if (line.empty()) break;
    if (line.starts_with(' ') || line.starts_with('\t')) {  // goes on with the line before
      value += fmt::format("\n{}", trimmed(line));
      continue;
    }
    finish();
    const std::size_t colon = std::min(line.find(':'), line.size());
    name = line.substr(0, colon);
    value = trimmed(line.substr(std::min(colon + 1, line.size())));
  }
  finish();
  if (metadata.empty()) return;
  fields["Description"].insert(
      fmt::format("{} bytes, SHA-256 {}", metadata.size(), sha256_of_text(metadata).substr(0, 16)));
}

void add_entry_points(std::string_view entry_points, WheelFields& fields) {
  std::string group;
  while (!entry_points.empty()) {
    const std::string_view line = trimmed(take_line(entry_points));
    if (line.starts_with('[') && line.ends_with(']')) {
      group = line.substr(1, line.size() - 2);
    } else if (!line.empty() && !line.starts_with('#')) {
      fields[group].emplace(line);
    }
  }
}

}  // namespace torchpkg
