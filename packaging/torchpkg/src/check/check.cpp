// SPDX-License-Identifier: BSD-3-Clause
#include "check/check.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "check/rows.h"
#include "common/error.h"
#include "common/partial_file.h"
#include "common/text.h"

namespace torchpkg {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostDetails = 20;

Row decide(const NamedCheck& check, const Facts& facts) {
  Row row;
  row.name = check.name;
  check.decide(facts, row);
  if (row.verdict == Verdict::kPass && !row.details.empty()) {
    row.verdict = Verdict::kFail;
    row.found = join_some(row.details, 1);
  }
  return row;
}

const char* word_for(Verdict verdict) {
  if (verdict == Verdict::kPass) return "pass";
  return verdict == Verdict::kFail ? "FAIL" : "n/a";
}

std::string report_text(const Facts& facts, const std::vector<Row>& rows, bool brief) {
  std::string text;
  const auto append = [&text](char mark, const std::vector<std::string>& lines) {
    const std::size_t shown = std::min(lines.size(), kMostDetails);
    for (std::size_t i = 0; i < shown; ++i) text += fmt::format("       {} {}\n", mark, lines[i]);
    if (shown < lines.size()) {
      text += fmt::format("       {} and {} more\n", mark, lines.size() - shown);
    }
  };
  std::size_t failed = 0;
  for (const Row& row : rows) {
    const bool wanted = row.verdict == Verdict::kFail && !row.limit.empty();
    const std::string limit = wanted ? "; wanted: " + row.limit : "";
    text += fmt::format("{:<5} {:<19} {}{}\n", word_for(row.verdict), row.name, row.found, limit);
    append('-', row.details);
    append('.', row.notes);
    if (row.verdict == Verdict::kFail) ++failed;
  }
  if (brief && failed == 0) text.clear();
  return text + fmt::format("{}: {}, {}, {}; {} of {} checks failed\n", facts.name,
                            counted(facts.files.size(), "file"),
                            counted(facts.elves.size(), "ELF file"),
                            counted(facts.archives.size(), "static library", "static libraries"),
                            failed, rows.size());
}

std::string as_json(const Facts& facts, const std::vector<Row>& rows) {
  Json checks = Json::array();
  bool good = true;
  for (const Row& row : rows) {
    const bool applies = row.verdict != Verdict::kNotApplicable;
    const char* verdict = row.verdict == Verdict::kFail ? "fail" : "pass";
    checks.push_back({{"name", row.name},
                      {"found", row.found},
                      {"limit", row.limit},
                      {"verdict", applies ? verdict : "not applicable"},
                      {"details", row.details},
                      {"notes", row.notes}});
    good = good && row.verdict != Verdict::kFail;
  }
  const Json json{{"schema", 2},
                  {"package", facts.name},
                  {"verdict", good ? "pass" : "fail"},
                  {"checks", std::move(checks)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

int check(const CheckOptions& options) {
  const Facts facts =
      gather_facts(options.folder, options.debug, options.forbid_paths, options.jobs);
  std::vector<Row> rows;
  const bool libtorch = facts.manifest.product != "package";
  for (const NamedCheck& one : kChecks) {
    if (libtorch || one.of_any_package) rows.push_back(decide(one, facts));
  }
  std::fputs(report_text(facts, rows, options.brief).c_str(), stdout);
  if (!options.report.empty()) write_text_atomically(options.report, as_json(facts, rows));
  const bool failed = std::any_of(rows.begin(), rows.end(),
                                  [](const Row& row) { return row.verdict == Verdict::kFail; });
  return static_cast<int>(failed ? ExitCode::kCheckFailed : ExitCode::kGood);
}

}  // namespace torchpkg
