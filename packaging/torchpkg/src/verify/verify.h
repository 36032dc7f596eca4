// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace torchpkg {

struct VerifyOptions {
  std::string artifact;
  std::string statement;  ///< empty: the one beside the artifact, <artifact>.intoto.json
  std::string against;    ///< another build of the artifact; may be empty
  unsigned jobs = 0;
};

/// Compares an artifact with its provenance statement, and with another build of it, and prints
/// what was compared and the first differences. Returns the exit code: 1 when something differs.
/// Errors: kBadInput when the statement or an artifact is not one, kEnvironment when it cannot be
/// read.
int verify(const VerifyOptions& options);

}  // namespace torchpkg
