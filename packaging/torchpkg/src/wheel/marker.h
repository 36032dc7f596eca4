// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace torchpkg::wheel {

/// What is wrong with the condition of a requirement (`python_version < "3.9" and extra == "x"`);
/// empty when nothing is. Whether the extras that it names are declared is not asked: no validator
/// does. Refused though the specification has no limit: parentheses a hundred deep, at which
/// Python's parsers, which are recursive, come to an end.
/// https://packaging.python.org/en/latest/specifications/dependency-specifiers/ (PEP 508)
std::string wrong_marker(std::string_view text);

}  // namespace torchpkg::wheel
