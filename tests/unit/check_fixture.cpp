// SPDX-License-Identifier: BSD-3-Clause
#include "check_fixture.h"

#include "bills.h"
#include "sample_package.h"

namespace torchpkg::test {

void CheckTest::use(const fs::path& package) {
  fs::remove_all(root());
  fs::copy(package, root(), fs::copy_options::recursive | fs::copy_options::copy_symlinks);
}

void CheckTest::pack() const {
  if (!keep_bills_) write_bills(root());
  const CommandResult result = torchpkg(
      {"pack", "zip", "--root", root().string(), "--output", archive().string(), "--level", "1"});
  ASSERT_EQ(result.exit_code, 0) << result.output;
}

Names CheckTest::failed(const fs::path& package, Names options) {
  if (!keep_bills_ && fs::is_directory(package)) write_bills(package);
  const fs::path file = folder_ / "report.json";
  fs::remove(file);
  options.insert(options.begin(), {"check", package.string(), "--report", file.string()});
  const CommandResult result = torchpkg(options);
  report_ = Json::parse(file_content(file), nullptr, false);
  EXPECT_FALSE(report_.is_discarded()) << result.output;
  Names names;
  if (report_.is_discarded()) return names;
  for (const Json& item : report_["checks"]) {
    if (item["verdict"] == "fail") names.push_back(item["name"]);
  }
  EXPECT_EQ(result.exit_code, names.empty() ? 0 : 1);
  return names;
}

Names CheckTest::failed_when_packed(const Names& options) {
  pack();
  return failed(archive(), options);
}

Json CheckTest::row(const std::string& name) const {
  for (const Json& item : report_["checks"]) {
    if (item["name"] == name) return item;
  }
  return {{"details", {"no such row"}}, {"verdict", "no such row"}, {"found", "no such row"}};
}

std::string CheckTest::first_detail(const std::string& name) const {
  const Json details = row(name)["details"];
  return details.empty() ? "" : details[0].get<std::string>();
}

std::string CheckTest::verdict(const std::string& name) const { return row(name)["verdict"]; }
std::string CheckTest::found(const std::string& name) const { return row(name)["found"]; }

void CheckTest::expect_fault(const Names& failed_rows, const std::string& name,
                             const std::string& detail) const {
  EXPECT_EQ(failed_rows, Names{name}) << report_.dump(2);
  EXPECT_EQ(first_detail(name), detail);
}

fs::path CheckTest::helper() const {
  for (const auto& entry : fs::directory_iterator(root() / "lib")) {
    if (entry.path().filename().string().starts_with("libhelper-")) return entry.path();
  }
  return {};
}

void CheckTest::broken(const std::string& name, const std::vector<Change>& changes,
                       const std::string& rows, const std::string& words) {
  SCOPED_TRACE(name);
  const fs::path good = folder_ / "good";
  fs::rename(root(), good);
  use(good);
  change(changes);
  std::string found;
  bool said = rows.empty();
  for (const std::string& row : packed_ ? failed_when_packed() : failed(root(), options_)) {
    found += (found.empty() ? "" : " ") + row;
    said = said || is_like(first_detail(row), words);
  }
  EXPECT_EQ(found, rows) << report_.dump(2);
  EXPECT_TRUE(said) << words << report_.dump(2);
  fs::remove_all(root());
  fs::rename(good, root());
}

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

void SharedCheckTest::SetUp() {
  // Compiled once for all suites of this process.
  static const TemporaryFolder good;
  static const fs::path package = make_sample_package(good.path());
  use(package);
}

}  // namespace torchpkg::test
