// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "common/file.h"
#include "cuda/gpu_arch.h"

namespace torchpkg {

/// A container that nvcc makes of each source file: the same kernels compiled for several
/// architectures. NVIDIA documents neither it nor its entries; the layout was read off what nvcc of
/// CUDA 12.4 and 13.0 writes, and compared with what cuobjdump says about it:
///
///     header:  magic 0xBA55ED50 (4 bytes), version 1 (2), size of this header (2), of all that
///              follows (8)
///     entry:    0  kind (2): 1 PTX, 2 a cubin, 8 LTO-IR
///               2  version (2)
///               4  size of the entry's header (4)
///               8  size of its content (8)
///              16  size when compressed, or 0 (4)
///              24  version of the format (4)
///              28  architecture (4): 90
///              32  name of the source, where and how long (4, 4)
///              40  flags (8): bit 13 compressed as LZ4, bit 15 as Zstandard; bit 20 sm_90a,
///                  bit 21 sm_100f
///              56  size when uncompressed, or 0 (8)
///
/// All numbers are little-endian. What the entry is for stands in its header, so nothing has to be
/// uncompressed.
struct FatBinary {
  /// The same code compiled for one of them.
  struct Entry {
    CodeTarget target;
    std::uint64_t at = 0;    ///< from the fat binary's first byte
    std::uint64_t size = 0;  ///< with its header
  };

  std::uint64_t header = 0;    ///< its size
  std::uint64_t size = 0;      ///< with its header
  std::vector<Entry> entries;  ///< in its order; one target may occur several times

  /// What each entry was compiled for, in their order.
  [[nodiscard]] std::vector<CodeTarget> targets() const;
};

/// Where in a fat binary's header the size of all its entries stands: 8 bytes.
constexpr std::uint64_t kFatBinarySizeAt = 8;

/// Whether `bytes` begin as a fat binary does.
bool is_fat_binary(Bytes bytes);

/// Reads the one at the beginning of `bytes`. `at` is where that is, for messages.
/// Error: kBadInput ("byte 12: ...") when it is cut off or its sizes cannot be.
FatBinary read_fat_binary(Bytes bytes, std::uint64_t at);

/// Whether nvcc writes fat binaries into a section of this name, and nothing else.
bool is_section_of_fat_binaries(std::string_view section);

/// Calls `visit` with each fat binary in such a section and where it begins. The linker, and a
/// slice, fill with zeros between them. Error: kBadInput ("byte 12: ...") for anything else.
void for_each_fat_binary(Bytes section,
                         const std::function<void(std::uint64_t at, const FatBinary&)>& visit);

}  // namespace torchpkg
