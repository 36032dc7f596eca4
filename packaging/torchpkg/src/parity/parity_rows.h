// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "checks/row.h"
#include "parity/compare.h"
#include "parity/limits.h"

namespace torchpkg {

/// Four rows: files, symbols, SONAMEs, sizes; of wheels a fifth, metadata. Differences are notes;
/// those that `limits` forbids make a row fail.
std::vector<Row> parity_rows(const Comparison& comparison, const ParityLimits& limits);

/// The row that stands there when nothing was compared.
Row no_parity_row(const std::string& reason);

/// Every difference, all names included.
nlohmann::ordered_json parity_as_json(const Comparison& comparison);

}  // namespace torchpkg
