// SPDX-License-Identifier: BSD-3-Clause
#include "check_conda_fixture.h"

#include <libdeflate.h>

#include "common/file.h"
#include "common/sha256.h"
#include "conda/tar_writer.h"
#include "conda/zstd_stream.h"
#include "zip/format.h"
#include "zip/writer.h"

namespace torchpkg::test {

namespace {

void add(zip::Writer& writer, const zip::SourceEntry& entry) {
  const Bytes bytes{reinterpret_cast<const std::uint8_t*>(entry.text.data()), entry.text.size()};
  writer.begin_entry(entry, zip::kStored);
  writer.append_data(bytes);
  writer.end_entry(libdeflate_crc32(0, bytes.data(), bytes.size()));
}

}  // namespace

CondaPackageTest::Entry CondaPackageTest::file(const std::string& name, const std::string& text) {
  Entry entry;
  entry.name = name;
  entry.kind = Entry::Kind::kMemory;
  entry.text = text;
  entry.size = text.size();
  return entry;
}

CondaPackageTest::Entry CondaPackageTest::link(const std::string& name, const std::string& target) {
  Entry entry = file(name, target);
  entry.kind = Entry::Kind::kSymlink;
  return entry;
}

CondaPackageTest::Json CondaPackageTest::path_of(const Entry& entry) {
  const bool is_link = entry.kind == Entry::Kind::kSymlink;
  return {{"_path", entry.name},
          {"path_type", is_link ? "softlink" : "hardlink"},
          {"sha256", sha256_of_text(entry.text)},
          {"size_in_bytes", entry.size}};
}

std::string CondaPackageTest::tar_of(const std::vector<Entry>& from) {
  std::string text;
  conda::ZstdStream zstd(1, 1, [&](Bytes data) { text += as_text(data); });
  conda::TarWriter tar(0, [&](Bytes data) { zstd.append(data); });
  for (const Entry& entry : from) tar.add(entry);
  tar.finish();
  zstd.finish();
  return text;
}

void CondaPackageTest::list_entries() {
  info["files"] = "";
  paths = Json::array();
  for (const Entry& entry : entries) {
    info["files"] += entry.name + "\n";
    paths.push_back(path_of(entry));
  }
}

void CondaPackageTest::depend_on(const Words& specs) {
  info["index.json"] = Json{{"name", "demo"},    {"version", "1.0"}, {"build", "h0_0"},
                            {"build_number", 0}, {"depends", specs}, {"subdir", "linux-64"}}
                           .dump();
}

void CondaPackageTest::write() const {
  std::vector<Entry> in_info;
  for (const auto& [member, text] : info) {
    if (!text.empty()) in_info.push_back(file("info/" + member, text));
  }
  fs::create_directories(folder_ / folder);
  zip::Writer writer(folder_ / folder / name, {});
  add(writer, file("metadata.json", "{\"conda_pkg_format_version\": 2}"));
  add(writer, file("pkg-demo-1.0-h0_0.tar.zst", files_tar.empty() ? tar_of(entries) : files_tar));
  add(writer, file("info-demo-1.0-h0_0.tar.zst", tar_of(in_info)));
  writer.finish();
}

CommandResult CondaPackageTest::check(const Words& more) {
  if (info.count("paths.json") == 0) {
    info["paths.json"] = Json{{"paths", paths}, {"paths_version", 1}}.dump();
  }
  write();
  Words words{"check", (folder_ / folder / name).string()};
  words.insert(words.end(), more.begin(), more.end());
  CommandResult result = torchpkg(words);
  info.erase("paths.json");
  return result;
}

void CondaPackageTest::expect_found(const std::string& text) {
  const CommandResult result = check();
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_NE(result.output.find(text), std::string::npos) << result.output;
}

void CondaPackageTest::expect_found_in(const std::string& row, const std::string& text) {
  const CommandResult result = check({"--format", "json"});
  EXPECT_EQ(result.exit_code, 1) << result.output;
  const Json report = Json::parse(result.output, nullptr, false);
  ASSERT_TRUE(report.is_object()) << result.output;
  bool seen = false;
  for (const Json& one : report.at("checks")) {
    if (one.at("name") != row) {
      EXPECT_NE(one.at("verdict"), "fail") << one.dump(2);
      continue;
    }
    EXPECT_EQ(one.at("verdict"), "fail");
    EXPECT_NE(one.at("details").dump().find(text), std::string::npos) << one.dump(2);
    seen = true;
  }
  EXPECT_TRUE(seen) << "there is no row " << row;
}

}  // namespace torchpkg::test
