// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace torchpkg::conda {

/// What a package depends on, as index.json writes it: "python >=3.11,<3.12.0a0",
/// "libtorch 9.9.0 cpu_mkl_h0123456_0". The forms with brackets or a channel are those of a
/// command line, and are not match specs here.
/// https://docs.conda.io/projects/conda-build/en/stable/resources/package-spec.html
struct MatchSpec {
  std::string name;
  std::string version;  ///< empty: any
  std::string build;    ///< empty: any

  [[nodiscard]] std::string text() const;

  /// Whether it names one build of one version.
  [[nodiscard]] bool is_exact() const;

  /// The oldest version that it allows; empty when it has no lower bound.
  [[nodiscard]] std::string oldest() const;
};

/// Error: kBadInput, saying which word of the text is wrong.
MatchSpec parse_match_spec(const std::string& text);

}  // namespace torchpkg::conda
