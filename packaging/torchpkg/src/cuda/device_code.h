// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cuda/gpu_arch.h"
#include "elf/ar_archive.h"
#include "elf/elf_image.h"

namespace torchpkg {

/// Fat binaries that were compiled for the same.
struct FatBinaryGroup {
  std::size_t count = 0;
  std::string
      first;  ///< where the first of them is: "byte 64 of .nv_fatbin", "a.o: byte 64 of ..."
};

/// The code for GPUs in a library.
struct DeviceCode {
  /// The fat binaries of the sections that nvcc makes (.nv_fatbin, and __nv_relfatbin of what is
  /// linked on the device), by what each was compiled for, sorted. Empty ones, which nvcc makes of
  /// sources without a kernel, are left out.
  std::map<std::vector<CodeTarget>, FatBinaryGroup> groups;
  std::size_t fat_binaries = 0;
  std::uint64_t bytes = 0;                    ///< of the fat binaries, headers included
  std::map<CodeTarget, std::uint64_t> sizes;  ///< bytes of the entries for each target, as packed
  std::string problem;  ///< the first thing that is wrong with it; empty: nothing is
};

/// The device code of a shared library, a program or an object. What cannot be read is
/// in `problem`. Error: kBadInput when a section lies beyond the end of the file.
DeviceCode read_device_code(const ElfImage& image);

/// The same of all objects in a static library. Members that are not ELF files are left out; one
/// that is damaged is the `problem`.
DeviceCode read_device_code(const ArArchive& archive);

}  // namespace torchpkg
