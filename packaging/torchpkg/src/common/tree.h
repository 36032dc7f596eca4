// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace torchpkg {

/// What lies in a folder.
struct TreeEntry {
  enum class Kind { kFile, kFolder, kSymlink };

  std::string name;  ///< relative to the folder, with slashes
  Kind kind = Kind::kFile;
  std::string target = {};  ///< of a symlink
  std::uint64_t size = 0;
  bool executable = false;  ///< of a file
};

/// Everything below a folder, which may be a symlink; symlinks below it are not followed. Errors:
/// kEnvironment for what cannot be read; kBadInput for a device, a pipe or a socket.
std::vector<TreeEntry> list_tree(const std::filesystem::path& folder);

/// The files that the paths name, whatever they are, and the regular ones below folders, sorted,
/// each once. Symlinks below a folder are not followed. Error: kEnvironment for a folder that
/// cannot be listed.
std::vector<std::filesystem::path> list_files(const std::vector<std::filesystem::path>& paths);

}  // namespace torchpkg
