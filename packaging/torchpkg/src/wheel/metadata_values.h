// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace torchpkg::wheel {

/// What is wrong with the value of a field of METADATA, each by itself; empty when nothing is.
/// https://packaging.python.org/en/latest/specifications/core-metadata/

std::string wrong_metadata_version(std::string_view value);
std::string wrong_project_name(std::string_view value);  ///< also of an extra
std::string wrong_version(std::string_view value);
std::string wrong_summary(std::string_view value);
std::string wrong_dynamic(std::string_view value);
std::string wrong_license_file(std::string_view value);  ///< whether it is there is not asked
std::string wrong_project_url(std::string_view value);
std::string wrong_import_name(std::string_view value);
std::string wrong_import_namespace(std::string_view value);

/// The form only, `MIT AND (Apache-2.0 WITH LLVM-exception)`: not whether SPDX has such licences.
/// https://packaging.python.org/en/latest/specifications/license-expression/ (PEP 639)
std::string wrong_license_expression(std::string_view value);

/// `text/markdown; charset=UTF-8; variant=GFM`.
std::string wrong_content_type(std::string_view value);

}  // namespace torchpkg::wheel
