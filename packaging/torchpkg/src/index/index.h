// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <filesystem>

namespace torchpkg::index {

struct IndexResult {
  std::size_t archives = 0;
  std::size_t wheels = 0;
  std::size_t projects = 0;
  std::size_t conda_packages = 0;
};

/// Makes a folder of artifacts into a repository that any static web server or bucket can serve:
///
///   index.html, SHA256SUMS           all artifacts, with sizes and hashes
///   simple/index.{html,json}         PEP 503 and PEP 691: the projects
///   simple/<project>/index.{html,json}  their wheels, with hashes and Requires-Python
///   <wheel>.metadata                 METADATA of each wheel (PEP 658, PEP 714), which an installer
///   reads
///                                    instead of downloading the wheel
///   <platform>/repodata.json         of a conda channel: info/index.json of each package in that
///                                    folder; and noarch/, without which a channel is refused
///
/// Each file is written beside and renamed; pages that nobody refers to any more are removed. The
/// artifacts are not changed. `jobs`: threads, 0: as many as processors.
/// Errors: as read_artifacts(), and kEnvironment when something cannot be written.
IndexResult index(const std::filesystem::path& folder, unsigned jobs);

}  // namespace torchpkg::index
