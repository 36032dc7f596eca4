// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace torchpkg::wheel {

/// What is known of a field of METADATA.
/// https://packaging.python.org/en/latest/specifications/core-metadata/
struct MetadataField {
  std::string_view name;
  std::string_view since;  ///< the Metadata-Version that introduced it
  bool several;            ///< whether it may be there more than once
  /// What is wrong with a value, empty when nothing is; null where any text will do.
  std::string (*wrong)(std::string_view value);
};

/// The field of that name, in capitals or not; null when there is none.
const MetadataField* find_metadata_field(std::string_view name);

}  // namespace torchpkg::wheel
