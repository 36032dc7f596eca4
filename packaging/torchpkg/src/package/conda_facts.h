// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conda/match_spec.h"

namespace torchpkg {

/// What info/index.json says about a conda package.
struct CondaIndex {
  std::string stem;  ///< "libtorch-9.9.0-cpu_mkl_h0123456_0"
  std::string name;
  std::string subdir;
  std::vector<conda::MatchSpec> depends;

  /// What `depends` says about a package; null when it does not name it.
  [[nodiscard]] const conda::MatchSpec* spec_of(const std::string& package) const;

  /// The same under any of its names.
  [[nodiscard]] std::vector<const conda::MatchSpec*> specs_of(
      const std::vector<std::string>& names) const;

  /// Whether libtorch's libraries are in another package, that of the same build.
  [[nodiscard]] bool needs_libtorch() const;
};

/// What only conda packages have.
struct CondaFacts {
  std::string stem;                 ///< of the names of the two tars; empty for a folder
  std::optional<CondaIndex> index;  ///< nothing when it is missing or wrong
  std::vector<std::string> index_problems;
};

/// `index`: the text of info/index.json, null when it is missing.
CondaFacts read_conda_facts(const std::string& stem, const std::string* index);

}  // namespace torchpkg
