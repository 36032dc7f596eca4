// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/file.h"

namespace torchpkg {

/// Offload bundles that were made for the same GPUs.
struct BundleGroup {
  std::size_t count = 0;
  std::string first;  ///< where the first of them is: "byte 64 of .hip_fatbin"
};

/// The code for AMD's GPUs in a library of a package for ROCm.
struct HipFacts {
  std::string path;  ///< in the package
  /// The bundles of .hip_fatbin by what each was compiled for, sorted.
  std::map<std::vector<std::string>, BundleGroup> groups;
  std::string problem;  ///< the first thing that is wrong with it; empty: nothing is

  [[nodiscard]] std::string file_name() const { return path.substr(path.rfind('/') + 1); }
};

/// For an ELF file. Error: kBadInput when it is damaged; what is wrong with a bundle is in
/// `problem`.
HipFacts read_hip_facts(const std::string& path, Bytes bytes);

}  // namespace torchpkg
