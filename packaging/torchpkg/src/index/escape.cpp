// SPDX-License-Identifier: BSD-3-Clause
#include "index/escape.h"

#include <fmt/core.h>

#include <cctype>

namespace torchpkg::index {

std::string html(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string url(std::string_view name) {
  std::string result;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain =
        byte < 0x80 && (std::isalnum(byte) != 0 || c == '-' || c == '.' || c == '_' || c == '~');
    if (plain) {
      result += c;
    } else {
      result += fmt::format("%{:02X}", byte);
    }
  }
  return result;
}

}  // namespace torchpkg::index
