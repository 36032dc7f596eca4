// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace torchpkg {

/// What a wheel says of itself: fields of METADATA and groups of entry points, each with its
/// values: {"Requires-Dist": {"filelock", ...}, "console_scripts": {"torchrun = ..."}}.
using WheelFields = std::map<std::string, std::set<std::string>>;

/// Adds the fields of METADATA, the long description as `Description`, in short. Requirements get
/// one form, since tools write the same one as `a (==1)`, `a ==1` and `a==1`.
/// https://packaging.python.org/en/latest/specifications/core-metadata/
void add_metadata(std::string_view metadata, WheelFields& fields);

/// Adds the entry points, a field for each group.
/// https://packaging.python.org/en/latest/specifications/entry-points/
void add_entry_points(std::string_view entry_points, WheelFields& fields);

}  // namespace torchpkg
