// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <chrono>

#include "checks/checks.h"
#include "common/text.h"

namespace torchpkg {

void Row::decide(std::vector<std::string> wrong, const std::string& found_when_good) {
  details = std::move(wrong);
  verdict = details.empty() ? Verdict::kPass : Verdict::kFail;
  found = details.empty() ? found_when_good : join_some(details, 1);
}

std::vector<Row> run_checks(const PackageFacts& facts) {
  using Clock = std::chrono::steady_clock;
  constexpr std::array kChecks = {check_archive,
                                  check_elf_files,
                                  check_closure,
                                  check_undefined_symbols,
                                  check_rpath,
                                  check_library_names,
                                  check_bundled,
                                  check_opened_by_name,
                                  check_nvrtc,
                                  check_contents,
                                  check_static_libraries,
                                  check_config_paths,
                                  check_config_files,
                                  check_cxx_abi,
                                  check_cxx_runtime,
                                  check_platform,
                                  check_loading,
                                  check_wheel,
                                  check_entry_points,
                                  check_gpu_code,
                                  check_gpu_architectures,
                                  check_versions,
                                  check_header_versions,
                                  check_cuda_versions,
                                  check_gpu_numerics,
                                  check_openmp,
                                  check_cpu_features,
                                  check_cpu_kernels,
                                  check_python_free,
                                  check_licences,
                                  check_debug_information,
                                  check_build_paths};
  std::vector<Row> rows;
  for (const auto check : kChecks) {
    const Clock::time_point begin = Clock::now();
    Row row = check(facts);
    if (!rows.empty() && rows[0].verdict == Verdict::kFail) {
      row.verdict = Verdict::kNotApplicable;
      row.details.clear();
      row.found = "the archive is damaged";
    }
    row.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace torchpkg
