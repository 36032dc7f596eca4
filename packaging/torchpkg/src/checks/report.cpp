// SPDX-License-Identifier: BSD-3-Clause
#include "checks/report.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/text.h"

namespace torchpkg {

namespace {

constexpr std::size_t kMostDetails = 20;

const char* word_for(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return "pass";
    case Verdict::kFail:
      return "FAIL";
    case Verdict::kNotApplicable:
      break;
  }
  return "n/a";
}

const char* json_word_for(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return "pass";
    case Verdict::kFail:
      return "fail";
    case Verdict::kNotApplicable:
      break;
  }
  return "not applicable";
}

void append_lines(std::string& text, char mark, const std::vector<std::string>& lines) {
  const std::size_t shown = std::min(lines.size(), kMostDetails);
  for (std::size_t i = 0; i < shown; ++i) {
    text += fmt::format("         {} {}\n", mark, printable(lines[i]));
  }
  if (shown < lines.size()) {
    text += fmt::format("         {} and {} more\n", mark, lines.size() - shown);
  }
}

}  // namespace

std::size_t count(const std::vector<Row>& rows, Verdict verdict) {
  return static_cast<std::size_t>(std::count_if(
      rows.begin(), rows.end(), [verdict](const Row& row) { return row.verdict == verdict; }));
}

std::string report_as_text(const Report& report) {
  std::string text =
      fmt::format("{:<5} {:>2} {:<17} {:<34} found; limit\n", "", "", "check", "looked at");
  for (const Row& row : report.rows) {
    const std::string limit = row.limit.empty() ? "" : "; " + printable(row.limit);
    text += fmt::format("{:<5} {:>2} {:<17} {:<34} {}{}\n", word_for(row.verdict),
                        row.number == 0 ? "" : std::to_string(row.number), row.name,
                        printable(row.looked_at), printable(row.found), limit);
    append_lines(text, '-', row.details);
    append_lines(text, '.', row.notes);
  }
  return text + fmt::format("{}: {} passed, {} failed, {} not applicable\n",
                            printable(report.package), count(report.rows, Verdict::kPass),
                            count(report.rows, Verdict::kFail),
                            count(report.rows, Verdict::kNotApplicable));
}

std::string report_as_json(const Report& report) {
  using Json = nlohmann::ordered_json;
  Json checks = Json::array();
  for (const Row& row : report.rows) {
    Json item;
    if (row.number != 0) item["number"] = row.number;
    item["name"] = row.name;
    item["looked_at"] = row.looked_at;
    item["found"] = row.found;
    item["limit"] = row.limit;
    item["verdict"] = json_word_for(row.verdict);
    item["details"] = row.details;
    if (!row.notes.empty()) item["notes"] = row.notes;
    checks.push_back(std::move(item));
  }
  Json json{{"schema", 1},
            {"package", report.package},
            {"verdict", count(report.rows, Verdict::kFail) == 0 ? "pass" : "fail"},
            {"checks", std::move(checks)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace torchpkg
