// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "common/file.h"

namespace torchpkg {

/// Those of `paths` that stand in `bytes` as a whole: `/home/builder` is not in `/home/builders`,
/// and `/src` is not in `/usr/src`.
std::vector<std::string> paths_in(Bytes bytes, const std::vector<std::string>& paths);

}  // namespace torchpkg
