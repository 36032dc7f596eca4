// SPDX-License-Identifier: BSD-3-Clause
#include "check_conda_fixture.h"

#include <libdeflate.h>

#include "bills.h"
#include "common/file.h"
#include "common/sha256.h"
#include "conda/tar_writer.h"
#include "conda/zstd_stream.h"
#include "package/package_facts.h"
#include "sample_package.h"
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

const CondaPackageTest::Words CondaPackageTest::kHost{"__glibc >=99", "libgcc >=99",
                                                      "libstdcxx >=99", "_openmp_mutex"};

void CondaPackageTest::lay_out(bool libraries, const std::string& other_files) {
  // Compiled once for all suites of this process.
  static const TemporaryFolder good;
  static const fs::path sample = make_sample_package(good.path());
  entries.clear();
  info.clear();
  manifest = Json::parse(file_content(sample / "manifest.json"));
  Json& bundled = manifest["bundled"];
  bundled = libraries ? bundled : Json::array();
  for (std::size_t i = bundled.size(); i-- > 0;) {
    if (bundled[i]["file"] == "libgomp.so.1") bundled.erase(i);
  }
  const std::string licences = "share/licenses/";
  for (const auto& found : fs::recursive_directory_iterator(sample)) {
    const std::string path = found.path().lexically_relative(sample).generic_string();
    const bool library = path.starts_with("lib/lib");
    if (!found.is_regular_file() || path == "lib/libgomp.so.1" || path.starts_with("bin/") ||
        is_bill(path)) {
      continue;
    }
    if (path.starts_with(licences)) {
      info["licenses/" + path.substr(licences.size())] = file_content(found.path());
    } else if (libraries || !library) {
      const std::string to = path.find('/') == std::string::npos ? home : other_files;
      entries.push_back(file(to + path, file_content(found.path())));
    }
  }
  put_manifest();
  depend_on(kHost);
}

void CondaPackageTest::use_libtorch() {
  home = "share/libtorch/";
  lay_out(true, "");
}

void CondaPackageTest::use_pytorch() {
  home = "lib/python3.11/site-packages/torch/";
  lay_out(false, home);
  manifest["product"] = "wheel";
  put_manifest();
}

void CondaPackageTest::put(const Entry& entry) {
  std::erase_if(entries, [&](const Entry& one) { return one.name == entry.name; });
  entries.push_back(entry);
  list_entries();
}

void CondaPackageTest::remove(const std::string& path) {
  std::erase_if(entries, [&](const Entry& one) { return one.name == path; });
  list_entries();
}

CondaPackageTest::Json CondaPackageTest::row(const std::string& wanted) {
  const CommandResult result = check();
  Json report = Json::parse(file_content(report_), nullptr, false);
  if (!report.is_object()) return result.output;
  for (const Json& one : report.at("checks")) {
    if (one.at("name") == wanted) return one;
  }
  return report;
}

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
  conda::write_tar(from, 0, [&](Bytes data) { zstd.append(data); });
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

std::vector<CondaPackageTest::Entry> CondaPackageTest::bills() const {
  std::vector<BilledFile> files;
  for (const Entry& entry : billed_.empty() ? entries : billed_) {
    files.push_back({entry.name, entry.text, entry.kind == Entry::Kind::kSymlink});
  }
  for (const auto& [member, text] : info) {
    const bool by_packing = member == "index.json" || member == "files" || member == "paths.json" ||
                            member == "has_prefix";
    if (!text.empty() && !by_packing) files.push_back({"info/" + member, text});
  }
  return {file(home + "sbom.spdx.json", spdx_bill(files)),
          file(home + "sbom.cdx.json", cyclonedx_bill(files))};
}

void CondaPackageTest::write(const std::vector<Entry>& all) const {
  std::vector<Entry> in_info;
  for (const auto& [member, text] : info) {
    if (!text.empty()) in_info.push_back(file("info/" + member, text));
  }
  fs::create_directories(folder_ / folder);
  zip::Writer writer(folder_ / folder / name, {});
  add(writer, file("metadata.json", "{\"conda_pkg_format_version\": 2}"));
  add(writer, file("pkg-demo-1.0-h0_0.tar.zst", files_tar.empty() ? tar_of(all) : files_tar));
  add(writer, file("info-demo-1.0-h0_0.tar.zst", info_tar.empty() ? tar_of(in_info) : info_tar));
  writer.finish();
}

CommandResult CondaPackageTest::check(const Words& more) {
  std::vector<Entry> all = entries;
  Json listed = paths;
  const std::string files = info["files"];
  for (const Entry& bill : bills()) {
    all.push_back(bill);
    listed.push_back(path_of(bill));
    if (!files.empty()) info["files"] += bill.name + "\n";
  }
  if (info.count("paths.json") == 0) {
    info["paths.json"] = Json{{"paths", listed}, {"paths_version", 1}}.dump();
  }
  write(all);
  fs::remove(report_);
  Words words{"check", (folder_ / folder / name).string(), "--report", report_.string()};
  words.insert(words.end(), more.begin(), more.end());
  CommandResult result = torchpkg(words);
  info.erase("paths.json");
  info["files"] = files;
  return result;
}

void CondaPackageTest::expect_found(const std::string& text) {
  const CommandResult result = check();
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_TRUE(contains(result.output, text));
}

void CondaPackageTest::expect_found_in(const std::string& row, const std::string& text) {
  const CommandResult result = check();
  EXPECT_EQ(result.exit_code, 1) << result.output;
  const Json report = Json::parse(file_content(report_), nullptr, false);
  ASSERT_TRUE(report.is_object()) << result.output;
  bool seen = false;
  for (const Json& one : report.at("checks")) {
    if (one.at("name") != row) {
      EXPECT_NE(one.at("verdict"), "fail") << one.dump(2);
      continue;
    }
    EXPECT_EQ(one.at("verdict"), "fail");
    EXPECT_TRUE(contains(one.at("details").dump(), text)) << one.dump(2);
    seen = true;
  }
  EXPECT_TRUE(seen) << "there is no row " << row;
}

}  // namespace torchpkg::test
