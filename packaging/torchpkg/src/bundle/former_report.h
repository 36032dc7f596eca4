// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <vector>

#include "bundle/bundle.h"

namespace torchpkg {

/// What the report of an earlier `bundle` says was copied. Error: kBadInput when the file is
/// something else.
std::vector<BundledLibrary> read_former_report(const std::filesystem::path& report);

}  // namespace torchpkg
