// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "checks/package_facts.h"
#include "checks/row.h"

namespace torchpkg {

// Each check decides one row from the facts alone. The numbers are those of the project's list of
// checks; only those that can be decided from the files are here.

Row check_archive(const PackageFacts& facts);        ///< every entry readable, names and links safe
Row check_elf_files(const PackageFacts& facts);      ///< every ELF file is readable
Row check_contents(const PackageFacts& facts);       ///< nothing that does not belong in a package
Row check_closure(const PackageFacts& facts);        ///< 1
Row check_rpath(const PackageFacts& facts);          ///< 2
Row check_library_names(const PackageFacts& facts);  ///< 3
Row check_config_paths(const PackageFacts& facts);   ///< 6
Row check_cxx_abi(const PackageFacts& facts);        ///< 7
Row check_platform(const PackageFacts& facts);       ///< 8
Row check_versions(const PackageFacts& facts);       ///< 12
Row check_openmp(const PackageFacts& facts);         ///< 14
Row check_cpu_features(const PackageFacts& facts);   ///< 14
Row check_cpu_kernels(const PackageFacts& facts);    ///< 14
Row check_licences(const PackageFacts& facts);       ///< licence texts of every package
Row check_build_paths(const PackageFacts& facts);    ///< no forbidden text in any file

/// All rows in order. When the archive itself is damaged, the others are not applicable.
std::vector<Row> run_checks(const PackageFacts& facts);

}  // namespace torchpkg
