// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

namespace torchpkg {

/// Describes an ELF file, a static library, or all ELF files below a folder, of those also what a
/// conda package with them would need of its host. `json`: for machines; otherwise plain text.
/// Errors: kBadInput for other or damaged files, kEnvironment for what cannot be read.
std::string inspect(const std::filesystem::path& path, bool json);

}  // namespace torchpkg
