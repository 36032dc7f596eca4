// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>

namespace torchpkg {

/// SOURCE_DATE_EPOCH of the environment: seconds since 1970, which packages get as their time.
/// Nothing when it is not set. Error: kUsage when it is not a number.
/// https://reproducible-builds.org/specs/source-date-epoch/
std::optional<std::int64_t> source_date();

}  // namespace torchpkg
