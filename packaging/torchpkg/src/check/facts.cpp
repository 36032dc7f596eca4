// SPDX-License-Identifier: BSD-3-Clause
#include "check/facts.h"

#include <fmt/core.h>
#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <system_error>

#include "check/paths_in.h"
#include "common/error.h"
#include "common/parallel.h"
#include "common/tree.h"
#include "elf/ar_archive.h"

namespace torchpkg {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kManifest = "manifest.json";

Facts::Kind kind_of(const fs::path& folder) {
  if (fs::exists(folder / "info/index.json")) return Facts::Kind::kConda;
  return fs::exists(folder / "torch" / kManifest) ? Facts::Kind::kWheel : Facts::Kind::kLibtorch;
}

/// Where the manifest of a package lies. In a conda prefix a package has it in share/<name>, and
/// pytorch in a folder that is named after a Python.
std::string root_of(const Facts& facts) {
  if (facts.kind == Facts::Kind::kLibtorch) return "";
  if (facts.kind == Facts::Kind::kWheel) return "torch/";
  for (const auto& [path, target] : facts.files) {
    const bool of_package = path.starts_with("share/") && fs::path(path).filename() == kManifest;
    if (of_package || path.ends_with("/site-packages/torch/" + std::string(kManifest))) {
      return path.substr(0, path.size() - kManifest.size());
    }
  }
  return "share/libtorch/";
}

bool is_wanted_text(std::string_view path) {
  return path.ends_with(".cmake") || path.ends_with(".pc") || path.ends_with("build-version") ||
         path.ends_with("torch/version.h") || path.ends_with("torch/headeronly/version.h");
}

/// `libc10.so`, `libgomp.so.1`, `libc10.a`, and the modules that Python loads.
bool has_name_of_library(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::size_t end = name.rfind(".so");
  if (end != name.npos && name.find_first_not_of(".0123456789", end + 3) == name.npos) {
    return name.starts_with("lib") || name.ends_with(".so");
  }
  return name.starts_with("lib") && name.ends_with(".a");
}

/// Where a symlink leads, relative to the folder.
std::string target_of(const TreeEntry& link) {
  return (fs::path(link.name).parent_path() / link.target).lexically_normal().generic_string();
}

/// Calls `read` with the path and the bytes of each file, in parallel.
template <typename Read>
void read_files(const fs::path& folder, std::vector<TreeEntry> files, unsigned jobs, Read read) {
  std::erase_if(files, [](const TreeEntry& entry) { return entry.kind != TreeEntry::Kind::kFile; });
  // The biggest first, so that no thread is left with it alone at the end.
  std::stable_sort(files.begin(), files.end(),
                   [](const TreeEntry& a, const TreeEntry& b) { return a.size > b.size; });
  for_each_parallel(files.size(), jobs, [&](std::size_t i) {
    const MappedFile file(folder / files[i].name);
    read(files[i].name, file.bytes());
  });
}

/// Gathers the facts of single files; used by several threads.
class Gatherer {
 public:
  explicit Gatherer(Facts& facts) : facts_(facts) {}

  void read(const std::string& path, Bytes bytes) {
    std::vector<std::string> forbidden;
    if (path != facts_.root + std::string(kManifest)) {
      forbidden = paths_in(bytes, facts_.forbidden_paths);
    }
    std::optional<ElfFacts> elf;
    std::optional<ArchiveFacts> archive;
    std::string damage;
    try {
      if (is_host_elf(path, bytes)) {
        elf = read_elf_facts(path, bytes, facts_.manifest);
      } else if (is_ar(bytes)) {
        archive = read_archive_facts(path, bytes, facts_.manifest);
      } else if (has_name_of_library(path)) {
        damage = path + " is not a library, as its name says";
      }
    } catch (const Error& error) {
      if (error.code() != ExitCode::kBadInput) throw;
      damage = error.what();
    }
    const std::lock_guard lock(mutex_);
    for (const std::string& text : forbidden) {
      facts_.forbidden.push_back(fmt::format("{} contains {}", path, text));
    }
    if (elf) facts_.elves.push_back(std::move(*elf));
    if (archive) facts_.archives.push_back(std::move(*archive));
    if (!damage.empty()) facts_.damaged.push_back(std::move(damage));
    if (is_wanted_text(path)) facts_.texts[path] = as_text(bytes);
  }

