// SPDX-License-Identifier: BSD-3-Clause
// `torchpkg check` of a conda package.
#include "check_conda_fixture.h"
#include "common/sha256.h"

namespace torchpkg::test {
namespace {

class CheckConda : public CondaPackageTest {
 protected:
  void SetUp() override {
    entries = {file("lib/a", "content"), link("lib/b", "a")};
    depend_on({});
    info["licenses/LICENSE"] = "do as you like";
    list_entries();
  }
};

TEST_F(CheckConda, PassesAGoodOne) {
  const CommandResult result = check();
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_NE(result.output.find("4 passed, 0 failed"), std::string::npos) << result.output;
}

TEST_F(CheckConda, WrongHash) {
  paths[0]["sha256"] = sha256_of_text("another");
  expect_found("paths.json has another SHA-256 than lib/a");
}

TEST_F(CheckConda, WrongSize) {
  paths[0]["size_in_bytes"] = 8;
  expect_found("paths.json has another size than lib/a");
}

TEST_F(CheckConda, WrongType) {
  paths[1]["path_type"] = "hardlink";
  expect_found("paths.json calls lib/b a hardlink");
}

TEST_F(CheckConda, FileNotListed) {
  paths.erase(1);
  expect_found("paths.json does not list lib/b");
}

TEST_F(CheckConda, ListedTwiceAndNotInside) {
  paths.push_back(paths[0]);
  expect_found("paths.json lists lib/a twice");
  paths[2]["_path"] = "lib/c";
  expect_found("paths.json lists 'lib/c', which is not inside");
}

TEST_F(CheckConda, PathsOfAnotherForm) {
  info["paths.json"] = "[]";
  expect_found("paths.json is no JSON object");
  info["paths.json"] = R"({"paths": [1, {}]})";
  expect_found("paths.json lists '', which is not inside");
  info["paths.json"] = R"({"paths": [{"_path": 1}, {"_path": "lib/a", "sha256": 2,)"
                       R"( "size_in_bytes": "7", "path_type": []}]})";
  expect_found("paths.json lists '', which is not inside");
  info["paths.json"] = R"({"paths": [{"_path": "lib/a", "size_in_bytes": "7"}]})";
  expect_found("paths.json has another size than lib/a");
}

TEST_F(CheckConda, OtherFileList) {
  info["files"] = "lib/a\n";
  expect_found("info/files lists others");
}

TEST_F(CheckConda, MissingInfo) {
  info["index.json"] = "";
  expect_found("info/index.json is missing");
}

TEST_F(CheckConda, NoLicence) {
  info["licenses/LICENSE"] = "";
  expect_found("info/licenses is empty");
}

TEST_F(CheckConda, OtherName) {
  name = "demo-1.1-h0_0.conda";
  expect_found("index.json is of demo-1.0-h0_0, the file is called demo-1.1-h0_0.conda");
}

TEST_F(CheckConda, SameNameTwice) {
  entries.push_back(entries[0]);
  expect_found_in("archive", "lib/a is there twice");
}

TEST_F(CheckConda, OutOfThePrefix) {
  for (const char* path : {"../up", "lib/../../up", "/etc/absolute"}) {
    entries.back() = file(path, "x");
    expect_found_in("archive", "'" + std::string(path) + "' is no name inside the prefix");
  }
  for (const char* target : {"../../../etc/passwd", "../..", "/etc/passwd"}) {
    entries.back() = link("lib/b", target);
    expect_found_in("archive",
                    "lib/b is a symlink to " + std::string(target) + ", outside the prefix");
  }
}

TEST_F(CheckConda, WrongTar) {
  entries.push_back(file("info/extra", "x"));
  expect_found("info/extra is in the wrong one of the two tars");
}

TEST_F(CheckConda, ForbiddenPath) {
  const CommandResult result = check({"--forbid-path", "content"});
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_NE(result.output.find("lib/a has content"), std::string::npos) << result.output;
}

TEST_F(CheckConda, Truncated) {
  (void)check();
  const fs::path package = folder_ / folder / name;
  const std::string good = file_content(package);
  std::vector<std::size_t> sizes{4, 40, good.size() - 22, good.size() - 1};
  for (std::size_t i = 1; i < 16; ++i) sizes.push_back(good.size() * i / 16);
  for (const std::size_t size : sizes) {
    write_file(package, good.substr(0, size));
    const CommandResult result = torchpkg({"check", package.string()});
    EXPECT_EQ(result.exit_code, 1) << size << "\n" << result.output;
    EXPECT_NE(result.output.find("FAIL     archive"), std::string::npos) << result.output;
  }
  write_file(package, "BZh9 is another format");
  const CommandResult result = torchpkg({"check", package.string()});
  EXPECT_EQ(result.exit_code, 3) << result.output;
  EXPECT_NE(result.output.find("no conda package of format 2"), std::string::npos);
}

/// The ZIP file around it is whole, with the CRC of what is left.
TEST_F(CheckConda, TruncatedTar) {
  const std::string good = tar_of(entries);
  for (const std::size_t size : {good.size() - 1, good.size() / 2, std::size_t{5}}) {
    files_tar = good.substr(0, size);
    expect_found_in("archive", "pkg-demo-1.0-h0_0.tar.zst");
  }
  files_tar = tar_of({entries[0]});
  expect_found_in("conda", "paths.json lists 'lib/b', which is not inside");
}

}  // namespace
}  // namespace torchpkg::test
