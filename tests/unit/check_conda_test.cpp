// SPDX-License-Identifier: BSD-3-Clause
// `torchpkg check` of a conda package.
#include "check_conda_fixture.h"
#include "common/sha256.h"
#include "conda/match_spec.h"

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
  EXPECT_NE(result.output.find("5 passed, 0 failed"), std::string::npos) << result.output;
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

TEST_F(CheckConda, OtherFolder) {
  folder = "linux-64";
  EXPECT_EQ(check().exit_code, 0);
  folder = "noarch";
  expect_found_in("conda", "the subdir of index.json is linux-64, but the package lies in noarch/");
}

TEST_F(CheckConda, WrongDependencies) {
  depend_on({"python >=3.11,<3.12.0a0", "python_abi 3.11.* *_cp311", "_openmp_mutex >=4.5",
             "libtorch 2.6.0 cpu_mkl_h0123456_0", "filelock", "numpy >=1.19,<2|2.1.*",
             "sympy ==1.13.1", "__glibc >=2.31,<3.0.a0", "networkx !=3.0,~=3.1"});
  EXPECT_EQ(check().exit_code, 0);
  depend_on({"good >=1", "python >= 3.11", ""});
  expect_found_in("conda",
                  "depends of index.json: 'python >= 3.11' is no match spec: in >=, '>=' "
                  "has no version");
  expect_found_in("conda", "'' is no match spec: it names no package");
  const std::map<std::string, std::string> wrong{
      {"Python", "Python is no name of a package"},
      {"numpy[version='>=1']", "is no name of a package"},
      {"conda-forge::numpy", "conda-forge::numpy is no name of a package"},
      {"a >=1,", "in >=1,, '' has no version"},
      {"a 1||2", "in 1||2, '' has no version"},
      {"a >=1;<2", "1;<2 is no version"},
      {"a 1 h0(1)", "h0(1) is no build"},
      {"a 1 h0 more", "it has more words than name, version and build"},
  };
  for (const auto& [text, problem] : wrong) {
    depend_on({text});
    expect_found_in("conda", problem);
  }
}

TEST_F(CheckConda, MatchSpec) {
  const auto oldest = [](const std::string& version) {
    return conda::parse_match_spec("a " + version).oldest();
  };
  EXPECT_EQ(oldest(">=2.17,<3.0.a0"), "2.17");
  EXPECT_EQ(oldest("<3.0.a0,>=2.17,>=2.28"), "2.28");
  EXPECT_EQ(oldest("13.*"), "13");
  EXPECT_EQ(oldest("=13"), "13");
  EXPECT_EQ(oldest("~=13.2"), "13.2");
  EXPECT_EQ(oldest(">=13|12.*"), "12");
  EXPECT_EQ(oldest(">=13|<5"), "");
  EXPECT_EQ(oldest("!=13"), "");
  EXPECT_EQ(oldest("*"), "");
  EXPECT_EQ(conda::parse_match_spec("a").oldest(), "");
  const auto exact = [](const std::string& text) {
    return conda::parse_match_spec(text).is_exact();
  };
  EXPECT_TRUE(exact("libtorch 2.6.0 cpu_mkl_h0_0"));
  EXPECT_TRUE(exact("libtorch ==2.6.0 cpu_mkl_h0_0"));
  for (const char* text : {"libtorch", "libtorch 2.6.0", "libtorch 2.6.* h0_0", "libtorch >=2 h0_0",
                           "libtorch 2.6.0 cpu*", "libtorch 2.6.0|2.7.0 h0_0"}) {
    EXPECT_FALSE(exact(text)) << text;
  }
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
