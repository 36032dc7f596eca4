// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "package/manifest.h"

namespace torchpkg {

/// What is said about the parts of a package, each under what it is about: "source sleef",
/// "patch gloo.patch", "fingerprint".
using Facts = std::map<std::string, std::string>;

/// The facts by the package that they are about; those about the artifact itself under "".
using FactsOfPackages = std::map<std::string, Facts>;

/// What a provenance statement of this project says (packaging/provenance/statement.py).
struct Statement {
  std::string file;  ///< the name of the artifact
  std::string sha256;
  std::string commit;     ///< of the project's checkout; empty when it was none
  bool clean = false;     ///< nothing in that checkout differed from the commit
  FactsOfPackages facts;  ///< also of packages that only made others, which no manifest lists
};

/// Reads a statement: in-toto's version 1 with SLSA's provenance version 1. `where` names the file
/// in messages. Error: kBadInput for anything else, naming the member.
Statement parse_statement(std::string_view text, const std::string& where);

/// The same facts, as the manifest in the artifact tells them.
FactsOfPackages facts_of(const Manifest& manifest);

}  // namespace torchpkg
