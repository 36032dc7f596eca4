// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace torchpkg::zip {

/// What becomes one entry of an archive.
struct SourceEntry {
  enum class Kind { kFolder, kFile, kSymlink };

  std::string name;  ///< in the archive: `top/lib/x.so`; a folder's ends with a slash
  std::filesystem::path path;
  Kind kind = Kind::kFile;
  std::uint64_t size = 0;  ///< bytes; of a symlink: its target's length
  bool executable = false;
  std::string text;  ///< a symlink's target
};

/// Everything below `folder`, which may be a link, sorted by name (bytewise). With `top` named
/// below the folder's own name, which is an entry too. Errors: see list_tree(); kBadInput for an
/// absolute symlink, which would lead elsewhere where the archive is unpacked.
std::vector<SourceEntry> list_entries(const std::filesystem::path& folder, bool top);

}  // namespace torchpkg::zip
