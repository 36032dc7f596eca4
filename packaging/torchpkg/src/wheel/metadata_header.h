// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace torchpkg::wheel {

/// A field of METADATA as it stands there. Lines that continue it belong to the value, with the
/// space that they begin with.
struct HeaderField {
  std::string_view name;
  std::string value;
};

/// METADATA taken apart like an email, which is how Python's tools read it.
struct MetadataHeader {
  std::vector<HeaderField> fields;
  std::string_view body;  ///< after the first empty line: the description
  std::string damage;     ///< the first line that is none of a header; there the fields end
};

/// Takes METADATA apart; the result points into `metadata`. The line of a field is its name, of
/// printable ASCII without spaces, a colon and the value; a line that begins with a space or tab
/// continues it. Python reads on as the description where a line is neither, and loses the rest.
/// https://packaging.python.org/en/latest/specifications/core-metadata/
MetadataHeader parse_metadata_header(std::string_view metadata);

}  // namespace torchpkg::wheel
