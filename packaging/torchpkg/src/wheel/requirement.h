// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace torchpkg::wheel {

/// Whether a text is a name that a project, or an extra of one, may have.
/// https://packaging.python.org/en/latest/specifications/name-normalization/
bool is_project_name(std::string_view text);

/// What is wrong with a requirement (`name[extra] >=1,<2 ; python_version < "3.9"`, `name @ URL`);
/// empty when nothing is. An empty pair of brackets or parentheses and a comma after the last
/// specifier are let through, as tools do; the URL is not looked into.
/// https://packaging.python.org/en/latest/specifications/dependency-specifiers/ (PEP 508)
std::string wrong_requirement(std::string_view text);

}  // namespace torchpkg::wheel
