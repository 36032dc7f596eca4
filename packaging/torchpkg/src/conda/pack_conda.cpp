// SPDX-License-Identifier: BSD-3-Clause
#include "conda/pack_conda.h"

#include <fmt/core.h>
#include <libdeflate.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <future>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "common/error.h"
#include "common/file.h"
#include "common/interrupt.h"
#include "common/parallel.h"
#include "common/sha256.h"
#include "common/source_date.h"
#include "conda/index_json.h"
#include "conda/match_spec.h"
#include "conda/tar_writer.h"
#include "conda/zstd_stream.h"
#include "zip/entry_list.h"
#include "zip/format.h"
#include "zip/pack.h"
#include "zip/writer.h"

namespace torchpkg::conda {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using zip::SourceEntry;

namespace {

constexpr std::string_view kInfo = "info/";
constexpr std::uint64_t kHeaders = 4096;          // of a file in a tar, at most
constexpr std::int64_t kDefaultTime = 315532800;  // 1980-01-01, as in our other archives

/// What paths.json says about a file.
struct PathFacts {
  std::string sha256;
  bool has_placeholder = false;
  bool binary = false;
};

SourceEntry memory_entry(const std::string& name, std::string text) {
  SourceEntry entry;
  entry.name = name;
  entry.kind = SourceEntry::Kind::kMemory;
  entry.size = text.size();
  entry.text = std::move(text);
  return entry;
}

PathFacts look_at(const fs::path& path, const std::string& placeholder) {
  const MappedFile file(path);
  PathFacts facts;
  facts.sha256 = sha256_hex(file.bytes());
  if (placeholder.empty() || file.bytes().empty()) return facts;
  const Bytes bytes = file.bytes();
  facts.has_placeholder =
      ::memmem(bytes.data(), bytes.size(), placeholder.data(), placeholder.size()) != nullptr;
  facts.binary = facts.has_placeholder && std::memchr(bytes.data(), 0, bytes.size()) != nullptr;
  return facts;
}

/// It stands between quotes in info/has_prefix, and in JSON.
void check_placeholder(const std::string& placeholder) {
  const bool fits = std::all_of(placeholder.begin(), placeholder.end(), [](char letter) {
    return letter > ' ' && letter <= '~' && letter != '"' && letter != '\\';
  });
  if (placeholder.empty() || (placeholder[0] == '/' && fits)) return;
  throw Error(ExitCode::kUsage, fmt::format("'{}' is not a placeholder", placeholder),
              "give an absolute path of ASCII without blanks, double quotes and backslashes");
}

class CondaPacker {
 public:
  explicit CondaPacker(const PackCondaOptions& options)
      : options_(options),
        jobs_(options.jobs != 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency())),
        date_(source_date()) {}

  fs::path pack() {
    ZstdStream::check_level(options_.level);
    check_placeholder(options_.placeholder);
    zip::check_output_outside(options_.root, options_.output / "package");
    list_files();
    const fs::path index_file = options_.root / kInfo / "index.json";
    if (!fs::exists(index_file)) {
      throw Error(ExitCode::kBadInput, index_file.string() + " is missing", "write it");
    }
    index_ = parse_index_json(read_text(index_file), index_file.string());
    for (const Json& spec : index_.json.at("depends")) {
      (void)parse_match_spec(spec.get<std::string>());
    }
    const fs::path output = options_.output / index_.subdir / (index_.stem() + ".conda");

    const InterruptGuard interrupts;
    zip::Writer writer(output, date_ ? zip::DosTime::from_epoch(*date_) : zip::DosTime{});
    add_metadata(writer);
    // Hashes are needed only for info/, which comes last.
    std::future<void> hashed = std::async(std::launch::async, [this] { hash_files(); });
    add_tar(writer, "pkg", files_);
    hashed.get();
    finish_info();
    add_tar(writer, "info", info_);
    writer.finish();
    return output;
  }

 private:
  void list_files() {
    for (SourceEntry& entry : zip::list_entries(options_.root, {.links_may_dangle = true})) {
      if (entry.kind == SourceEntry::Kind::kFolder) continue;
      (entry.name.starts_with(kInfo) ? info_ : files_).push_back(std::move(entry));
    }
    // Written here.
    std::erase_if(info_, [](const SourceEntry& entry) {
      return entry.name == "info/paths.json" || entry.name == "info/files" ||
             entry.name == "info/has_prefix" || entry.name == "info/index.json";
    });
  }

