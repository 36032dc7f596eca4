// SPDX-License-Identifier: BSD-3-Clause
// Libraries that nothing needs and that are opened by name while a program runs, such as NVRTC and
// the parts of cuDNN.
#include <fmt/core.h>

#include <algorithm>

#include "backend/libraries.h"
#include "check/lookup.h"
#include "check/rows.h"
#include "elf/known_libraries.h"

namespace torchpkg {

namespace {

/// Where the opener finds a library, also by a name that it completes by a version:
/// `libcudnn_ops.so`, `libnvrtc.so.`.
std::string found_when_opened(const Facts& facts, const ElfFacts& elf, const std::string& name) {
  std::string found = found_by_rpath(facts, elf, name);
  const std::string begin = "/" + name + (name.ends_with('.') ? "" : ".");
  for (auto file = facts.files.begin(); found.empty() && file != facts.files.end(); ++file) {
    const std::size_t at = file->first.rfind('/');
    if (at == std::string::npos || !file->first.substr(at).starts_with(begin)) continue;
    const std::string version = file->first.substr(at + begin.size());
    if (version.empty() || version.find_first_not_of(".0123456789") != std::string::npos) continue;
    found = found_by_rpath(facts, elf, file->first.substr(at + 1));
  }
  return found;
}

/// Whether a library is loaded because another one needs it.
bool is_needed(const Facts& facts, const std::string& name) {
  return std::any_of(facts.elves.begin(), facts.elves.end(), [&](const ElfFacts& elf) {
    const std::vector<std::string>& needed = elf.dynamic.needed;
    return std::find(needed.begin(), needed.end(), name) != needed.end();
  });
}

/// One that must stay as it is and has no RPATH. The dynamic linker looks for what it opens in no
/// folder of the package, since the RPATH of the library that opened it does not count (RPATHs of
/// those that need it do: l_loader of glibc's dl-load.c). So that has to be loaded already.
void check_without_rpath(const Facts& facts, const ElfFacts& elf, Row& row) {
  for (const std::string& name : elf.opened_by_name) {
    const std::string place = place_of(facts, name);
    if (name == elf.dynamic.soname || place.empty() || is_needed(facts, name)) continue;
    row.wrong(fmt::format("{} has no RPATH and opens {} by name: nothing that it looks into has {}",
                          elf.path, name, place));
  }
}

bool is_used(const Facts& facts, const backend::Library& library) {
  const auto& on = facts.manifest.features;
  return library.feature.empty() || std::find(on.begin(), on.end(), library.feature) != on.end();
}

}  // namespace

void check_opened_by_name(const Facts& facts, Row& row) {
  row.limit = "what is inside, or one of the backend's libraries, is reached by its RPATH";
  if (facts.elves.empty()) return row.not_applicable("there is no ELF file");
  std::size_t reached = 0;
  for (const ElfFacts& elf : facts.elves) {
    if (rpath_folders(elf).empty() && facts.manifest.is_unchanged(elf.file_name())) {
      check_without_rpath(facts, elf, row);
      continue;
    }
    for (const std::string& name : elf.opened_by_name) {
      const bool own = name == elf.dynamic.soname || name == elf.file_name();
      if (own || is_on_every_host(name)) continue;
      if (!found_when_opened(facts, elf, name).empty()) {
        ++reached;
        continue;
      }
      const backend::Library* known = backend::library_of(name);
      const bool of_backend = known != nullptr && known->backend == facts.manifest.backend_kind &&
                              facts.manifest.with_deps && is_used(facts, *known);
      const std::string place = place_of(facts, name);
      if (!place.empty()) {
        row.wrong(fmt::format("{} opens {} by name, which is inside as {} but not reached",
                              elf.path, name, place));
      } else if (of_backend && !comes_from_elsewhere(facts, elf, name)) {
        row.wrong(fmt::format("{} opens {} by name, which is not inside", elf.path, name));
      }
    }
  }
  row.found = fmt::format("{} reached", reached);
}

}  // namespace torchpkg
