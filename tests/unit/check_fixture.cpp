// SPDX-License-Identifier: BSD-3-Clause
#include "check_fixture.h"

#include "sample_package.h"

namespace torchpkg::test {

namespace {

/// Whether a text is as a pattern says, in which `*` stands for any text.
bool is_like(std::string_view text, std::string_view pattern) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] != '*') {
    return !text.empty() && text[0] == pattern[0] && is_like(text.substr(1), pattern.substr(1));
  }
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (is_like(text.substr(at), pattern.substr(1))) return true;
  }
  return false;
}

}  // namespace

void CheckTest::SetUp() {
  // Compiled once for all tests of this process.
  static const TemporaryFolder good;
  static const fs::path package = make_sample_package(good.path());
  use(package);
}

void CheckTest::use(const fs::path& package) const {
  fs::remove_all(root());
  fs::copy(package, root(), fs::copy_options::recursive | fs::copy_options::copy_symlinks);
}

std::string CheckTest::failed() {
  const fs::path file = folder_ / "report.json";
  fs::remove(file);
  Names command = {"check", root().string(), "--report", file.string()};
  command.insert(command.end(), options_.begin(), options_.end());
  const CommandResult result = torchpkg(command);
  report_ = Json::parse(file_content(file), nullptr, false);
  if (report_.is_discarded()) return "no report: " + result.output;
  std::string names;
  for (const Json& item : report_["checks"]) {
    if (item["verdict"] != "fail") continue;
    names += (names.empty() ? "" : " ") + item["name"].get<std::string>();
  }
  EXPECT_EQ(result.exit_code, names.empty() ? 0 : 1);
  return names;
}

Json CheckTest::row(const std::string& name) const {
  for (const Json& item : report_["checks"]) {
    if (item["name"] == name) return item;
  }
  return {{"details", {"no such row"}}, {"verdict", "no such row"}, {"found", "no such row"}};
}

void CheckTest::broken(const std::string& name, const std::vector<Change>& changes,
                       const std::string& rows, const std::string& words) {
  SCOPED_TRACE(name);
  const fs::path good = folder_ / "good";
  fs::rename(root(), good);
  use(good);
  change(changes);
  EXPECT_EQ(failed(), rows) << report_.dump(2);
  bool said = rows.empty();
  for (const Json& item : report_["checks"]) {
    for (const Json& detail : item["details"]) {
      said = said || is_like(detail.get<std::string>(), words);
    }
  }
  EXPECT_TRUE(said) << words << "\n" << report_.dump(2);
  fs::remove_all(root());
  fs::rename(good, root());
}

}  // namespace torchpkg::test