 private:
  Facts& facts_;
  std::mutex mutex_;
};

DebugFacts gather_debug_facts(const fs::path& folder, const std::vector<std::string>& forbidden,
                              unsigned jobs) {
  DebugFacts facts;
  facts.name = folder.filename().string();
  const std::vector<TreeEntry> tree = list_tree(folder);
  for (const TreeEntry& entry : tree) {
    if (entry.kind == TreeEntry::Kind::kSymlink) facts.links[entry.name] = target_of(entry);
  }
  std::mutex mutex;
  read_files(folder, tree, jobs, [&](const std::string& path, Bytes bytes) {
    const std::vector<std::string> found = paths_in(bytes, forbidden);
    std::optional<DebugFile> file;
    if (is_host_elf(path, bytes)) {
      const ElfImage image(bytes, path);
      file = {image.build_id(), libdeflate_crc32(0, bytes.data(), bytes.size()),
              !image.section(".debug_line").empty()};
    }
    const std::lock_guard lock(mutex);
    if (file) facts.files[path] = *file;
    for (const std::string& one : found) {
      facts.forbidden.push_back(fmt::format("{} contains {}", path, one));
    }
  });
  std::sort(facts.forbidden.begin(), facts.forbidden.end());
  return facts;
}

/// The name of a folder, which may be given with a slash at its end.
std::string name_of(const fs::path& folder) {
  return (folder.has_filename() ? folder : folder.parent_path()).filename().string();
}

}  // namespace

const std::string* Facts::text(const std::string& path) const {
  for (const std::string& place : {root + path, path}) {
    const auto found = texts.find(place);
    if (found != texts.end()) return &found->second;
  }
  return nullptr;
}

const ElfFacts* Facts::elf_at(const std::string& path) const {
  const auto file = files.find(path);
  if (file == files.end()) return nullptr;
  const std::string& place = file->second.empty() ? path : file->second;
  const auto found = std::find_if(elves.begin(), elves.end(),
                                  [&place](const ElfFacts& elf) { return elf.path == place; });
  return found == elves.end() ? nullptr : &*found;
}

bool Facts::is_own(std::string_view file) const {
  if (manifest.product == "package") return true;
  constexpr std::array<std::string_view, 4> kOwn = {"libtorch", "libc10", "libcaffe2", "libshm"};
  return std::any_of(kOwn.begin(), kOwn.end(),
                     [file](std::string_view begin) { return file.starts_with(begin); }) ||
         file.find(".cpython-") != std::string_view::npos || file.ends_with(".abi3.so");
}

Facts gather_facts(const fs::path& folder, const fs::path& debug,
                   const std::vector<std::string>& forbidden, unsigned jobs) {
  if (!fs::is_directory(folder)) {
    throw Error(ExitCode::kBadInput, folder.string() + " is not a folder",
                "unpack the package, and give the folder that has its files");
  }
  Facts facts;
  facts.name = name_of(folder);
  facts.kind = kind_of(folder);
  const std::vector<TreeEntry> tree = list_tree(folder);
  for (const TreeEntry& entry : tree) {
    if (entry.kind == TreeEntry::Kind::kFolder) continue;
    const bool link = entry.kind == TreeEntry::Kind::kSymlink;
    facts.files[entry.name] = link ? target_of(entry) : "";
  }
  facts.root = root_of(facts);
  const std::string manifest = facts.root + std::string(kManifest);
  if (facts.files.count(manifest) == 0) {
    throw Error(ExitCode::kBadInput, fmt::format("{} has no {}", folder.string(), manifest),
                "give the folder of a package that torch-superbuild has made");
  }
  facts.manifest = parse_manifest(read_text(folder / manifest), manifest);
  facts.forbidden_paths = forbidden;
  Gatherer gatherer(facts);
  read_files(folder, tree, jobs,
             [&](const std::string& path, Bytes bytes) { gatherer.read(path, bytes); });
  const auto by_path = [](const LibraryFacts& a, const LibraryFacts& b) { return a.path < b.path; };
  std::sort(facts.elves.begin(), facts.elves.end(), by_path);
  std::sort(facts.archives.begin(), facts.archives.end(), by_path);
  std::sort(facts.damaged.begin(), facts.damaged.end());
  std::sort(facts.forbidden.begin(), facts.forbidden.end());
  if (!debug.empty()) facts.debug = gather_debug_facts(debug, facts.forbidden_paths, jobs);
  return facts;
}

}  // namespace torchpkg
