// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <vector>

#include "cuda/fat_binary.h"
#include "cuda/gpu_arch.h"

namespace torchpkg {

/// A fat binary of a file, and what stays of it.
struct SlicedFatBinary {
  std::uint64_t at = 0;                ///< where it begins in the file
  std::uint64_t entries = 0;           ///< where its first entry begins
  std::uint64_t end = 0;               ///< where the next one begins, or its section ends
  std::vector<FatBinary::Entry> kept;  ///< from the file's first byte, ascending
};

/// What a slice does to a file.
struct SlicedFile {
  std::vector<SlicedFatBinary> fat_binaries;  ///< ascending
  std::set<CodeTarget> targets;               ///< of everything that is there
  std::uint64_t before = 0;                   ///< bytes of device code
  std::uint64_t after = 0;
};

/// Reads what a slice for these GPUs keeps of an ELF file or of the objects in a static library:
/// from each fat binary what the driver of each GPU may take (targets_for()), PTX where one asks
/// for it, and code that is neither machine code nor PTX. Other files have no fat binaries.
/// Errors: kBadInput for a damaged file and a fat binary of an unknown form; kEnvironment.
SlicedFile read_slice(const std::filesystem::path& path, const std::vector<WantedArch>& gpus);

/// Makes a new file that has the kept entries at the beginning of each fat binary and holes where
/// the others were, which read as zeros, and renames it into place. Other hard links to the file
/// are left as they are. Errors: kEnvironment; Interrupted.
///
/// No address changes and the file keeps its length. To take the zeros out of it, a segment would
/// have to be split, and every pointer into it be found: those of .nvFatBinSegment have
/// relocations, but nothing in the file says that there are no others. Holes need no space on a
/// disk, and packed zeros next to none.
void replace_by_slice(const std::filesystem::path& path, const SlicedFile& slice);

/// Does the same to the file itself, which needs no space for a copy: all its hard links change,
/// and a process that is killed meanwhile leaves it damaged. False when the file system cannot make
/// holes in a file, so that the zeros are written. Error: kEnvironment.
bool slice_in_place(const std::filesystem::path& path, const SlicedFile& slice);

}  // namespace torchpkg
