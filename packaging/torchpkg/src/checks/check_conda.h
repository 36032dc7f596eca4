// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "checks/row.h"

namespace torchpkg {

/// The rows of a packed conda package: `archive` (both tars readable; names, links and kinds of
/// files that a client may unpack), `conda` (paths.json, files and index.json against what is
/// inside and what the file and its folder are called), those of check_conda_libraries() and
/// of check_conda_cuda(), `licences`, `build-paths`. What else is to be said of the libraries is
/// said before, of the tree that the package is laid out of. `forbidden`: paths that must occur in
/// no file. Errors: kBadInput when it is no ZIP file at all, kEnvironment when it cannot be read.
std::vector<Row> check_conda(const std::filesystem::path& package,
                             const std::vector<std::string>& forbidden);

}  // namespace torchpkg
