// SPDX-License-Identifier: BSD-3-Clause
// `torchpkg check` of a conda package.
#include <functional>

#include "bills.h"
#include "check_conda_fixture.h"
#include "common/sha256.h"
#include "conda/match_spec.h"

namespace torchpkg::test {
namespace {

class CheckConda : public CondaPackageTest {
 protected:
  void SetUp() override {
    use_libtorch();
    entries.insert(entries.begin(), {file("lib/a", "content"), link("lib/b", "a")});
    list_entries();
  }
};

TEST_F(CheckConda, PassesAGoodOne) {
  const CommandResult result = check();
  EXPECT_EQ(result.exit_code, 0) << result.output;
  for (const char* checked : {"archive", "elf-files", "closure", "rpath", "platform", "conda",
                              "gpu-code", "versions", "openmp", "cpu-features", "licences"}) {
    EXPECT_EQ(row(checked).at("verdict"), "pass") << checked;
  }
  EXPECT_EQ(row("wheel").at("found"), "not a wheel");
}

TEST_F(CheckConda, PathsThatAreWrong) {
  const Json good = paths;
  const std::vector<std::pair<std::function<void()>, std::string>> faults{
      {[&] { paths[0]["sha256"] = sha256_of_text("another"); },
       "but paths.json says hardlink " + sha256_of_text("another") + " of "},
      {[&] { paths[0]["size_in_bytes"] = 8; }, " of 8 bytes"},
      {[&] { paths[1]["path_type"] = "hardlink"; },
       "lib/b is softlink, but paths.json says hardlink "},
      {[&] { paths.erase(1); }, "paths.json does not list lib/b"},
      {[&] { paths.push_back(paths[0]); }, "paths.json lists lib/a twice"},
      {[&] {
         paths.push_back({{"_path", "lib/c"}});
       },
       "paths.json lists 'lib/c', which is not inside"},
  };
  for (const auto& [spoil, said] : faults) {
    paths = good;
    spoil();
    expect_found(said);
  }
}

TEST_F(CheckConda, PathsOfAnotherForm) {
  info["paths.json"] = "[]";
  expect_found("paths.json is not a JSON object");
  info["paths.json"] = R"({"paths": [1, {}]})";
  expect_found("paths.json lists '', which is not inside");
  info["paths.json"] = R"({"paths": [{"_path": 1}, {"_path": "lib/a", "sha256": 2,)"
                       R"( "size_in_bytes": "7", "path_type": []}]})";
  expect_found("paths.json lists '', which is not inside");
  info["paths.json"] = R"({"paths": [{"_path": "lib/a", "size_in_bytes": "7"}]})";
  expect_found(R"(but paths.json says   of "7" bytes)");
}

TEST_F(CheckConda, InfoThatIsWrong) {
  const auto good = info;
  info["files"] = "lib/a\n";
  expect_found("info/files does not list lib/b");
  info = good;
  info["index.json"] = "";
  expect_found("info/index.json is missing");
  info = good;
  info["licenses/sleef/LICENSE.txt"] = "";
  expect_found_in("licences", "sleef has no file in info/licenses/sleef/");
  info = good;
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
  Words good{"python >=3.11,<3.12.0a0",
             "python_abi 3.11.* *_cp311",
             "libtorch 2.6.0 cpu_mkl_h0123456_0",
             "filelock",
             "numpy >=1.19,<2|2.1.*",
             "sympy ==1.13.1",
             "networkx !=3.0,~=3.1"};
  good.insert(good.end(), kHost.begin(), kHost.end());
  depend_on(good);
  EXPECT_EQ(check().exit_code, 0);
  depend_on({"good >=1", "python >= 3.11", ""});
  expect_found_in("conda",
                  "depends of index.json: 'python >= 3.11' is not a match spec: in >=, '>=' "
                  "has no version");
  expect_found_in("conda", "'' is not a match spec: it names no package");
  const std::map<std::string, std::string> wrong{
      {"Python", "Python is not a package name"},
      {"numpy[version='>=1']", "is not a package name"},
      {"conda-forge::numpy", "conda-forge::numpy is not a package name"},
      {"a >=1,", "in >=1,, '' has no version"},
      {"a 1||2", "in 1||2, '' has no version"},
      {"a >=1;<2", "1;<2 is not a version"},
      {"a 1 h0(1)", "h0(1) is not a build"},
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

TEST_F(CheckConda, LinkToWhatAnotherPackageHas) {
  entries[1] = link("lib/b", "libother.so");
  list_entries();
  EXPECT_EQ(check().exit_code, 0);
}

TEST_F(CheckConda, WrongTar) {
  entries.push_back(file("info/extra", "x"));
  expect_found("info/extra is in the wrong one of the two tars");
}

TEST_F(CheckConda, ForbiddenPath) {
  const CommandResult result = check({"--forbid-path", "content"});
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_TRUE(contains(result.output, "lib/a contains content"));
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
    EXPECT_TRUE(contains(result.output, "FAIL     archive"));
  }
  write_file(package, "BZh9 is another format");
  const CommandResult result = torchpkg({"check", package.string()});
  EXPECT_EQ(result.exit_code, 3) << result.output;
  EXPECT_TRUE(contains(result.output, "is not a conda package of format 2"));
}

/// The ZIP file around it is whole, with the CRC of what is left.
TEST_F(CheckConda, TruncatedTar) {
  const std::string good = tar_of(entries);
  for (const std::size_t size : {good.size() - 1, good.size() / 2, std::size_t{5}}) {
    files_tar = good.substr(0, size);
    expect_found_in("archive", "pkg-demo-1.0-h0_0.tar.zst");
  }
  const Entry left_out = entries[1];
  entries.erase(entries.begin() + 1);
  files_tar = tar_of(entries);
  entries.push_back(left_out);
  expect_found("paths.json lists 'lib/b', which is not inside");
}

TEST_F(CheckConda, Folder) {
  const fs::path root = folder_ / "prefix";
  for (const Entry& entry : entries) {
    if (entry.kind != Entry::Kind::kSymlink) write_file(root / entry.name, entry.text);
  }
  for (const auto& [member, text] : info) write_file(root / "info" / member, text);
  write_bills(root);
  for (const char* bill : {"sbom.spdx.json", "sbom.cdx.json"}) {
    fs::rename(root / bill, root / home / bill);
  }
  const auto result = [&] { return torchpkg({"check", root.string()}); };
  EXPECT_EQ(result().exit_code, 0) << result().output;
  EXPECT_TRUE(contains(result().output, "a folder: paths.json is written when it is packed"));
  write_file(root / "info/index.json", "{}");
  EXPECT_EQ(result().exit_code, 1);
  EXPECT_TRUE(contains(result().output, "index.json has no name"));
}

TEST_F(CheckConda, Manifest) {
  remove("share/libtorch/manifest.json");
  EXPECT_EQ(check().exit_code, 3);
  EXPECT_TRUE(contains(check().output, "the package has no share/libtorch/manifest.json"));
  put(file("share/libtorch/manifest.json", "{}"));
  EXPECT_EQ(check().exit_code, 3);
  EXPECT_TRUE(contains(check().output, "share/libtorch/manifest.json: key 'schema' not found"));
}

/// The rules of zips and wheels hold for conda packages too.
TEST_F(CheckConda, OtherRows) {
  put(file("share/libtorch/build-version", "2.6.1+cpu\n"));
  expect_found_in("versions", "build-version says 2.6.1+cpu, the manifest says 2.6.0+cpu");
  put(file("share/libtorch/build-version", "2.6.0+cpu\n"));
  put(file("lib/libextra.a", "!<arch>\n"));
  expect_found_in("contents", "lib/libextra.a is a static library in a shared package");
}

TEST_F(CheckConda, Pytorch) {
  use_pytorch();
  list_entries();
  Words specs = kHost;
  specs.emplace_back("libtorch 2.6.0 cpu_mkl_h0123456_0");
  depend_on(specs);
  const CommandResult result = check();
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_EQ(row("versions").at("verdict"), "pass");
  EXPECT_EQ(row("cpu-features").at("found"), "libtorch_cpu is in the package libtorch");
  depend_on(kHost);
  expect_found("lib/libtorch_cpu.so is missing");
}

}  // namespace
}  // namespace torchpkg::test
