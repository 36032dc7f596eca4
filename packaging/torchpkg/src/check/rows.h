// SPDX-License-Identifier: BSD-3-Clause
// The list of all checks. Each decides one row from the facts alone, in rows/<name>.cpp. A new one
// needs that file, and two lines here.
#pragma once

#include "check/facts.h"
#include "check/row.h"

namespace torchpkg {

/// Sets `limit` and `found`, and calls wrong() or not_applicable(). What only a running program can
/// show, such as results and threads, the consumer check shows.
using Check = void(const Facts& facts, Row& row);

Check check_elf_files, check_closure, check_undefined_symbols, check_third_party_symbols;
Check check_rpath, check_opened_by_name, check_contents, check_static_libraries;
Check check_cxx_abi, check_platform, check_gpu_architectures, check_cuda_versions;
Check check_versions, check_openmp, check_cpu_kernels, check_debug_information, check_build_paths;

struct NamedCheck {
  const char* name;
  Check* decide;
  bool of_any_package = false;  ///< also of one without libtorch, such as MAGMA's
};

inline constexpr NamedCheck kChecks[] = {
    {"elf-files", check_elf_files, true},
    {"closure", check_closure},
    {"undefined-symbols", check_undefined_symbols},
    {"third-party-symbols", check_third_party_symbols},
    {"rpath", check_rpath},
    {"opened-by-name", check_opened_by_name},
    {"contents", check_contents},
    {"static-libraries", check_static_libraries},
    {"cxx-abi", check_cxx_abi},
    {"platform", check_platform, true},
    {"gpu-architectures", check_gpu_architectures, true},
    {"cuda-versions", check_cuda_versions},
    {"versions", check_versions},
    {"openmp", check_openmp},
    {"cpu-kernels", check_cpu_kernels},
    {"debug-information", check_debug_information},
    {"build-paths", check_build_paths, true},
};

}  // namespace torchpkg
