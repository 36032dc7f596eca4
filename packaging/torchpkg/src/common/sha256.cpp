// SPDX-License-Identifier: BSD-3-Clause
#include "common/sha256.h"

#include <openssl/evp.h>

#include <array>

#include "common/error.h"

namespace torchpkg {

std::string sha256_hex(Bytes data) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_Digest(data.data(), data.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
    throw Error(ExitCode::kEnvironment, "OpenSSL cannot compute SHA-256",
                "check the system's OpenSSL configuration");
  }
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    text += kDigits[digest[i] >> 4];
    text += kDigits[digest[i] & 15];
  }
  return text;
}

std::string sha256_of_text(std::string_view text) {
  return sha256_hex({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

std::string sha256_of_file(const std::filesystem::path& path) {
  const MappedFile file(path);
  return sha256_hex(file.bytes());
}

}  // namespace torchpkg
