// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace torchpkg::wheel {

/// All that validators refuse in a METADATA, one sentence each, with field and value.
///
/// `licences`: the files in the folder licenses of *.dist-info, by their paths there.
///
/// Looked at are the encoding, the form of the header, the fields (known, known to the
/// Metadata-Version, given once) and the values of those that tools read. There is no list of
/// classifiers and none of SPDX's licences: both grow, and a new entry is no mistake. An index may
/// have rules of its own besides (no local versions, no URLs in requirements, addresses that are
/// well-formed): they are its matter, and no property of a wheel.
/// https://packaging.python.org/en/latest/specifications/core-metadata/
std::vector<std::string> metadata_problems(std::string_view metadata,
                                           const std::set<std::string>& licences);

}  // namespace torchpkg::wheel
