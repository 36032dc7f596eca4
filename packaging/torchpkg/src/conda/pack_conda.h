// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

namespace torchpkg::conda {

/// `torchpkg pack conda --help` describes them.
struct PackCondaOptions {
  std::filesystem::path root;
  std::filesystem::path output;
  std::string placeholder;
  int level = 19;
  unsigned jobs = 0;
};

/// Packs a folder into a conda package of format 2 and returns its path, which follows from
/// info/index.json. info/has_prefix is written where there is a placeholder, and index.json gets a
/// timestamp when SOURCE_DATE_EPOCH is set.
/// https://docs.conda.io/projects/conda/en/stable/dev-guide/specs/conda-package-format.html
/// Errors: kUsage (level, placeholder, an output inside the root), kBadInput (no or a wrong
/// index.json, what has no place in a package), kEnvironment.
std::filesystem::path pack_conda(const PackCondaOptions& options);

}  // namespace torchpkg::conda
