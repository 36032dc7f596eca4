// SPDX-License-Identifier: BSD-3-Clause
#include "checks/check.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>

#include "checks/checks.h"
#include "checks/report.h"
#include "common/error.h"
#include "common/partial_file.h"

namespace torchpkg {

namespace fs = std::filesystem;

namespace {

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm time{};
  ::gmtime_r(&now, &time);
  char text[32];
  const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &time);
  return {text, size};
}

using Form = std::string (*)(const Report&);

Form form_of(const fs::path& file) {
  const std::string suffix = file.extension().string();
  if (suffix == ".json") return report_as_json;
  if (suffix == ".xml") return report_as_junit;
  if (suffix == ".txt") return report_as_text;
  throw Error(ExitCode::kUsage, file.string() + " does not name a report's format",
              "end it in .json, .xml (JUnit) or .txt");
}

/// "libtorch.zip"; of a folder that ends in a slash, the folder's name.
std::string shown_name(const fs::path& path) {
  const fs::path name = path.has_filename() ? path.filename() : path.parent_path().filename();
  return name.empty() ? path.string() : name.string();
}

/// Calls `work`, and names the package in what it throws.
template <typename Work>
void about(const fs::path& package, Work work) {
  try {
    work();
  } catch (const Error& error) {
    throw Error(error.code(), package.string() + ": " + error.what(), error.remedy());
  }
}

Report make_report(const CheckOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  Report report;
  report.begun = utc_now();
  report.package = shown_name(options.package);
  const std::unique_ptr<PackageSource> source = open_package(options.package);
  about(options.package, [&] {
    PackageFacts facts = gather_facts(*source, options.forbid_paths, options.jobs);
    facts.name = report.package;
    facts.lies_in = fs::absolute(options.package).parent_path().filename().string();
    if (!options.debug_package.empty()) {
      const std::unique_ptr<PackageSource> debug = open_package(options.debug_package);
      facts.debug = gather_debug_facts(*debug, shown_name(options.debug_package),
                                       facts.forbidden_looked_for, options.jobs);
    }
    report.rows = run_checks(facts);
  });
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  report.seconds = taken.count();
  return report;
}

}  // namespace

int check(const CheckOptions& options) {
  std::vector<Form> forms;
  for (const fs::path& file : options.reports) forms.push_back(form_of(file));
  const Report report = make_report(options);
  const std::string text = report_as_text(report);
  std::fwrite(text.data(), 1, text.size(), stdout);
  for (std::size_t i = 0; i < forms.size(); ++i) {
    write_text_atomically(options.reports[i], forms[i](report));
  }
  const bool failed = count(report.rows, Verdict::kFail) > 0;
  return static_cast<int>(failed ? ExitCode::kCheckFailed : ExitCode::kGood);
}

}  // namespace torchpkg
