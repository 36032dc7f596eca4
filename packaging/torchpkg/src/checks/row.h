// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace torchpkg {

enum class Verdict { kPass, kFail, kNotApplicable };

/// The outcome of one check.
struct Row {
  int number = 0;  ///< among the project's numbered checks; 0 for those without a number
  std::string name;
  std::string looked_at = {};  ///< "12 ELF files"
  std::string found = {};      ///< one line; for kNotApplicable the reason
  std::string limit = {};      ///< what is asked for
  Verdict verdict = Verdict::kPass;
  std::vector<std::string> details = {};  ///< one sentence for each thing that is wrong
  std::vector<std::string> notes = {};    ///< what is worth to know and decides nothing
  double seconds = 0;                     ///< what deciding it took

  /// Decides the verdict: `details` becomes `wrong`, and the row fails unless it is empty.
  void decide(std::vector<std::string> wrong, const std::string& found_when_good);

  /// Forgets what was decided.
  void not_applicable(const std::string& reason);
};

}  // namespace torchpkg
