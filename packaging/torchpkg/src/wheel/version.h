// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace torchpkg::wheel {

/// Versions and what asks for them (`>=1.2`), as Python has them.
/// https://packaging.python.org/en/latest/specifications/version-specifiers/ (PEP 440)

/// Whether a text is a version, in any spelling that has a normal form (`v1.0-Beta.2`); space
/// around it is allowed.
bool is_version(std::string_view text);

/// The length of the version specifier that a text begins with, such as `>= 1.2`; 0 when it begins
/// with none.
std::size_t specifier_length(std::string_view text);

/// What is wrong with a text that is to be one specifier; empty when nothing is.
std::string wrong_specifier(std::string_view text);

/// The same for specifiers with commas between them. Empty ones are allowed, as tools allow them.
std::string wrong_specifiers(std::string_view text);

}  // namespace torchpkg::wheel
