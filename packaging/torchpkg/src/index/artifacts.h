// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "conda/index_json.h"

namespace torchpkg::index {

/// A file of dist/ that an index lists.
struct Artifact {
  std::string file;
  std::string sha256;
  std::uint64_t size = 0;
};

/// A wheel, and what an installer wants to know before it downloads it.
struct WheelArtifact : Artifact {
  std::string project;  ///< as an index names it
  std::string version;
  std::string requires_python;  ///< may be empty
  std::string metadata;         ///< the file METADATA
};

/// A conda package; its `file` is named with its folder: "linux-64/libtorch-9.9.0-....conda".
struct CondaArtifact : Artifact {
  conda::IndexJson index;
};

/// What lies in a folder, sorted by file name.
struct Artifacts {
  std::vector<Artifact> archives;  ///< zips: libtorch and its debug information
  std::vector<WheelArtifact> wheels;
  std::vector<CondaArtifact> conda_packages;  ///< in the folders of their platforms
};

/// Reads a folder; `jobs`: threads, 0: as many as processors. Errors: kBadInput, naming the file,
/// for a wheel that is damaged, has no METADATA, or has a METADATA that its name contradicts, and
/// for a conda package whose index.json is missing or contradicts its name or folder; kEnvironment
/// when the folder or a file cannot be read.
Artifacts read_artifacts(const std::filesystem::path& folder, unsigned jobs);

}  // namespace torchpkg::index
