// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <vector>

namespace torchpkg {

struct ArchiveOptions {
  std::filesystem::path link_command;         ///< the shell command that links the shared library
  std::filesystem::path directory;            ///< where it runs
  std::filesystem::path output;               ///< the static library; replaced when it exists
  std::vector<std::filesystem::path> beside;  ///< static libraries that it is linked beside
  unsigned jobs = 0;                          ///< threads; 0: as many as processors
};

/// Makes a static library of exactly the objects that a shared library is linked from: those on the
/// line of its link and those members of static libraries that GNU ld takes (linked_objects.h). To
/// know them it runs the link once more, into a file that is removed. All that they define gets
/// hidden visibility, so that two shared libraries with the static one inside share nothing when
/// one process loads both. The bytes depend on the inputs only.
/// Errors: kBadInput (not the link of a shared library, a link that fails; see linked_objects()),
/// kEnvironment (unreadable, unwritable, disk full).
void archive(const ArchiveOptions& options);

}  // namespace torchpkg
