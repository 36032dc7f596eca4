// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "common/file.h"
#include "zip/entry_list.h"

namespace torchpkg::conda {

/// Hands a tar with these files and symlinks to `sink`, in order: ustar, with a pax header where a
/// name is long or not ASCII, or a file is 8 GiB or larger. `time`, seconds since 1970, is that of
/// every entry; the owner is root, modes are 755 and 644.
/// Errors: kEnvironment when a file cannot be read, or has changed its size; what `sink` throws.
void write_tar(const std::vector<zip::SourceEntry>& entries, std::int64_t time,
               const std::function<void(Bytes)>& sink);

}  // namespace torchpkg::conda
