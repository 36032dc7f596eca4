// SPDX-License-Identifier: BSD-3-Clause
#include "checks/elf_lookup.h"

#include <fmt/core.h>

#include "common/text.h"

namespace torchpkg {

namespace fs = std::filesystem;

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
  const DynamicInfo& dynamic = elf.info.dynamic;
  // The loader leaves RPATH out of account when there is a RUNPATH.
  const std::string entries = dynamic.runpath ? *dynamic.runpath : dynamic.rpath.value_or("");
  for (const std::string& entry : split(entries, ':')) {
    if (!begins_with_origin(entry)) continue;
    const std::string file =
        (folder_of(facts, elf, entry) / name).lexically_normal().generic_string();
    if (facts.paths.count(file) != 0) return file;
  }
  return {};
}

std::string place_of(const PackageFacts& facts, const std::string& name) {
  for (const std::string& path : facts.paths) {
    if (path == name || path.ends_with("/" + name)) return path;
  }
  return {};
}

bool is_extension_module(const std::string& path) {
  return path.find(".cpython-") != std::string::npos || path.ends_with(".abi3.so");
}

std::string elf_count(const PackageFacts& facts) {
  return fmt::format("{} ELF files", facts.elves.size());
}

Row not_applicable(Row row, const std::string& reason) {
  row.verdict = Verdict::kNotApplicable;
  row.found = reason;
  return row;
}

Row no_wheel(Row row, const PackageFacts& facts) {
  return not_applicable(std::move(row), facts.manifest.product == "libtorch"
                                            ? "a C++ package, no wheel"
                                            : "the product is " + facts.manifest.product);
}

}  // namespace torchpkg
