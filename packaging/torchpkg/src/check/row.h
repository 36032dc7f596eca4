// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace torchpkg {

enum class Verdict { kPass, kFail, kNotApplicable };

/// The outcome of one check.
struct Row {
  std::string name = {};
  std::string limit = {};  ///< what is asked for
  std::string found = {};  ///< one line; for kNotApplicable the reason
  Verdict verdict = Verdict::kPass;
  std::vector<std::string> details = {};  ///< one sentence for each thing that is wrong
  std::vector<std::string> notes = {};    ///< what is worth to know and decides nothing

  /// Adds what is wrong: the row fails.
  void wrong(std::string detail) { details.push_back(std::move(detail)); }

  /// Says why the check does not apply to this package. What was wrong is forgotten.
  void not_applicable(const std::string& reason) {
    details.clear();
    verdict = Verdict::kNotApplicable;
    found = reason;
  }
};

}  // namespace torchpkg
