// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace torchpkg::wheel {

/// A line of RECORD: the path, quoted where CSV wants it, the hash and the size in bytes.
/// `sha256`: 64 hexadecimal digits; empty for RECORD itself, which has neither hash nor size.
/// https://packaging.python.org/en/latest/specifications/recording-installed-packages/
std::string record_line(std::string_view path, std::string_view sha256, std::uint64_t size);

}  // namespace torchpkg::wheel
