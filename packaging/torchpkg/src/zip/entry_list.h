// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

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

/// Everything below `folder`, which may be a link, named below its own base name, sorted by name
/// (bytewise).
/// Errors: kBadInput for what has no place in a package (devices, sockets, symlinks that are
/// absolute or lead out of the root), naming it; kEnvironment for what cannot be read.
std::vector<SourceEntry> list_entries(const std::filesystem::path& folder);

}  // namespace torchpkg::zip
