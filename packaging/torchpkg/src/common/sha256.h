// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "common/file.h"

namespace torchpkg {

/// The SHA-256 of `data` as 64 hexadecimal digits.
std::string sha256_hex(Bytes data);

/// The same of a text.
std::string sha256_of_text(std::string_view text);

/// The SHA-256 of a file's content. Error: kEnvironment when it cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace torchpkg
