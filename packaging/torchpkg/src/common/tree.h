// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace torchpkg {

/// What an archive, or a folder that is to become one, has in it.
struct TreeEntry {
  enum class Kind { kFile, kFolder, kSymlink, kOther };  ///< kOther: devices, pipes, hard links

  std::string name;  ///< word for word, it may be hostile; a folder's may end in a slash
  Kind kind = Kind::kFile;
  std::string target = {};  ///< of a symlink, word for word
  std::uint64_t size = 0;
  unsigned mode = 0;  ///< the permission bits
};

struct TreeRules {
  bool one_top = false;           ///< all lies in one top folder, and no link leaves that
  bool links_may_dangle = false;  ///< another package may have what they lead to
};

/// What is wrong with a name: it could be written elsewhere, as another file, or be taken for
/// several lines or a terminal's command. Empty when it is fine.
std::string name_problem(std::string_view name);

/// What is wrong with a tree, one sentence each, so that whoever unpacks it, by whatever program,
/// gets these files in this folder and nothing else: names, duplicates, files that are folders,
/// devices, modes, symlinks that lead out, also through others. Packers and checks share it.
/// cmake/sources/archive.py has the same rules for what leaves the folder, but takes what sources
/// of others have (`./x`, hard links, setuid bits, which it drops).
std::vector<std::string> tree_problems(const std::vector<TreeEntry>& entries, TreeRules rules);

/// Everything below a folder, which may be a link; with the modes of packers. Error: kEnvironment.
std::vector<TreeEntry> list_tree(const std::filesystem::path& folder);

}  // namespace torchpkg
