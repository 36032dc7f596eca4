// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cuda/gpu_arch.h"
#include "support.h"

namespace torchpkg::test {

/// What `sm_90a`, `compute_90`, `lto_90` stand for.
CodeTarget target(const std::string& name);
std::vector<CodeTarget> targets(const std::vector<std::string>& names);

/// The bytes of a fat binary with an entry for each of these, as nvcc writes them: cubins with a
/// header of 64 bytes, the rest with one of 80; the code itself is a few letters, or so
/// many bytes.
std::string fat_binary(const std::vector<std::string>& names, std::size_t code_size = 0);

/// An offload bundle as clang writes it: the host's entry, which is empty, and one for each of
/// these GPUs.
std::string offload_bundle(const std::vector<std::string>& gpus);

/// A number of `size` bytes.
std::string little_endian(std::uint64_t value, unsigned size);

/// C++ source that puts `content` into a section, and has `more` besides. Writes a file of assembly
/// beside `output`, which the source names.
std::string source_with_section(const fs::path& output, const std::string& section,
                                const std::string& content, const std::string& more = {});

}  // namespace torchpkg::test
