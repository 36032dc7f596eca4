// SPDX-License-Identifier: BSD-3-Clause
// `torchpkg pack conda`, what reads its packages, and the channel that `torchpkg index` writes.
#include <gtest/gtest.h>
#include <libdeflate.h>

#include <nlohmann/json.hpp>

#include "common/file.h"
#include "common/sha256.h"
#include "conda/package_reader.h"
#include "conda/tar_writer.h"
#include "conda/zstd_stream.h"
#include "support.h"
#include "zip/format.h"
#include "zip/reader.h"
#include "zip/writer.h"

namespace torchpkg::test {
namespace {

using conda::PackageReader;
using conda::TarEntry;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

constexpr const char* kFile = "demo-1.0-h0_0.conda";
constexpr const char* kPlaceholder = "/placeholder_placeholder_placeholder";

class Conda : public testing::Test {
 protected:
  void SetUp() override {
    write_index({});
    write_file(root() / "info/licenses/LICENSE", "do as you like\n");
    write_file(root() / "lib/libdemo.so.1", sample_bytes(100000, 1));
    fs::create_symlink("libdemo.so.1", root() / "lib/libdemo.so");
    write_file(root() / "bin/demo", std::string("#!") + kPlaceholder + "/bin/python\n");
    fs::permissions(root() / "bin/demo", fs::perms::owner_exec, fs::perm_options::add);
    write_file(root() / "share/with prefix",
               std::string("\0before ", 8) + kPlaceholder + std::string("\0after", 6));
    write_file(root() / ("share/" + std::string(150, 'n') + "/gr\xc3\xbc\xc3\x9f"), "utf-8");
    write_file(root() / "share/empty", "");
  }

  /// index.json with other members than usual; null takes one out.
  void write_index(const Json& changes) {
    Json json{{"name", "demo"},    {"version", "1.0"},         {"build", "h0_0"},
              {"build_number", 0}, {"depends", Json::array()}, {"subdir", "linux-64"}};
    for (const auto& [member, value] : changes.items()) {
      if (value.is_null()) {
        json.erase(member);
      } else {
        json[member] = value;
      }
    }
    write_file(root() / "info/index.json", json.dump());
  }

  [[nodiscard]] fs::path root() const { return folder_ / "root"; }
  [[nodiscard]] fs::path channel() const { return folder_ / "channel"; }
  [[nodiscard]] fs::path package() const { return channel() / "linux-64" / kFile; }

  CommandResult pack(const Words& more = {}) {
    Words words{
        "pack",    "conda", "--root",        root().string(), "--output", channel().string(),
        "--level", "3",     "--placeholder", kPlaceholder};
    words.insert(words.end(), more.begin(), more.end());
    return torchpkg(words);
  }

  void make_package(const Words& more = {}) {
    const CommandResult result = pack(more);
    ASSERT_EQ(result.exit_code, 0) << result.output;
  }

  void expect_bad(const CommandResult& result, int code, const std::string& text) {
    EXPECT_EQ(result.exit_code, code) << result.output;
    EXPECT_NE(result.output.find(text), std::string::npos) << result.output;
    EXPECT_FALSE(fs::exists(channel() / "linux-64")) << "something half-written is left";
  }

