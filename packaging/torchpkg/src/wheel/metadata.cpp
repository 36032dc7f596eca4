// SPDX-License-Identifier: BSD-3-Clause
#include "wheel/metadata.h"

#include <algorithm>
#include <cctype>

namespace torchpkg::wheel {

namespace {

std::string normalized(std::string_view name, char separator) {
  std::string result;
  for (const char c : name) {
    if (c != '-' && c != '_' && c != '.') {
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (result.empty() || result.back() != separator) {
      result += separator;
    }
  }
  return result;
}

}  // namespace

std::string file_name_of(std::string_view project) { return normalized(project, '_'); }

std::string index_name_of(std::string_view project) { return normalized(project, '-'); }

std::vector<std::string> metadata_values(std::string_view metadata, std::string_view field) {
  std::vector<std::string> values;
  while (!metadata.empty()) {
    const std::size_t end = std::min(metadata.find('\n'), metadata.size());
    std::string_view line = metadata.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) break;
    if (line.starts_with(field) && line.substr(field.size()).starts_with(": ")) {
      values.emplace_back(line.substr(field.size() + 2));
    }
    metadata.remove_prefix(std::min(end + 1, metadata.size()));
  }
  return values;
}

std::string metadata_field(std::string_view metadata, std::string_view field) {
  const std::vector<std::string> values = metadata_values(metadata, field);
  return values.empty() ? std::string() : values.front();
}

}  // namespace torchpkg::wheel
