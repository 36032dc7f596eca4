// SPDX-License-Identifier: BSD-3-Clause
#include "wheel/pack_wheel.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <mutex>
#include <set>
#include <vector>

#include "common/error.h"
#include "common/file.h"
#include "common/parallel.h"
#include "common/sha256.h"
#include "common/text.h"
#include "elf/host_elf.h"
#include "wheel/metadata.h"
#include "wheel/nvidia_wheels.h"
#include "wheel/platform_tag.h"
#include "wheel/record.h"
#include "wheel/tags.h"
#include "zip/entry_list.h"

namespace torchpkg::wheel {

namespace fs = std::filesystem;
using zip::SourceEntry;

namespace {

constexpr std::string_view kDistInfo = ".dist-info";

Error bad_input(const std::string& what, const std::string& remedy) {
  return {ExitCode::kBadInput, what, remedy};
}

/// Letters, digits and `more`, of what tags and versions are made.
bool is_word(std::string_view text, std::string_view more) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [more](unsigned char c) {
    return std::isalnum(c) != 0 || more.find(static_cast<char>(c)) != std::string_view::npos;
  });
}

bool is_tag(std::string_view tag) { return is_word(tag, "_."); }

class WheelPacker {
 public:
  explicit WheelPacker(const PackWheelOptions& options) : options_(options) {}

  fs::path pack() {
    for (const std::string& tag : {options_.python, options_.abi}) check_tag(tag);
    check_build_tag(options_.build);
    zip::check_output_outside(options_.root, options_.output / "wheel");
    list_files();
    read_metadata();
    read_files();
    add_required_wheels();
    const std::string platform = decide_platform();
    add_generated(platform);
    const std::string build = options_.build.empty() ? "" : "-" + options_.build;
    const std::string file =
        fmt::format("{}{}-{}-{}-{}.whl", stem_, build, options_.python, options_.abi, platform);
    const zip::ArchiveOptions archive{options_, options_.output / file};
    zip::pack_entries(entries_, archive);
    return archive.output;
  }

 private:
  static void check_tag(const std::string& tag) {
    if (is_tag(tag)) return;
    throw Error(ExitCode::kUsage, fmt::format("'{}' is not a tag", tag),
                "give letters, digits, underscores and dots");
  }

  static void check_build_tag(const std::string& build) {
    if (build.empty() || (is_tag(build) && build[0] >= '0' && build[0] <= '9')) return;
    throw Error(ExitCode::kUsage, fmt::format("'{}' is not a build tag", build),
                "begin it with a digit, then letters, digits, underscores and dots");
  }

  void list_files() {
    for (SourceEntry& entry : zip::list_entries(options_.root, {})) {
      if (entry.kind == SourceEntry::Kind::kFolder) continue;
      if (entry.kind == SourceEntry::Kind::kSymlink) {
        throw bad_input(entry.path.string() + " is a symlink, and wheels have none",
                        "put the file itself in its place");
      }
      entries_.push_back(std::move(entry));
    }
  }

  void read_metadata() {
    std::set<std::string> folders;
    for (const SourceEntry& entry : entries_) {
      const std::string folder = entry.name.substr(0, entry.name.find('/'));
      if (folder.ends_with(kDistInfo) && folder.size() < entry.name.size()) folders.insert(folder);
    }
    if (folders.size() != 1) {
      throw bad_input(
          fmt::format("{} has {} folders *.dist-info", options_.root.string(), folders.size()),
          "a wheel has one, with METADATA");
    }
    dist_info_ = *folders.begin();
    const fs::path file = options_.root / dist_info_ / "METADATA";
    if (!fs::exists(file)) throw bad_input(file.string() + " is missing", "write it");
    metadata_ = read_text(file);
    const std::string& metadata = metadata_;
    const std::string name = metadata_field(metadata, "Name");
    std::string version = metadata_field(metadata, "Version");
    if (name.empty() || version.empty()) {
      throw bad_input(file.string() + " has no " + (name.empty() ? "Name" : "Version"), "add it");
    }
    if (!is_word(name, "._-") || !is_word(version, ".+!_-")) {
      throw bad_input(fmt::format("{}: '{}' is not the name and version of a project",
                                  file.string(), printable(name + " " + version)),
                      "names have letters, digits, '.', '_' and '-'; versions '+' and '!' too");
    }
    std::replace(version.begin(), version.end(), '-', '_');
    stem_ = file_name_of(name) + "-" + version;
    if (dist_info_ != stem_ + std::string(kDistInfo)) {
      throw bad_input(fmt::format("{} has another name than METADATA says", dist_info_),
                      fmt::format("name it {}{}", stem_, kDistInfo));
    }
    // Written here.
    std::erase_if(entries_, [this](const SourceEntry& entry) {
      return entry.name == dist_info_ + "/WHEEL" || entry.name == dist_info_ + "/RECORD";
    });
    // At the end, where tools that read only this look first.
    std::stable_partition(entries_.begin(), entries_.end(), [this](const SourceEntry& entry) {
      return !entry.name.starts_with(dist_info_ + "/");
    });
  }