  TemporaryFolder folder_;
};

std::map<std::string, TarEntry> entries_of(const fs::path& file, PackageReader::Part part,
                                           std::map<std::string, std::string>* contents = nullptr) {
  const MappedFile mapped(file);
  std::map<std::string, TarEntry> found;
  PackageReader(mapped.bytes()).for_each(part, [&](const TarEntry& entry, Bytes content) {
    EXPECT_TRUE(found.emplace(entry.path, entry).second) << entry.path;
    if (contents != nullptr) (*contents)[entry.path] = as_text(content);
  });
  return found;
}

TEST_F(Conda, HoldsWhatWasThere) {
  make_package();
  std::map<std::string, std::string> contents;
  const auto entries = entries_of(package(), PackageReader::Part::kFiles, &contents);
  EXPECT_EQ(entries.size(), 6U);
  for (const auto& [path, entry] : entries) {
    if (entry.kind == TarEntry::Kind::kSymlink) continue;
    EXPECT_EQ(contents[path], file_content(root() / path)) << path;
    EXPECT_EQ(entry.executable, path == "bin/demo") << path;
  }
  EXPECT_EQ(entries.at("lib/libdemo.so").target, "libdemo.so.1");
  const auto info = entries_of(package(), PackageReader::Part::kInfo, &contents);
  EXPECT_EQ(info.size(), 5U);
  EXPECT_EQ(contents["info/licenses/LICENSE"], "do as you like\n");
}

TEST_F(Conda, SaysWhatIsInside) {
  make_package();
  std::map<std::string, std::string> contents;
  (void)entries_of(package(), PackageReader::Part::kInfo, &contents);
  const Json paths = Json::parse(contents["info/paths.json"]);
  std::map<std::string, Json> by_path;
  std::string names;
  for (const Json& path : paths.at("paths")) {
    by_path[path.at("_path")] = path;
    names += path.at("_path").get<std::string>() + "\n";
  }
  EXPECT_EQ(names, contents["info/files"]);
  EXPECT_EQ(by_path.size(), 6U);
  const std::string library = sha256_of_file(root() / "lib/libdemo.so.1");
  EXPECT_EQ(by_path["lib/libdemo.so.1"].at("sha256"), library);
  EXPECT_EQ(by_path["lib/libdemo.so.1"].at("size_in_bytes"), 100000);
  EXPECT_EQ(by_path["lib/libdemo.so.1"].at("path_type"), "hardlink");
  EXPECT_EQ(by_path["lib/libdemo.so"].at("sha256"), library);
  EXPECT_EQ(by_path["lib/libdemo.so"].at("path_type"), "softlink");
  EXPECT_EQ(by_path["bin/demo"].at("prefix_placeholder"), kPlaceholder);
  EXPECT_EQ(by_path["bin/demo"].at("file_mode"), "text");
  EXPECT_EQ(by_path["share/with prefix"].at("file_mode"), "binary");
  EXPECT_FALSE(by_path["share/empty"].contains("file_mode"));
  EXPECT_EQ(contents["info/has_prefix"], std::string("\"") + kPlaceholder +
                                             "\" text \"bin/demo\"\n\"" + kPlaceholder +
                                             "\" binary \"share/with prefix\"\n");
}

TEST_F(Conda, SameBytesForAnyNumberOfThreads) {
  write_file(root() / "lib/large", sample_bytes(12 << 20U, 2));
  make_package({"--jobs", "1"});
  const std::string one = file_content(package());
  make_package({"--jobs", "3"});
  EXPECT_EQ(one, file_content(package()));
}

TEST_F(Conda, TakesItsTimeFromTheEnvironment) {
  ::setenv("SOURCE_DATE_EPOCH", "1700000000", 1);
  const CommandResult result = pack();
  ::unsetenv("SOURCE_DATE_EPOCH");
  ASSERT_EQ(result.exit_code, 0) << result.output;
  const MappedFile mapped(package());
  const Json index = Json::parse(PackageReader(mapped.bytes()).info_text("index.json").value());
  EXPECT_EQ(index.at("timestamp"), 1700000000000);
}

TEST_F(Conda, PythonReadsItsTar) {
  make_package();
  const MappedFile mapped(package());
  const zip::Reader reader(mapped.bytes());
  for (const zip::Entry& entry : reader.entries()) {
    const std::vector<std::uint8_t> content = reader.content(entry);
    write_file(folder_ / entry.name, as_text(content));
  }
  const CommandResult result =
      run_command({"sh", "-c",
                   "command -v zstd > /dev/null || exit 77\nzstd -dc \"$1\" | python3 -c "
                   "\"import sys, tarfile; print(*sorted(m.name + ':' + m.linkname for m in "
                   "tarfile.open(fileobj=sys.stdin.buffer, mode='r|')), sep=chr(10))\"",
                   "sh", (folder_ / "pkg-demo-1.0-h0_0.tar.zst").string()});
  if (result.exit_code == 77) GTEST_SKIP() << "there is no zstd program";
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_NE(result.output.find("lib/libdemo.so:libdemo.so.1\n"), std::string::npos)
      << result.output;
  EXPECT_NE(result.output.find("n/gr\xc3\xbc\xc3\x9f:\n"), std::string::npos) << result.output;
}

TEST_F(Conda, RefusesAWrongIndex) {
  for (const char* member : {"name", "version", "build", "subdir", "build_number", "depends"}) {
    write_index({{member, nullptr}});
    const CommandResult result = pack();
    EXPECT_EQ(result.exit_code, 3) << result.output;
    EXPECT_NE(result.output.find(member), std::string::npos) << result.output;
  }
  write_index({{"name", "Demo"}});
  expect_bad(pack(), 3, "is no name of a package");
  write_index({{"version", "1-0"}});
  expect_bad(pack(), 3, "is no name of a package");
  write_index({{"subdir", "../up"}});
  expect_bad(pack(), 3, "is no name of a package");
  write_index({{"depends", {1}}});
  expect_bad(pack(), 3, "depends is no list of texts");
  write_file(root() / "info/index.json", "{");
  expect_bad(pack(), 3, "is no JSON object");
  fs::remove(root() / "info/index.json");
  expect_bad(pack(), 3, "index.json is missing");
}

TEST_F(Conda, RefusesWhatItCannotDo) {
  expect_bad(torchpkg({"pack", "conda", "--root", root().string(), "--output", channel().string(),
                       "--level", "23"}),
             2, "there is no level 23");
  expect_bad(
      torchpkg({"pack", "conda", "--root", root().string(), "--output", (root() / "out").string()}),
      2, "lies inside the folder");
  fs::create_symlink("/etc/passwd", root() / "lib/absolute");
  expect_bad(pack(), 3, "symlink to the absolute path");
}

TEST_F(Conda, DamageIsNamed) {
  make_package();
  const std::string good = file_content(package());
  const auto damaged = [&](std::string bytes) {
    const fs::path file = folder_ / "bad.conda";
    write_file(file, bytes);
    return std::string(
        error_of([&] { (void)entries_of(file, PackageReader::Part::kFiles); }).what());
  };
  EXPECT_NE(damaged(good.substr(0, good.size() / 2)), "");
  std::string changed = good;
  changed[good.find("pkg-demo") + 200] ^= 1;
  EXPECT_NE(damaged(changed).find("CRC is wrong"), std::string::npos) << damaged(changed);
  std::string other = good;
  other.replace(good.find("format_version\": 2"), 18, "format_version\": 3");
  EXPECT_NE(damaged(other), "");
  EXPECT_NE(damaged("no zip"), "");
}

TEST_F(Conda, IndexMakesAChannel) {
  make_package();
  CommandResult result = torchpkg({"index", channel().string()});
  ASSERT_EQ(result.exit_code, 0) << result.output;
  EXPECT_NE(result.output.find("1 conda packages"), std::string::npos) << result.output;
  const Json repodata = Json::parse(file_content(channel() / "linux-64/repodata.json"));
  const Json record = repodata.at("packages.conda").at(kFile);
  EXPECT_EQ(record.at("name"), "demo");
  EXPECT_EQ(record.at("sha256"), sha256_of_file(package()));
  EXPECT_EQ(record.at("size"), fs::file_size(package()));
  EXPECT_EQ(repodata.at("info").at("subdir"), "linux-64");
  EXPECT_TRUE(fs::exists(channel() / "noarch/repodata.json"));
  EXPECT_NE(file_content(channel() / "SHA256SUMS").find(std::string("  linux-64/") + kFile),
            std::string::npos);
  EXPECT_NE(file_content(channel() / "index.html").find("conda channel"), std::string::npos);
  // A package that is gone is not listed any more.
  fs::remove(package());
  result = torchpkg({"index", channel().string()});
  ASSERT_EQ(result.exit_code, 0) << result.output;
  EXPECT_EQ(file_content(channel() / "linux-64/repodata.json").find(kFile), std::string::npos);
}

TEST_F(Conda, IndexRefusesABadPackage) {
  make_package();
  fs::rename(package(), channel() / "linux-64/demo-1.1-h0_0.conda");
  CommandResult result = torchpkg({"index", channel().string()});
  EXPECT_EQ(result.exit_code, 3) << result.output;
  EXPECT_NE(result.output.find("named otherwise than its index.json"), std::string::npos);
  write_file(channel() / "linux-64/demo-1.1-h0_0.conda", "no zip");
  result = torchpkg({"index", channel().string()});
  EXPECT_EQ(result.exit_code, 3) << result.output;
  EXPECT_NE(result.output.find("is damaged"), std::string::npos) << result.output;
}

/// A package of one's own making, so that it can be wrong: the files of info/, and those of the
/// prefix as entries.
class HandMade : public testing::Test {
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

  std::string name = kFile;
  std::vector<Entry> entries;
  std::map<std::string, std::string> info;  ///< empty text: not there
  Json paths = Json::array();
  TemporaryFolder folder_;
};

using CheckConda = HandMade;

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
