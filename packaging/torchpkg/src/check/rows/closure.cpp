// SPDX-License-Identifier: BSD-3-Clause
// Whether everything that the libraries need is inside, or comes from where the package says.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "check/lookup.h"
#include "check/rows.h"
#include "common/text.h"
#include "elf/known_libraries.h"

namespace torchpkg {

namespace {

const HostLibrary* host_library(const Manifest& manifest, const std::string& name) {
  const auto found =
      std::find_if(manifest.host_libraries.begin(), manifest.host_libraries.end(),
                   [&name](const HostLibrary& library) { return library.name == name; });
  return found == manifest.host_libraries.end() ? nullptr : &*found;
}

/// Versions that a library asks of one inside the package, which must define them, or of the host,
/// which the manifest must tell.
void check_versions_of(const Facts& facts, const ElfFacts& elf, Row& row) {
  for (const NeededVersion& needed : elf.dynamic.needed_versions) {
    const ElfFacts* inside = facts.elf_at(found_by_rpath(facts, elf, needed.library));
    const HostLibrary* host = host_library(facts.manifest, needed.library);
    if (inside == nullptr && host == nullptr) continue;
    const std::vector<std::string>& there =
        inside != nullptr ? inside->dynamic.defined_versions : host->symbol_versions;
    if (std::find(there.begin(), there.end(), needed.version) != there.end()) continue;
    row.wrong(inside != nullptr ? fmt::format("{} needs {}, which {} does not have", elf.path,
                                              needed.version, inside->path)
                                : fmt::format("{} needs {} of {}, which the manifest does not name",
                                              elf.path, needed.version, needed.library));
  }
}

}  // namespace

void check_closure(const Facts& facts, Row& row) {
  row.limit = "every NEEDED is inside, reached through RPATH, or on every host";
  if (facts.elves.empty()) return row.not_applicable("there is no ELF file");
  std::set<std::string> from_host;
  std::set<std::string> from_packages;
  for (const ElfFacts& elf : facts.elves) {
    for (const std::string& needed : elf.dynamic.needed) {
      if (!found_by_rpath(facts, elf, needed).empty() || is_on_every_host(needed)) continue;
      const std::string place = place_of(facts, needed);
      if (!place.empty()) {
        row.wrong(fmt::format("{} needs {}, which is inside as {} but not reached by its RPATH",
                              elf.path, needed, place));
      } else if (comes_from_elsewhere(facts, elf, needed)) {
        from_packages.insert(needed);
      } else if (facts.manifest.with_deps && host_library(facts.manifest, needed) == nullptr) {
        row.wrong(fmt::format("{} needs {}, which is missing", elf.path, needed));
      } else {
        from_host.insert(needed);
      }
    }
    check_versions_of(facts, elf, row);
  }
  for (const std::string& name : from_host) {
    if (host_library(facts.manifest, name) != nullptr) continue;
    row.wrong(name +
              " must come from the host, but the manifest does not name it in host_libraries");
  }
  row.found = "all resolve";
  const auto add = [&row](const char* what, const std::set<std::string>& names) {
    if (!names.empty()) row.found += what + join_some({names.begin(), names.end()}, 8);
  };
  add("; from the host: ", from_host);
  add("; from other packages: ", from_packages);
}

}  // namespace torchpkg
