// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/file.h"

namespace torchpkg {

/// A container that clang makes of each HIP source: the same kernels compiled for several GPUs.
/// https://clang.llvm.org/docs/ClangOffloadBundler.html; all numbers are little-endian.
///
///     plain:       "__CLANG_OFFLOAD_BUNDLE__", entries (8); then for each: offset (8), size (8),
///                  length of its name (8), name: "hipv4-amdgcn-amd-amdhsa--gfx90a"
///     compressed:  "CCOB", version (2), method (2): 0 zlib, 1 Zstandard; then
///                  version 1: size uncompressed (4), hash (8)
///                  version 2: size with this header (4), size uncompressed (4), hash (8)
///                  version 3: size with this header (8), size uncompressed (8), hash (8)
struct OffloadBundle {
  std::uint64_t size = 0;            ///< with its header
  std::vector<std::string> targets;  ///< "gfx90a", "gfx90a:xnack+", in its order; without the host
  bool compressed = false;
};

/// Whether `bytes` begin as a bundle does.
bool is_offload_bundle(Bytes bytes);

/// Reads the one at the beginning of `bytes`. `at` is where that is, for messages.
/// Error: kBadInput ("byte 12: ...") when it is cut off, its sizes cannot be, or it cannot be
/// uncompressed.
OffloadBundle read_offload_bundle(Bytes bytes, std::uint64_t at);

}  // namespace torchpkg
