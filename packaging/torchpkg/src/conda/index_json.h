// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace torchpkg::conda {

/// info/index.json of a conda package: what a channel's repodata.json repeats.
/// https://docs.conda.io/projects/conda-build/en/stable/resources/package-spec.html
struct IndexJson {
  std::string name;
  std::string version;
  std::string build;
  std::string subdir;  ///< "linux-64"
  nlohmann::ordered_json json;

  /// "libtorch-9.9.0-cpu_mkl_h0123456_0"
  [[nodiscard]] std::string stem() const { return name + "-" + version + "-" + build; }
};

/// Reads and checks the text; `where` names it in errors.
/// Error: kBadInput for what is missing or of the wrong form: a channel would be refused with it;
/// and for noarch, with which clients put files elsewhere.
IndexJson parse_index_json(const std::string& text, const std::string& where);

}  // namespace torchpkg::conda
