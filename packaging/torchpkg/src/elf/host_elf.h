// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "elf/elf_image.h"

namespace torchpkg {

/// Whether `bytes` are an ELF file, and not kernels for AMD's GPUs that a library such as rocBLAS
/// reads from files of their own: those are data. `path` ends in `.hsaco` or `.co` then.
bool is_host_elf(std::string_view path, Bytes bytes);

}  // namespace torchpkg
