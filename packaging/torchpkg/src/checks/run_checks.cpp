// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "checks/checks.h"
#include "common/text.h"

namespace torchpkg {

void Row::decide(std::vector<std::string> wrong, const std::string& found_when_good) {
  details = std::move(wrong);
  verdict = details.empty() ? Verdict::kPass : Verdict::kFail;
  found = details.empty() ? found_when_good : join_some(details, 1);
}

std::vector<Row> run_checks(const PackageFacts& facts) {
  constexpr std::array kChecks = {check_archive,      check_elf_files, check_contents,
                                  check_closure,      check_rpath,     check_library_names,
                                  check_config_paths, check_cxx_abi,   check_platform,
                                  check_versions,     check_openmp,    check_cpu_features,
                                  check_cpu_kernels,  check_licences,  check_build_paths};
  std::vector<Row> rows;
  for (const auto check : kChecks) {
    Row row = check(facts);
    if (!rows.empty() && rows[0].verdict == Verdict::kFail) {
      row.verdict = Verdict::kNotApplicable;
      row.details.clear();
      row.found = "the archive is damaged";
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace torchpkg
