// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>

namespace torchpkg {

/// Calls `work(i)` for every i below `count`, from `jobs` threads (0: as many as processors),
/// in about ascending order. When a call throws, the rest is left out and the first exception is
/// rethrown here.
void for_each_parallel(std::size_t count, unsigned jobs,
                       const std::function<void(std::size_t)>& work);

}  // namespace torchpkg
