// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "common/tree.h"
#include "zip/reader.h"

namespace torchpkg::zip {

/// The entries in the archive's order, with where symlinks lead.
/// Error: kBadInput when a symlink cannot be read.
std::vector<TreeEntry> read_tree(const Reader& reader);

}  // namespace torchpkg::zip
