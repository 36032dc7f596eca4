// SPDX-License-Identifier: BSD-3-Clause
#include "wheel/metadata_header.h"

#include <fmt/core.h>

#include <algorithm>

#include "common/text.h"
#include "wheel/scanner.h"

namespace torchpkg::wheel {

namespace {

/// The name of the field that begins in a line; empty when none does.
std::string_view name_in(std::string_view line) {
  Scanner rest(line);
  const std::string_view name =
      rest.take_while([](char c) { return c > ' ' && c < '\x7f' && c != ':'; });
  return rest.take(":") ? name : std::string_view();
}

}  // namespace

MetadataHeader parse_metadata_header(std::string_view metadata) {
  MetadataHeader header;
  for (std::size_t number = 1; !metadata.empty(); ++number) {
    const std::size_t end = std::min(metadata.find('\n'), metadata.size());
    std::string_view line = metadata.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    metadata.remove_prefix(std::min(end + 1, metadata.size()));
    if (line.empty()) {
      header.body = metadata;
      return header;
    }
    const std::string_view name = name_in(line);
    const bool continues = is_blank(line.front()) && !header.fields.empty();
    // For Python a carriage return alone ends a line, too.
    if (line.find('\r') != std::string_view::npos || (name.empty() && !continues)) {
      header.damage = fmt::format("line {}, {}, is no line of a header", number, in_quotes(line));
      return header;
    }
    if (continues) {
      header.fields.back().value += '\n';
      header.fields.back().value += line;
    } else {
      line.remove_prefix(name.size() + 1);
      line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
      header.fields.push_back({name, std::string(line)});
    }
  }
  return header;
}

}  // namespace torchpkg::wheel
