// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace torchpkg::wheel {

/// A project's name in the file name of a wheel: lower case, `_` for each run of `-`, `_`, `.`.
/// https://packaging.python.org/en/latest/specifications/binary-distribution-format/
std::string file_name_of(std::string_view project);

/// A project's name as in an index: the same with `-`.
/// https://packaging.python.org/en/latest/specifications/name-normalization/
std::string index_name_of(std::string_view project);

/// The values of a field in METADATA's header, which ends at the first empty line. Only their first
/// lines: the fields that are read here have one.
std::vector<std::string> metadata_values(std::string_view metadata, std::string_view field);

/// The first of them; empty when the field is missing.
std::string metadata_field(std::string_view metadata, std::string_view field);

}  // namespace torchpkg::wheel
