// SPDX-License-Identifier: BSD-3-Clause
// `torchpkg pack conda`, and what reads its packages.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/file.h"
#include "common/sha256.h"
#include "conda/package_reader.h"
#include "conda/tar_writer.h"
#include "support.h"
#include "zip/reader.h"

namespace torchpkg::test {
namespace {

using conda::PackageReader;
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
    EXPECT_TRUE(contains(result.output, text));
    EXPECT_FALSE(fs::exists(channel() / "linux-64")) << "something half-written is left";
  }

  TemporaryFolder folder_;
};

std::map<std::string, TreeEntry> entries_of(
    const fs::path& file, PackageReader::Part part,
    std::map<std::string, std::string>* contents = nullptr) {
  const MappedFile mapped(file);
  std::map<std::string, TreeEntry> found;
  PackageReader(mapped.bytes())
      .for_each(part, [&](const TreeEntry& entry, const PackageReader::Content& content) {
        EXPECT_TRUE(found.emplace(entry.name, entry).second) << entry.name;
        if (contents != nullptr) (*contents)[entry.name] = as_text(content());
      });
  return found;
}

TEST_F(Conda, HoldsWhatWasThere) {
  make_package();
  std::map<std::string, std::string> contents;
  const auto entries = entries_of(package(), PackageReader::Part::kFiles, &contents);
  EXPECT_EQ(entries.size(), 6U);
  for (const auto& [path, entry] : entries) {
    if (entry.kind == TreeEntry::Kind::kSymlink) continue;
    EXPECT_EQ(contents[path], file_content(root() / path)) << path;
    EXPECT_EQ(entry.mode, path == "bin/demo" ? 0755U : 0644U) << path;
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
  std::map<std::string, std::string> contents;
  (void)entries_of(package(), PackageReader::Part::kInfo, &contents);
  const Json index = Json::parse(contents["info/index.json"]);
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
  EXPECT_TRUE(contains(result.output, "lib/libdemo.so:libdemo.so.1\n"));
  EXPECT_TRUE(contains(result.output, "n/gr\xc3\xbc\xc3\x9f:\n"));
}

TEST_F(Conda, ATarThatFailsEndsAtOnce) {
  zip::SourceEntry entry;
  entry.name = "lib/libdemo.so.1";
  entry.path = root() / entry.name;
  entry.size = 100000;
  const auto full = [](Bytes) { throw std::length_error("the disk is full"); };
  EXPECT_THROW(conda::write_tar({entry}, 0, full), std::length_error);
  entry.size = 1 << 20U;
  std::size_t written = 0;
  const Error error =
      error_of([&] { conda::write_tar({entry}, 0, [&](Bytes data) { written += data.size(); }); });
  EXPECT_TRUE(contains(error.what(), "libdemo.so.1 changed while it was packed"));
  EXPECT_LE(written, 1024U) << "more than the end mark";
}

TEST_F(Conda, RefusesAWrongIndex) {
  for (const char* member : {"name", "version", "build", "subdir", "build_number", "depends"}) {
    write_index({{member, nullptr}});
    const CommandResult result = pack();
    EXPECT_EQ(result.exit_code, 3) << result.output;
    EXPECT_TRUE(contains(result.output, member));
  }
  write_index({{"name", "Demo"}});
  expect_bad(pack(), 3, "is not a package name");
  write_index({{"version", "1-0"}});
  expect_bad(pack(), 3, "is not a package name");
  for (const char* subdir : {"../up", "..", ".", "linux_64", "linux-64\n"}) {
    write_index({{"subdir", subdir}});
    expect_bad(pack(), 3, "is not a package name");
  }
  write_index({{"noarch", "python"}});
  expect_bad(pack(), 3, "index.json has the member noarch: clients would put files elsewhere");
  write_index({{"depends", {1}}});
  expect_bad(pack(), 3, "depends is not a list of texts");
  write_index({{"depends", {"python >= 3.11"}}});
  expect_bad(pack(), 3, "'python >= 3.11' is not a match spec");
  write_file(root() / "info/index.json", "{");
  expect_bad(pack(), 3, "is not a JSON object");
  fs::remove(root() / "info/index.json");
  expect_bad(pack(), 3, "index.json is missing");
}

TEST_F(Conda, RefusesAWrongPlaceholder) {
  for (const char* placeholder : {"/a b", "relative", "/a\"b", "/a\nb", "/a\xff"}) {
    write_file(root() / "file", placeholder);
    expect_bad(torchpkg({"pack", "conda", "--root", root().string(), "--output", channel().string(),
                         "--placeholder", placeholder}),
               2, "is not a placeholder");
  }
}

TEST_F(Conda, RefusesWhatItCannotDo) {
  expect_bad(torchpkg({"pack", "conda", "--root", root().string(), "--output", channel().string(),
                       "--level", "23"}),
             2, "there is no level 23");
  expect_bad(
      torchpkg({"pack", "conda", "--root", root().string(), "--output", (root() / "out").string()}),
      2, "lies inside the folder");
  fs::create_symlink("/etc/passwd", root() / "lib/absolute");
  expect_bad(pack(), 3, "lib/absolute is a symlink to /etc/passwd, an absolute path");
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
  EXPECT_TRUE(contains(damaged(changed), "CRC is wrong"));
  std::string other = good;
  other.replace(good.find("format_version\": 2"), 18, "format_version\": 3");
  EXPECT_NE(damaged(other), "");
  other.replace(good.find("format_version\": 2"), 18, "format_version\":[]");
  EXPECT_NE(damaged(other), "");
  EXPECT_NE(damaged("no zip"), "");
}

}  // namespace
}  // namespace torchpkg::test
