// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "checks/package_facts.h"
#include "checks/row.h"

namespace torchpkg {

// Each check decides one row from the facts alone. The numbers are those of the project's list of
// fifteen checks; several rows may have one number. What only a running program can show (a program
// built at two prefixes, the wrong ABI failing to link, results, threads) the consumer check shows.

Row check_archive(const PackageFacts& facts);            ///< every entry readable, links safe
Row check_elf_files(const PackageFacts& facts);          ///< ELF files, static libraries readable
Row check_closure(const PackageFacts& facts);            ///< 1
Row check_undefined_symbols(const PackageFacts& facts);  ///< 1
Row check_rpath(const PackageFacts& facts);              ///< 2
Row check_library_names(const PackageFacts& facts);      ///< 3
Row check_bundled(const PackageFacts& facts);            ///< 3
Row check_opened_by_name(const PackageFacts& facts);     ///< 3
Row check_nvrtc(const PackageFacts& facts);              ///< 4, of GPU packages
Row check_contents(const PackageFacts& facts);           ///< 5: nothing that does not belong here
Row check_static_libraries(const PackageFacts& facts);   ///< 5
Row check_config_paths(const PackageFacts& facts);       ///< 6
Row check_config_files(const PackageFacts& facts);       ///< 6
Row check_cxx_abi(const PackageFacts& facts);            ///< 7
Row check_cxx_runtime(const PackageFacts& facts);        ///< 7
Row check_platform(const PackageFacts& facts);           ///< 8
Row check_loading(const PackageFacts& facts);            ///< 8
Row check_wheel(const PackageFacts& facts);              ///< 9, of wheels
Row check_metadata(const PackageFacts& facts);           ///< 10, of wheels
Row check_entry_points(const PackageFacts& facts);       ///< 10, of wheels
Row check_gpu_code(const PackageFacts& facts);           ///< 11, of CPU packages
Row check_gpu_architectures(const PackageFacts& facts);  ///< 11, of CUDA packages
Row check_versions(const PackageFacts& facts);           ///< 12
Row check_header_versions(const PackageFacts& facts);    ///< 12
Row check_cuda_versions(const PackageFacts& facts);      ///< 12, of CUDA packages
Row check_gpu_numerics(const PackageFacts& facts);       ///< 13, of GPU packages
Row check_openmp(const PackageFacts& facts);             ///< 14
Row check_cpu_features(const PackageFacts& facts);       ///< 14
Row check_cpu_kernels(const PackageFacts& facts);        ///< 14
Row check_python_free(const PackageFacts& facts);        ///< 15
Row check_licences(const PackageFacts& facts);           ///< licence texts of every package
Row check_debug_information(const PackageFacts& facts);  ///< in a package of its own
Row check_build_paths(const PackageFacts& facts);        ///< no forbidden text in any file

/// All rows in order. When the archive itself is damaged, the others are not applicable.
std::vector<Row> run_checks(const PackageFacts& facts);

}  // namespace torchpkg
