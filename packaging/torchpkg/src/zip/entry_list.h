// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "common/tree.h"

namespace torchpkg::zip {

/// What becomes one entry of an archive.
struct SourceEntry {
  enum class Kind { kFolder, kFile, kSymlink, kMemory };

  std::string name;  ///< in the archive: `top/lib/x.so`; a folder's ends with a slash
  std::filesystem::path path;
  Kind kind = Kind::kFile;
  std::uint64_t size = 0;  ///< bytes; of a symlink: its target's length
  bool executable = false;
  std::string text;  ///< a symlink's target, or the content of a file that lies in memory
};

/// Everything below `folder`, which may be a link, sorted by name (bytewise). With `rules.one_top`
/// named below its own base name, else without it.
/// Errors: kBadInput for what a check of the archive would refuse (tree_problems()), naming it;
/// kEnvironment for what cannot be read.
std::vector<SourceEntry> list_entries(const std::filesystem::path& folder, TreeRules rules);

}  // namespace torchpkg::zip
