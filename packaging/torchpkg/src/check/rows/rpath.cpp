// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "check/lookup.h"
#include "check/rows.h"
#include "common/text.h"
#include "elf/known_libraries.h"

namespace torchpkg {

void check_rpath(const Facts& facts, Row& row) {
  row.limit = "only $ORIGIN-relative folders of the package";
  if (facts.elves.empty()) return row.not_applicable("there is no ELF file");
  for (const ElfFacts& elf : facts.elves) {
    const DynamicInfo& dynamic = elf.dynamic;
    // What its maker looks for elsewhere lies beside it, where it looks first.
    const std::vector<std::string> folders = rpath_folders(elf);
    const std::string own = std::filesystem::path(elf.path).parent_path().generic_string();
    if (facts.manifest.is_unchanged(elf.file_name()) &&
        (folders.empty() || folders.front() == own)) {
      continue;
    }
    // Nothing is looked up for a program that needs what every host has, such as upstream's protoc.
    const bool looks_up =
        !std::all_of(dynamic.needed.begin(), dynamic.needed.end(), is_on_every_host);
    if (dynamic.runpath && facts.manifest.with_deps && looks_up) {
      row.wrong(elf.path + " has RUNPATH, which LD_LIBRARY_PATH overrides, not RPATH");
    }
    const std::string all = dynamic.runpath ? *dynamic.runpath : dynamic.rpath.value_or("");
    if (all.starts_with(':') || all.ends_with(':') || all.find("::") != std::string::npos) {
      row.wrong(elf.path + " has an empty folder in its RPATH: where the program is started");
    }
    for (const std::string& entry : split(all, ':')) {
      const std::string folder = rpath_folder(elf, entry);
      if (folder.empty()) {
        row.wrong(fmt::format("{} has {} in its RPATH", elf.path, entry));
      } else if (folder == ".." || folder.starts_with("../")) {
        row.wrong(fmt::format("{} has {} in its RPATH, outside the package", elf.path, entry));
      }
    }
  }
  row.found = "all relative to $ORIGIN";
}

}  // namespace torchpkg
