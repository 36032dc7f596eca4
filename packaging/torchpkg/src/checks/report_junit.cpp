// SPDX-License-Identifier: BSD-3-Clause
// JUnit XML as its readers agree on it: testsuites, testsuite and testcase with times; a failure or
// a skipped element; what was found in system-out.
#include <fmt/core.h>

#include "checks/report.h"
#include "common/text.h"

namespace torchpkg {

namespace {

/// Text for XML. What XML cannot hold (control characters, U+FFFE, bytes that are not UTF-8) is
/// replaced by U+FFFD. A line's end is kept in attributes too.
std::string escaped(std::string_view text, bool attribute) {
  constexpr std::string_view kReplacement = "\xef\xbf\xbd";
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    const std::string_view character = text.substr(i, length == 0 ? 1 : length);
    const char c = character[0];
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    i += character.size();
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (c == '\'') {
      out += "&apos;";
    } else if (c == '\n' || c == '\t') {
      out += attribute ? fmt::format("&#{};", static_cast<int>(c)) : std::string(1, c);
    } else if (length == 0 || control || character == "\xef\xbf\xbe" ||
               character == "\xef\xbf\xbf") {
      out += kReplacement;
    } else {
      out += character;
    }
  }
  return out;
}

std::string attribute(std::string_view text) { return escaped(text, true); }
std::string content(std::string_view text) { return escaped(text, false); }

/// What CI systems show beside a test case.
std::string outcome(const Row& row) {
  std::string text =
      "looked at: " + row.looked_at + "\nfound: " + row.found + "\nlimit: " + row.limit + "\n";
  for (const std::string& detail : row.details) text += "- " + detail + "\n";
  for (const std::string& note : row.notes) text += ". " + note + "\n";
  return text;
}

std::string test_case(const Row& row) {
  const std::string name = row.number == 0 ? row.name : fmt::format("{} {}", row.number, row.name);
  std::string xml =
      fmt::format("<testcase classname=\"torchpkg.check\" name=\"{}\" time=\"{:.6f}\">",
                  attribute(name), row.seconds);
  switch (row.verdict) {
    case Verdict::kNotApplicable:
      xml += fmt::format("<skipped message=\"{}\"/>", attribute(row.found));
      break;
    case Verdict::kFail:
      xml += fmt::format("<failure type=\"check\" message=\"{}\">{}</failure>",
                         attribute(row.found), content(outcome(row)));
      break;
    case Verdict::kPass:
      xml += fmt::format("<system-out>{}</system-out>", content(outcome(row)));
      break;
  }
  return xml + "</testcase>\n";
}

}  // namespace

std::string report_as_junit(const Report& report) {
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{:.3f}\"",
                  report.rows.size(), count(report.rows, Verdict::kFail),
                  count(report.rows, Verdict::kNotApplicable), report.seconds);
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  xml += fmt::format("<testsuites name=\"torchpkg check\" {}>\n", counts);
  xml += fmt::format("<testsuite name=\"{}\" timestamp=\"{}\" {}>\n", attribute(report.package),
                     attribute(report.begun), counts);
  for (const Row& row : report.rows) xml += test_case(row);
  return xml + "</testsuite>\n</testsuites>\n";
}

}  // namespace torchpkg
