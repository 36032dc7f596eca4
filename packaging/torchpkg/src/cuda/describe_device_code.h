// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cuda/device_code.h"

namespace torchpkg {

/// The code for machines: `entries` by target, `groups` of fat binaries, `embedded`, `problem`.
nlohmann::ordered_json device_code_as_json(const DeviceCode& code);

/// "sm_80, sm_90, compute_90 in 341 fat binaries (753 MiB)", and what is odd about it; one line.
std::string device_code_as_line(const DeviceCode& code);

}  // namespace torchpkg
