// SPDX-License-Identifier: BSD-3-Clause
// `torchpkg check` of a conda package.
#include <gtest/gtest.h>
#include <libdeflate.h>

#include <nlohmann/json.hpp>

#include "common/file.h"
#include "common/sha256.h"
#include "conda/tar_writer.h"
#include "conda/zstd_stream.h"
#include "support.h"
#include "zip/format.h"
#include "zip/writer.h"

namespace torchpkg::test {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

/// A package of one's own making, so that it can be wrong: the files of info/, and those of the
/// prefix as entries.
class CheckConda : public testing::Test {
 protected:
  using Entry = zip::SourceEntry;

  static Entry file(const std::string& name, const std::string& text) {
    Entry entry;
    entry.name = name;
    entry.kind = Entry::Kind::kMemory;
    entry.text = text;
    entry.size = text.size();
    return entry;
  }

  static Entry link(const std::string& name, const std::string& target) {
    Entry entry = file(name, target);
    entry.kind = Entry::Kind::kSymlink;
    return entry;
  }

  static Json path_of(const Entry& entry) {
    const bool is_link = entry.kind == Entry::Kind::kSymlink;
    return {{"_path", entry.name},
            {"path_type", is_link ? "softlink" : "hardlink"},
            {"sha256", sha256_of_text(entry.text)},
            {"size_in_bytes", entry.size}};
  }

  void SetUp() override {
    entries = {file("lib/a", "content"), link("lib/b", "a")};
    info["index.json"] =
        R"({"name": "demo", "version": "1.0", "build": "h0_0", "build_number": 0, "depends": [],)"
        R"( "subdir": "linux-64"})";
    info["licenses/LICENSE"] = "do as you like";
    for (const Entry& entry : entries) {
      info["files"] += entry.name + "\n";
      paths.push_back(path_of(entry));
    }
  }

  static void add(zip::Writer& writer, const std::string& name, const std::string& text) {
    const Entry entry = file(name, text);
    const Bytes bytes{reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
    writer.begin_entry(entry, zip::kStored);
    writer.append_data(bytes);
    writer.end_entry(libdeflate_crc32(0, bytes.data(), bytes.size()));
  }

  static std::string tar_of(const std::vector<Entry>& from) {
    std::string text;
    conda::ZstdStream zstd(1, 1, [&](Bytes data) { text += as_text(data); });
    conda::TarWriter tar(0, [&](Bytes data) { zstd.append(data); });
    for (const Entry& entry : from) tar.add(entry);
    tar.finish();
    zstd.finish();
    return text;
  }

  CommandResult check(const Words& more = {}) {
    if (info.count("paths.json") == 0) {
      info["paths.json"] = Json{{"paths", paths}, {"paths_version", 1}}.dump();
    }
    std::vector<Entry> in_info;
    for (const auto& [member, text] : info) {
      if (!text.empty()) in_info.push_back(file("info/" + member, text));
    }
    const fs::path package = folder_ / name;
    {
      zip::Writer writer(package, {});
      add(writer, "metadata.json", "{\"conda_pkg_format_version\": 2}");
      add(writer, "pkg-demo-1.0-h0_0.tar.zst", tar_of(entries));
      add(writer, "info-demo-1.0-h0_0.tar.zst", tar_of(in_info));
      writer.finish();
    }
    Words words{"check", package.string()};
    words.insert(words.end(), more.begin(), more.end());
    return torchpkg(words);
  }

  void expect_found(const std::string& text) {
    const CommandResult result = check();
    EXPECT_EQ(result.exit_code, 1) << result.output;
    EXPECT_NE(result.output.find(text), std::string::npos) << result.output;
  }

  std::string name = "demo-1.0-h0_0.conda";
  std::vector<Entry> entries;
  std::map<std::string, std::string> info;  ///< empty text: not there
  Json paths = Json::array();
  TemporaryFolder folder_;
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
  info.erase("paths.json");
  paths[2]["_path"] = "lib/c";
  expect_found("paths.json lists 'lib/c', which is not inside");
}

TEST_F(CheckConda, PathsOfAnotherForm) {
  info["paths.json"] = "[]";
  expect_found("paths.json is no JSON object");
  info["paths.json"] = R"({"paths": [1, {}]})";
  expect_found("paths.json lists '', which is not inside");
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
  expect_found("lib/a is there twice");
}

TEST_F(CheckConda, OutOfThePrefix) {
  for (const char* path : {"../up", "lib/../../up", "/etc/absolute"}) {
    entries.back() = file(path, "x");
    expect_found("is no name inside the prefix");
  }
  entries.back() = link("lib/b", "../../../etc/passwd");
  expect_found("lib/b is a symlink to ../../../etc/passwd, outside the prefix");
  entries.back() = link("lib/b", "/etc/passwd");
  expect_found("outside the prefix");
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
  const std::string good = file_content(folder_ / name);
  for (const std::size_t size : {good.size() - 1, good.size() / 2, std::size_t{40}}) {
    write_file(folder_ / name, good.substr(0, size));
    const CommandResult result = torchpkg({"check", (folder_ / name).string()});
    EXPECT_EQ(result.exit_code, 1) << result.output;
    EXPECT_NE(result.output.find("FAIL     archive"), std::string::npos) << result.output;
  }
  write_file(folder_ / name, "BZh9 is another format");
  const CommandResult result = torchpkg({"check", (folder_ / name).string()});
  EXPECT_EQ(result.exit_code, 3) << result.output;
  EXPECT_NE(result.output.find("no conda package of format 2"), std::string::npos);
}

}  // namespace
}  // namespace torchpkg::test
