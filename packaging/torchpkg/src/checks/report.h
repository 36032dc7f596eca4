// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "checks/row.h"

namespace torchpkg {

/// The rows as text for people: one line each, and a line for each thing that is wrong.
std::string report_as_text(const std::string& package, const std::vector<Row>& rows);

/// The rows as JSON: {"schema": 1, "package", "verdict", "checks": [...]}.
std::string report_as_json(const std::string& package, const std::vector<Row>& rows);

/// The rows as JUnit XML: one test case each.
std::string report_as_junit(const std::string& package, const std::vector<Row>& rows);

}  // namespace torchpkg
