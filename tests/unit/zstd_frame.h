// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace torchpkg::test {

/// A text compressed with Zstandard.
std::string zstd_frame(std::string_view text);

}  // namespace torchpkg::test
