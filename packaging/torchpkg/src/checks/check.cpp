// SPDX-License-Identifier: BSD-3-Clause
#include "checks/check.h"

#include <algorithm>
#include <cstdio>

#include "checks/checks.h"
#include "checks/report.h"
#include "common/error.h"

namespace torchpkg {

int check(const CheckOptions& options) {
  const std::unique_ptr<PackageSource> source = open_package(options.package);
  PackageFacts facts;
  try {
    facts = gather_facts(*source, options.forbid_paths, options.jobs);
  } catch (const Error& error) {
    throw Error(error.code(), options.package.string() + ": " + error.what(), error.remedy());
  }
  const std::vector<Row> rows = run_checks(facts);

  const std::string name = options.package.filename().string();
  const std::string report = options.format == "json"    ? report_as_json(name, rows)
                             : options.format == "junit" ? report_as_junit(name, rows)
                                                         : report_as_text(name, rows);
  if (options.output.empty()) {
    std::fwrite(report.data(), 1, report.size(), stdout);
  } else {
    write_text_atomically(options.output, report);
  }
  const bool failed = std::any_of(rows.begin(), rows.end(),
                                  [](const Row& row) { return row.verdict == Verdict::kFail; });
  return static_cast<int>(failed ? ExitCode::kCheckFailed : ExitCode::kGood);
}

}  // namespace torchpkg
