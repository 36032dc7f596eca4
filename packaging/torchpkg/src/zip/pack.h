// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace torchpkg::zip {

/// `torchpkg pack --help` describes them.
struct PackOptions {
  std::filesystem::path root;
  std::filesystem::path output;
  bool flat = false;              ///< as wheels are: no top folder, no folders, no symlinks
  std::vector<std::string> last;  ///< relative to the root
  int level = 6;
  unsigned jobs = 0;
};

/// Packs a folder into a ZIP file. Memory is bounded by the number of jobs, not by any file's size.
/// Errors: kUsage (level, an output inside the root, a bad SOURCE_DATE_EPOCH), kBadInput (see
/// list_entries()), kEnvironment (unreadable, unwritable, disk full, changed while read).
void pack(const PackOptions& options);

}  // namespace torchpkg::zip