  void hash_files() {
    facts_.resize(files_.size());
    for_each_parallel(files_.size(), jobs_, [this](std::size_t i) {
      if (files_[i].kind == SourceEntry::Kind::kFile) {
        facts_[i] = look_at(files_[i].path, options_.placeholder);
      }
    });
    // A symlink has the hash of what it leads to, if that is inside.
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < files_.size(); ++i) places[files_[i].name] = i;
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (files_[i].kind != SourceEntry::Kind::kSymlink) continue;
      const fs::path target = fs::path(files_[i].name).parent_path() / files_[i].text;
      const auto found = places.find(target.lexically_normal().generic_string());
      const bool inside =
          found != places.end() && files_[found->second].kind == SourceEntry::Kind::kFile;
      facts_[i].sha256 = inside ? facts_[found->second].sha256 : sha256_of_text("");
    }
  }

  [[nodiscard]] Json path_json(std::size_t i) const {
    const SourceEntry& entry = files_[i];
    const bool link = entry.kind == SourceEntry::Kind::kSymlink;
    Json json{{"_path", entry.name}, {"path_type", link ? "softlink" : "hardlink"}};
    if (facts_[i].has_placeholder) {
      json["prefix_placeholder"] = options_.placeholder;
      json["file_mode"] = facts_[i].binary ? "binary" : "text";
    }
    json["sha256"] = facts_[i].sha256;
    json["size_in_bytes"] = link ? 0 : entry.size;
    return json;
  }

  /// What is known only now: paths.json, files, has_prefix (for clients of before paths.json).
  void finish_info() {
    Json paths = Json::array();
    std::string names;
    std::string prefixes;
    for (std::size_t i = 0; i < files_.size(); ++i) {
      paths.push_back(path_json(i));
      names += files_[i].name + "\n";
      if (facts_[i].has_placeholder) {
        prefixes += fmt::format("\"{}\" {} \"{}\"\n", options_.placeholder,
                                facts_[i].binary ? "binary" : "text", files_[i].name);
      }
    }
    if (date_) index_.json["timestamp"] = *date_ * 1000;
    const auto add = [this](const char* name, std::string text) {
      info_.push_back(memory_entry(std::string(kInfo) + name, std::move(text)));
    };
    add("index.json", index_.json.dump(2) + "\n");
    add("files", names);
    if (!prefixes.empty()) add("has_prefix", prefixes);
    add("paths.json", Json{{"paths", paths}, {"paths_version", 1}}.dump(2) + "\n");
    std::sort(info_.begin(), info_.end(),
              [](const SourceEntry& a, const SourceEntry& b) { return a.name < b.name; });
  }

  static void add_metadata(zip::Writer& writer) {
    const SourceEntry entry = memory_entry("metadata.json", "{\"conda_pkg_format_version\": 2}");
    const Bytes bytes{reinterpret_cast<const std::uint8_t*>(entry.text.data()), entry.size};
    writer.begin_entry(entry, zip::kStored);
    writer.append_data(bytes);
    writer.end_entry(libdeflate_crc32(0, bytes.data(), bytes.size()));
  }

  /// `kind`-<stem>.tar.zst, a stored entry.
  void add_tar(zip::Writer& writer, const char* kind, const std::vector<SourceEntry>& entries) {
    SourceEntry inner;
    inner.name = fmt::format("{}-{}.tar.zst", kind, index_.stem());
    for (const SourceEntry& entry : entries) inner.size += entry.size + kHeaders;  // at most
    writer.begin_entry(inner, zip::kStored);
    std::uint32_t crc = 0;
    ZstdStream zstd(options_.level, jobs_, [&](Bytes data) {
      InterruptGuard::check();
      crc = libdeflate_crc32(crc, data.data(), data.size());
      writer.append_data(data);
    });
    write_tar(entries, date_.value_or(kDefaultTime), [&](Bytes data) {
      InterruptGuard::check();
      zstd.append(data);
    });
    zstd.finish();
    writer.end_entry(crc);
  }

  const PackCondaOptions& options_;
  unsigned jobs_;
  std::optional<std::int64_t> date_;
  IndexJson index_;
  std::vector<SourceEntry> files_;  ///< of the prefix
  std::vector<SourceEntry> info_;
  std::vector<PathFacts> facts_;  ///< of files_
};

}  // namespace

fs::path pack_conda(const PackCondaOptions& options) { return CondaPacker(options).pack(); }

}  // namespace torchpkg::conda
