// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checks/package_facts.h"
#include "checks/row.h"
#include "conda/match_spec.h"
#include "conda/package_reader.h"

namespace torchpkg {

/// What index.json says of the libraries of a conda package.
struct CondaHost {
  std::string name;  ///< of the package
  std::string subdir;
  std::vector<conda::MatchSpec> depends;
};

/// Adds to the facts what one file or link of the prefix tells. `content` is not kept.
void note_conda_file(const conda::TarEntry& entry, Bytes content, PackageFacts& facts);

/// The rows of the libraries of a conda package: `elf-files`, `closure` (each library that is asked
/// for is inside, on every host, or of a package that `depends` names), `rpath`, and `platform`
/// (symbol versions and machine against `depends` and `subdir`). The root of `facts` is that of the
/// prefix. `host`: nothing when index.json is missing or wrong; what needs it is not applicable
/// then.
std::vector<Row> check_conda_libraries(const PackageFacts& facts,
                                       const std::optional<CondaHost>& host);

}  // namespace torchpkg
