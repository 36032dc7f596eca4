// SPDX-License-Identifier: BSD-3-Clause
#include "check/lookup.h"

#include <algorithm>
#include <filesystem>

#include "backend/libraries.h"
#include "common/text.h"

namespace torchpkg {

namespace fs = std::filesystem;

std::string rpath_folder(const ElfFacts& elf, const std::string& entry) {
  const std::size_t slash = std::min(entry.find('/'), entry.size());
  const std::string origin = entry.substr(0, slash);
  if (origin != "$ORIGIN" && origin != "${ORIGIN}") return {};
  const std::string rest = slash < entry.size() ? entry.substr(slash + 1) : "";
  const fs::path folder = ("." / fs::path(elf.path).parent_path() / rest).lexically_normal();
  const std::string text = folder.generic_string();
  return text.size() > 1 && text.ends_with('/') ? text.substr(0, text.size() - 1) : text;
}

std::vector<std::string> rpath_folders(const ElfFacts& elf) {
  const DynamicInfo& dynamic = elf.dynamic;
  std::vector<std::string> folders;
  // The loader leaves RPATH out of account when there is a RUNPATH.
  for (const std::string& entry :
       split(dynamic.runpath ? *dynamic.runpath : dynamic.rpath.value_or(""), ':')) {
    const std::string folder = rpath_folder(elf, entry);
    if (!folder.empty()) folders.push_back(folder);
  }
  return folders;
}

std::string found_by_rpath(const Facts& facts, const ElfFacts& elf, const std::string& name) {
  for (const std::string& folder : rpath_folders(elf)) {
    std::string file = (fs::path(folder) / name).lexically_normal().generic_string();
    if (facts.files.count(file) != 0) return file;
  }
  return {};
}

bool comes_from_elsewhere(const Facts& facts, const ElfFacts& elf, const std::string& library) {
  if (facts.kind == Facts::Kind::kConda) return true;
  const backend::Library* known = backend::library_of(library);
  if (facts.kind != Facts::Kind::kWheel || known == nullptr) return false;
  const std::vector<std::string> folders = rpath_folders(elf);
  return std::any_of(folders.begin(), folders.end(), [known](const std::string& folder) {
    const auto& wheels = known->wheel_folders;
    return std::find(wheels.begin(), wheels.end(), folder) != wheels.end();
  });
}

std::string place_of(const Facts& facts, const std::string& name) {
  for (const auto& [path, target] : facts.files) {
    if (path == name || path.ends_with("/" + name)) return path;
  }
  return {};
}

}  // namespace torchpkg
