// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace torchpkg {

/// `torchpkg verify --help` describes them.
struct VerifyOptions {
  std::string artifact;
  std::string statement;
  std::string against;
  unsigned jobs = 0;
};

/// Returns the exit code: 1 when something differs. Errors: kBadInput when the statement or an
/// artifact is not one, kEnvironment when it cannot be read.
int verify(const VerifyOptions& options);

}  // namespace torchpkg
