// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "elf/elf_image.h"

namespace torchpkg {

/// Offload bundles that were made for the same GPUs.
struct BundleGroup {
  std::size_t count = 0;
  std::string first;  ///< where the first of them is: "byte 64 of .hip_fatbin"
};

/// The code for AMD's GPUs in a library.
struct HipCode {
  /// The bundles of .hip_fatbin by what each was compiled for, sorted.
  std::map<std::vector<std::string>, BundleGroup> groups;
  std::string problem;  ///< the first thing that is wrong with it; empty: nothing is
};

/// Error: kBadInput when the file is damaged; what is wrong with a bundle is in `problem`.
HipCode read_hip_code(const ElfImage& image);

}  // namespace torchpkg
