// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <vector>

#include "zip/entry_list.h"

namespace torchpkg::zip {

/// `torchpkg pack zip --help` describes them.
struct CompressionOptions {
  int level = 6;
  unsigned jobs = 0;
};

struct ArchiveOptions : CompressionOptions {
  std::filesystem::path output;
};

struct PackOptions : ArchiveOptions {
  std::filesystem::path root;
  bool flat = false;               ///< as wheels are: no top folder, no folders, no symlinks
  std::vector<std::string> last;  ///< relative to the root
};

/// Packs a folder into a ZIP file. Memory is bounded by the number of jobs, not by any file's size.
/// Errors: kUsage (level, an output inside the root, a bad SOURCE_DATE_EPOCH), kBadInput (see
/// list_entries()), kEnvironment (unreadable, unwritable, disk full, changed while read).
void pack(const PackOptions& options);

/// The same with entries that are given, in their order.
void pack_entries(const std::vector<SourceEntry>& entries, const ArchiveOptions& options);

/// Error: kUsage when `output` lies inside `root`; kEnvironment when `root` is not a folder.
void check_output_outside(const std::filesystem::path& root, const std::filesystem::path& output);

}  // namespace torchpkg::zip