  /// Hashes all files, and reads what the ELF files among them need.
  void read_files() {
    hashes_.resize(entries_.size());
    std::mutex mutex;
    for_each_parallel(entries_.size(), options_.jobs, [&](std::size_t index) {
      const SourceEntry& entry = entries_[index];
      const MappedFile file(entry.path);
      hashes_[index] = sha256_hex(file.bytes());
      if (!is_host_elf(entry.name, file.bytes())) return;
      const ElfImage image(file.bytes(), entry.name);
      const DynamicInfo dynamic = image.dynamic();
      if (!dynamic.present) return;
      const std::lock_guard lock(mutex);
      needs_.push_back({entry.name, image.machine(), dynamic.needed, image.needed_versions()});
      inside_.insert(entry.path.filename().string());
      if (!dynamic.soname.empty()) inside_.insert(dynamic.soname);
    });
    std::sort(needs_.begin(), needs_.end(),
              [](const ElfNeeds& a, const ElfNeeds& b) { return a.path < b.path; });
    for (const ElfNeeds& file : needs_) {
      if (is_for_other_python(file.path, options_.python)) {
        throw bad_input(fmt::format("{} is not for {}", file.path, options_.python),
                        "build it with the Python that --python names");
      }
    }
  }

  /// What wheels of NVIDIA's bring that METADATA asks for is as good as inside.
  void add_required_wheels() {
    const std::string major = cuda_major_in(metadata_);
    if (major.empty()) return;
    for (const ElfNeeds& file : needs_) {
      for (const std::string& library : file.libraries) {
        const std::optional<NvidiaWheel> wheel = nvidia_wheel_of(library, major);
        if (wheel && required_version(metadata_, wheel->project)) inside_.insert(library);
      }
    }
  }

  [[nodiscard]] std::string decide_platform() const {
    const PlatformTag found = platform_tag(needs_, inside_);
    std::printf("platform %s: %s\n", found.tag.c_str(), found.reason.c_str());
    return found.tag;
  }

  void add_generated(const std::string& platform) {
    const bool pure = platform == "any";
    std::string wheel = fmt::format(
        "Wheel-Version: 1.0\nGenerator: {}\nRoot-Is-Purelib: {}\nTag: {}-{}-{}\n",
        options_.generator, pure ? "true" : "false", options_.python, options_.abi, platform);
    if (!options_.build.empty()) wheel += fmt::format("Build: {}\n", options_.build);
    const SourceEntry& added = add(dist_info_ + "/WHEEL", wheel);
    std::string record;
    for (std::size_t i = 0; i < hashes_.size(); ++i) {
      record += record_line(entries_[i].name, hashes_[i], entries_[i].size);
    }
    record += record_line(added.name, sha256_of_text(wheel), wheel.size());
    record += record_line(dist_info_ + "/RECORD", "", 0);
    add(dist_info_ + "/RECORD", record);
  }

  const SourceEntry& add(const std::string& name, const std::string& text) {
    SourceEntry entry;
    entry.name = name;
    entry.kind = SourceEntry::Kind::kMemory;
    entry.text = text;
    entry.size = text.size();
    entries_.push_back(std::move(entry));
    return entries_.back();
  }

  const PackWheelOptions& options_;
  std::vector<SourceEntry> entries_;
  std::vector<std::string> hashes_;  ///< of the entries, hexadecimal
  std::vector<ElfNeeds> needs_;
  std::string metadata_;
  std::set<std::string> inside_;  ///< names of the libraries in the wheel
  std::string dist_info_;
  std::string stem_;  ///< "torch-9.9.0+cpu"
};

}  // namespace

fs::path pack_wheel(const PackWheelOptions& options) { return WheelPacker(options).pack(); }

}  // namespace torchpkg::wheel
