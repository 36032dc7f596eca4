// SPDX-License-Identifier: BSD-3-Clause
// The three forms of a report.
#include "checks/report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "check_fixture.h"

namespace torchpkg::test {
namespace {

torchpkg::Report sample_report() {
  torchpkg::Report report;
  report.package = "a<b>&\"c'.zip";
  report.begun = "2026-11-21T12:00:00";
  report.seconds = 1.25;
  Row good{1, "closure", "3 ELF files", "all resolve", "everything inside"};
  good.seconds = 0.5;
  good.notes = {"worth to know"};
  Row bad{2, "rpath", "3 ELF files", "", "only $ORIGIN"};
  bad.decide({"lib/\x1b[31m<odd>\xff.so & more", "second\nline ]]>", "\xef\xbf\xbe \xed\xa0\x80"},
             "");
  Row none{4, "nvrtc", "manifest", "a CPU package", "kernels compile"};
  none.verdict = Verdict::kNotApplicable;
  report.rows = {good, bad, none};
  return report;
}

// What readers of JUnit XML agree on: the elements, the attributes that they need, and that the
// numbers fit the elements.
constexpr const char* kReader = R"(
import re, sys, xml.etree.ElementTree as tree
suites = tree.parse(sys.argv[1]).getroot()
assert suites.tag == 'testsuites', suites.tag
cases = 0
for suite in suites:
    assert suite.tag == 'testsuite', suite.tag
    assert {'name', 'tests', 'failures', 'errors', 'skipped', 'time', 'timestamp'} <= set(suite.keys())
    assert re.fullmatch(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d', suite.get('timestamp'))
    assert float(suite.get('time')) >= 0
    assert all(case.tag == 'testcase' for case in suite)
    for case in suite:
        assert {'name', 'classname', 'time'} <= set(case.keys())
        assert float(case.get('time')) >= 0
        assert all(c.tag in ('failure', 'skipped', 'system-out') for c in case)
        for failure in case.findall('failure'):
            assert failure.get('message') and failure.get('type') and failure.text
    assert len(suite.findall('testcase')) == int(suite.get('tests'))
    assert len(suite.findall('testcase/failure')) == int(suite.get('failures'))
    assert len(suite.findall('testcase/skipped')) == int(suite.get('skipped'))
    cases += len(suite)
assert int(suites.get('tests')) == cases
print(suites[0].get('name'), suites.get('tests'), suites.get('failures'), suites.get('skipped'))
for failure in suites.iter('failure'):
    print(ascii(failure.get('message')))
)";

class Report : public SharedCheckTest {
 protected:
  [[nodiscard]] CommandResult read_junit(const fs::path& file) const {
    write_file(folder_ / "reader.py", kReader);
    return run_command({"python3", (folder_ / "reader.py").string(), file.string()});
  }
};

TEST_F(Report, JunitIsReadBack) {
  const fs::path file = folder_ / "report.xml";
  write_file(file, report_as_junit(sample_report()));
  const CommandResult result = read_junit(file);
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_EQ(result.output,
            "a<b>&\"c'.zip 3 1 1\n"
            "'lib/\\ufffd[31m<odd>\\ufffd.so & more and 2 more'\n");
}

TEST_F(Report, JunitOfARealCheckIsReadBack) {
  fs::remove_all(root() / "share/licenses/sleef");
  const fs::path file = folder_ / "reports/check.xml";
  EXPECT_EQ(torchpkg({"check", root().string(), "--report", file.string()}).exit_code, 1);
  const CommandResult result = read_junit(file);
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_TRUE(contains(result.output, "sleef has no file in share/licenses/sleef/"));
}

TEST_F(Report, TextHasNoControlCharacters) {
  const std::string text = report_as_text(sample_report());
  EXPECT_EQ(std::count_if(text.begin(), text.end(),
                          [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n'; }),
            0);
  EXPECT_TRUE(contains(text, "- lib/\\x1b[31m<odd>\\xff.so & more\n"));
  EXPECT_TRUE(contains(text, "- second\\x0aline ]]>\n"));
  EXPECT_TRUE(contains(text, ". worth to know\n"));
  EXPECT_TRUE(contains(text, "1 passed, 1 failed, 1 not applicable\n"));
}

TEST_F(Report, JsonIsWholeWhateverTheNames) {
  const Json json = Json::parse(report_as_json(sample_report()));
  EXPECT_EQ(json["verdict"], "fail");
  EXPECT_EQ(json["checks"][0]["notes"], Json::array({"worth to know"}));
  EXPECT_EQ(json["checks"][1]["details"].size(), 3U);
  EXPECT_EQ(json["checks"][2]["verdict"], "not applicable");
}

TEST_F(Report, SeveralAtOnce) {
  const fs::path xml = folder_ / "r/check.xml";
  const fs::path json = folder_ / "r/check.json";
  const CommandResult result =
      torchpkg({"check", root().string(), "--report", xml.string(), "--report", json.string()});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(contains(result.output, "0 failed"));
  EXPECT_EQ(Json::parse(file_content(json))["verdict"], "pass");
  EXPECT_EQ(read_junit(xml).exit_code, 0);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "r"), {}), 2) << "nothing half-written";
}

TEST_F(Report, TheSamePackageGivesTheSameJson) {
  Names texts;
  for (const char* name : {"a.json", "b.json"}) {
    torchpkg({"check", root().string(), "--report", (folder_ / name).string()});
    texts.push_back(file_content(folder_ / name));
  }
  EXPECT_EQ(texts[0], texts[1]);
}

TEST_F(Report, WhereItCannotBeWritten) {
  const auto run = [this](const fs::path& file) {
    return torchpkg({"check", root().string(), "--report", file.string()});
  };
  const CommandResult suffix = run(folder_ / "report.pdf");
  EXPECT_EQ(suffix.exit_code, 2);
  EXPECT_TRUE(contains(suffix.output, "remedy: end it in .json, .xml (JUnit) or .txt"));
  write_file(folder_ / "file", "");
  EXPECT_EQ(run(folder_ / "file/report.xml").exit_code, 4);
}

}  // namespace
}  // namespace torchpkg::test
