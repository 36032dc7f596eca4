// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "common/file.h"
#include "cuda/gpu_arch.h"

namespace torchpkg {

/// A container that nvcc makes of each source file: the same kernels compiled for several
/// architectures. NVIDIA documents neither it nor its entries; the layout was read off what nvcc of
/// CUDA 12.4 and 13.0 writes, and compared with what cuobjdump says about it
/// (tools/device_code/README.md):
///
///     header:  magic 0xBA55ED50 (4 bytes), version 1 (2), size of this header (2), of all that
///     follows (8) entry:    0  kind (2): 1 PTX, 2 a cubin, 8 LTO-IR        24  version of the
///     format (4)
///               2  version (2)                                 28  architecture (4): 90
///               4  size of the entry's header (4)              32  name of the source, where and
///               how long (4, 4) 8  size of its content (8)                     40  flags (8)
///              16  size when compressed, or 0 (4)              56  size when uncompressed, or 0
///              (8)
///     flags:   bit 13 compressed as LZ4, bit 15 as Zstandard; bit 20 sm_90a, bit 21 sm_100f
///
/// All numbers are little-endian. What the entry is for stands in its header, so nothing has to be
/// uncompressed.
struct FatBinary {
  std::uint64_t size = 0;           ///< with its header
  std::vector<CodeTarget> entries;  ///< in its order; one target may occur several times
};

/// Whether `bytes` begin as a fat binary does.
bool is_fat_binary(Bytes bytes);

/// Reads the one at the beginning of `bytes`. `at` is where that is, for messages.
/// Error: kBadInput ("byte 12: ...") when it is cut off or its sizes cannot be.
FatBinary read_fat_binary(Bytes bytes, std::uint64_t at);

}  // namespace torchpkg
