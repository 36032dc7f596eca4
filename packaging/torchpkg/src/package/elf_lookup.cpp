// SPDX-License-Identifier: BSD-3-Clause
#include "package/elf_lookup.h"

#include <fmt/core.h>

#include <algorithm>

#include "common/text.h"
#include "wheel/nvidia_wheels.h"

namespace torchpkg {

namespace fs = std::filesystem;

namespace {

/// Those that begin with $ORIGIN.
std::vector<std::string> rpath_entries(const ElfFacts& elf) {
  const DynamicInfo& dynamic = elf.info.dynamic;
  // The loader leaves RPATH out of account when there is a RUNPATH.
  std::vector<std::string> entries =
      split(dynamic.runpath ? *dynamic.runpath : dynamic.rpath.value_or(""), ':');
  std::erase_if(entries, [](const std::string& entry) { return !begins_with_origin(entry); });
  return entries;
}

}  // namespace

bool begins_with_origin(const std::string& entry) {
  for (const std::string_view origin : {"$ORIGIN", "${ORIGIN}"}) {
    if (entry == origin || entry.starts_with(std::string(origin) + "/")) return true;
  }
  return false;
}

fs::path folder_of(const PackageFacts& facts, const ElfFacts& elf, const std::string& entry) {
  const std::size_t slash = entry.find('/');
  const std::string rest = slash == std::string::npos ? "" : entry.substr(slash + 1);
  const fs::path folder = ("." / fs::path(elf.path).parent_path() / rest).lexically_normal();
  return facts.wheel ? fs::path(inside_torch(folder.generic_string())) : folder;
}

bool is_outside(const PackageFacts& facts, const fs::path& folder) {
  auto part = folder.begin();
  if (*part != "..") return false;
  return !facts.wheel || ++part == folder.end() || *part == "..";
}

std::string found_by_rpath(const PackageFacts& facts, const ElfFacts& elf,
                           const std::string& name) {
  for (const std::string& entry : rpath_entries(elf)) {
    std::string file = (folder_of(facts, elf, entry) / name).lexically_normal().generic_string();
    if (facts.paths.count(file) != 0) return file;
  }
  return {};
}

std::string found_by_rpath_and_version(const PackageFacts& facts, const ElfFacts& elf,
                                       const std::string& beginning) {
  const std::string begin = beginning.ends_with('.') ? beginning : beginning + ".";
  for (const std::string& path : facts.paths) {
    const std::string name = path.substr(path.rfind('/') + 1);
    if (!name.starts_with(begin) || name.size() == begin.size()) continue;
    const std::string version = name.substr(begin.size());
    if (version.find_first_not_of(".0123456789") != std::string::npos) continue;
    std::string found = found_by_rpath(facts, elf, name);
    if (!found.empty()) return found;
  }
  return {};
}

std::string required_wheel_of(const PackageFacts& facts, const ElfFacts& elf,
                              const std::string& library) {
  const std::string* metadata = facts.dist_info_text("METADATA");
  if (metadata == nullptr || !facts.manifest.cuda) return {};
  const auto wheel = wheel::nvidia_wheel_of(library, facts.manifest.cuda->major());
  if (!wheel || !wheel::required_version(*metadata, wheel->project)) return {};
  for (const std::string& entry : rpath_entries(elf)) {
    if (folder_of(facts, elf, entry) == fs::path("../" + wheel->folder)) return wheel->project;
  }
  return {};
}

std::string place_of(const PackageFacts& facts, const std::string& name) {
  for (const std::string& path : facts.paths) {
    if (path == name || path.ends_with("/" + name)) return path;
  }
  return {};
}

bool is_bundled(const PackageFacts& facts, const ElfFacts& elf) {
  const std::vector<ManifestBundled>& bundled = facts.manifest.bundled;
  const std::string file = elf.file_name();
  return std::any_of(bundled.begin(), bundled.end(),
                     [&file](const ManifestBundled& library) { return library.file == file; });
}

bool is_extension_module(const std::string& path) {
  return path.find(".cpython-") != std::string::npos || path.ends_with(".abi3.so");
}

}  // namespace torchpkg
