// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "checks/row.h"

namespace torchpkg {

/// All that a check of a package has found.
struct Report {
  std::string package;  ///< the file's or the folder's name
  std::vector<Row> rows;
  std::string begun;   ///< UTC, "2026-11-21T12:00:00"
  double seconds = 0;  ///< reading the package included
};

/// For people: a line a row, one for each thing that is wrong, and for what else is worth to know.
std::string report_as_text(const Report& report);

/// {"schema": 1, "package", "verdict", "checks": [...]}. The same package gives
/// the same text.
std::string report_as_json(const Report& report);

/// JUnit XML: a test case a row, a failure for each that fails, with the time it took.
std::string report_as_junit(const Report& report);

/// How many rows have that verdict.
std::size_t count(const std::vector<Row>& rows, Verdict verdict);

}  // namespace torchpkg
