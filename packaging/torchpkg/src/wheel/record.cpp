// SPDX-License-Identifier: BSD-3-Clause
#include "wheel/record.h"

#include <fmt/core.h>
#include <openssl/evp.h>

#include <algorithm>
#include <vector>

namespace torchpkg::wheel {

namespace {

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

unsigned digit(char c) {
  return c <= '9' ? static_cast<unsigned>(c - '0') : static_cast<unsigned>(c - 'a') + 10;
}

/// As RECORD wants a hash: base64 of its bytes, the alphabet for URLs, without padding.
std::string urlsafe_base64(std::string_view hexadecimal) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < hexadecimal.size(); i += 2) {
    bytes.push_back(
        static_cast<std::uint8_t>(digit(hexadecimal[i]) << 4U | digit(hexadecimal[i + 1])));
  }
  std::vector<std::uint8_t> encoded((bytes.size() + 2) / 3 * 4 + 1);
  const int size = ::EVP_EncodeBlock(encoded.data(), bytes.data(), static_cast<int>(bytes.size()));
  std::string text(encoded.begin(), encoded.begin() + size);
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  text.erase(std::min(text.find('='), text.size()));
  return text;
}

}  // namespace

std::string record_line(std::string_view path, std::string_view sha256, std::uint64_t size) {
  if (sha256.empty()) return csv_field(path) + ",,\n";
  return fmt::format("{},sha256={},{}\n", csv_field(path), urlsafe_base64(sha256), size);
}

}  // namespace torchpkg::wheel
