// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "checks/row.h"
#include "package/package_facts.h"

namespace torchpkg {

// Each check decides one row from the facts alone; run_checks.cpp has the list of them, which says
// to what they apply. What only a running program can show (a program built at two prefixes, the
// wrong ABI failing to link, results, threads) the consumer check shows.

void check_archive(const PackageFacts& facts, Row& row);    ///< entries readable, links safe
void check_elf_files(const PackageFacts& facts, Row& row);  ///< and static libraries: readable
void check_closure(const PackageFacts& facts, Row& row);
void check_conda_closure(const PackageFacts& facts, Row& row);
void check_undefined_symbols(const PackageFacts& facts, Row& row);
void check_third_party_symbols(const PackageFacts& facts, Row& row);
void check_rpath(const PackageFacts& facts, Row& row);
void check_library_names(const PackageFacts& facts, Row& row);
void check_bundled(const PackageFacts& facts, Row& row);
void check_opened_by_name(const PackageFacts& facts, Row& row);
void check_nvrtc(const PackageFacts& facts, Row& row);
void check_contents(const PackageFacts& facts, Row& row);  ///< nothing that does not belong here
void check_static_libraries(const PackageFacts& facts, Row& row);
void check_config_paths(const PackageFacts& facts, Row& row);
void check_config_files(const PackageFacts& facts, Row& row);
void check_cxx_abi(const PackageFacts& facts, Row& row);
void check_cxx_runtime(const PackageFacts& facts, Row& row);
void check_platform(const PackageFacts& facts, Row& row);
void check_conda_platform(const PackageFacts& facts, Row& row);
void check_loading(const PackageFacts& facts, Row& row);
void check_wheel(const PackageFacts& facts, Row& row);
void check_entry_points(const PackageFacts& facts, Row& row);
void check_conda(const PackageFacts& facts, Row& row);  ///< info/ agrees with what is inside
void check_gpu_code(const PackageFacts& facts, Row& row);
void check_gpu_architectures(const PackageFacts& facts, Row& row);
void check_hip_architectures(const PackageFacts& facts, Row& row);
void check_versions(const PackageFacts& facts, Row& row);
void check_header_versions(const PackageFacts& facts, Row& row);
void check_cuda_versions(const PackageFacts& facts, Row& row);
void check_cuda_depends(const PackageFacts& facts, Row& row);
void check_openmp(const PackageFacts& facts, Row& row);
void check_cpu_features(const PackageFacts& facts, Row& row);
void check_cpu_kernels(const PackageFacts& facts, Row& row);
void check_python_free(const PackageFacts& facts, Row& row);
void check_bill(const PackageFacts& facts, Row& row);      ///< of materials: the files are those
void check_licences(const PackageFacts& facts, Row& row);  ///< licence texts of every package
void check_debug_information(const PackageFacts& facts, Row& row);  ///< in a package of its own
void check_build_paths(const PackageFacts& facts, Row& row);  ///< no forbidden text in any file

/// "12 ELF files", and "12 ELF files, 3 static libraries".
std::string elf_count(const PackageFacts& facts);
std::string library_count(const PackageFacts& facts);

/// All rows in order. When the archive itself is damaged, the others are not applicable.
std::vector<Row> run_checks(const PackageFacts& facts);

}  // namespace torchpkg
