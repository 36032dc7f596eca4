// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

namespace torchpkg::conda {

struct PackCondaOptions {
  std::filesystem::path root;    ///< what is to lie in the prefix, and info/
  std::filesystem::path output;  ///< the channel; the package goes into its folder for the subdir
  std::string placeholder;       ///< the prefix that files have inside, replaced at installation
  int level = 19;                ///< of Zstandard, 1 to 22
  unsigned jobs = 0;             ///< threads; 0: as many as processors
};

/// Packs a folder into a conda package of format 2,
/// <output>/<subdir>/<name>-<version>-<build>.conda. Name and place follow from info/index.json.
/// paths.json, files and, where there is a placeholder, has_prefix are written; the rest of info/
/// is taken as it is, and index.json gets a timestamp when SOURCE_DATE_EPOCH is set. The bytes
/// depend only on names, content, executable bits, the level and SOURCE_DATE_EPOCH.
/// https://docs.conda.io/projects/conda/en/stable/dev-guide/specs/conda-package-format.html
/// Returns the package. Errors: kUsage (level, placeholder, an output inside the root), kBadInput
/// (no or a wrong index.json, what has no place in a package), kEnvironment.
std::filesystem::path pack_conda(const PackCondaOptions& options);

}  // namespace torchpkg::conda
