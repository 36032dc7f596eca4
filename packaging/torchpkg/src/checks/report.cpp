// SPDX-License-Identifier: BSD-3-Clause
#include "checks/report.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/text.h"

namespace torchpkg {

namespace {

constexpr std::size_t kMostDetails = 20;

std::string number_of(const Row& row) {
  return row.number == 0 ? std::string() : std::to_string(row.number);
}

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

std::size_t count(const std::vector<Row>& rows, Verdict verdict) {
  return static_cast<std::size_t>(std::count_if(
      rows.begin(), rows.end(), [verdict](const Row& row) { return row.verdict == verdict; }));
}

/// Text for XML: its five special characters, and no control characters, which it cannot hold.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&apos;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? '?' : c;
    }
  }
  return out;
}

}  // namespace

std::string report_as_text(const std::string& package, const std::vector<Row>& rows) {
  std::string text =
      fmt::format("{:<5} {:>2} {:<14} {:<32} found; limit\n", "", "", "check", "looked at");
  for (const Row& row : rows) {
    text += fmt::format("{:<5} {:>2} {:<14} {:<32} {}; {}\n", word_for(row.verdict), number_of(row),
                        row.name, row.looked_at, row.found, row.limit);
    const std::size_t shown = std::min(row.details.size(), kMostDetails);
    for (std::size_t i = 0; i < shown; ++i) text += "         - " + row.details[i] + "\n";
    if (shown < row.details.size()) {
      text += fmt::format("         - and {} more\n", row.details.size() - shown);
    }
  }
  return text + fmt::format("{}: {} passed, {} failed, {} not applicable\n", package,
                            count(rows, Verdict::kPass), count(rows, Verdict::kFail),
                            count(rows, Verdict::kNotApplicable));
}

std::string report_as_json(const std::string& package, const std::vector<Row>& rows) {
  using Json = nlohmann::ordered_json;
  Json checks = Json::array();
  for (const Row& row : rows) {
    Json item;
    if (row.number != 0) item["number"] = row.number;
    item["name"] = row.name;
    item["looked_at"] = row.looked_at;
    item["found"] = row.found;
    item["limit"] = row.limit;
    item["verdict"] = row.verdict == Verdict::kNotApplicable ? "not applicable"
                      : row.verdict == Verdict::kPass        ? "pass"
                                                             : "fail";
    item["details"] = row.details;
    checks.push_back(std::move(item));
  }
  const Json json{{"schema", 1},
                  {"package", package},
                  {"verdict", count(rows, Verdict::kFail) == 0 ? "pass" : "fail"},
                  {"checks", std::move(checks)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string report_as_junit(const std::string& package, const std::vector<Row>& rows) {
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  xml += fmt::format(
      "<testsuites>\n<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n",
      escaped(package), rows.size(), count(rows, Verdict::kFail),
      count(rows, Verdict::kNotApplicable));
  for (const Row& row : rows) {
    const std::string name = row.number == 0 ? row.name : number_of(row) + " " + row.name;
    xml += fmt::format("<testcase classname=\"torchpkg.check\" name=\"{}\">", escaped(name));
    if (row.verdict == Verdict::kNotApplicable) {
      xml += fmt::format("<skipped message=\"{}\"/>", escaped(row.found));
    } else if (row.verdict == Verdict::kFail) {
      xml += fmt::format("<failure message=\"{}\">{}</failure>", escaped(row.found),
                         escaped(join(row.details, "\n")));
    } else {
      xml += fmt::format("<system-out>{}: {}; limit: {}</system-out>", escaped(row.looked_at),
                         escaped(row.found), escaped(row.limit));
    }
    xml += "</testcase>\n";
  }
  return xml + "</testsuite>\n</testsuites>\n";
}

}  // namespace torchpkg
