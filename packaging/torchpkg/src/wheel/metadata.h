// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace torchpkg::wheel {

/// A project's name in the file name of a wheel: lower case, `_` for each run of `-`, `_`, `.`.
/// https://packaging.python.org/en/latest/specifications/binary-distribution-format/
std::string file_name_of(std::string_view project);

/// A project's name as an index has it: the same with `-`.
/// https://packaging.python.org/en/latest/specifications/name-normalization/
std::string index_name_of(std::string_view project);

/// A field of METADATA's header, which ends at the first empty line; empty when it is not there.
std::string metadata_field(std::string_view metadata, std::string_view field);

}  // namespace torchpkg::wheel
