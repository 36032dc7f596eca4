// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "checks/checks.h"
#include "common/text.h"
#include "elf/known_libraries.h"
#include "package/elf_lookup.h"

namespace torchpkg {

namespace fs = std::filesystem;

namespace {

/// The libraries that a package without deps asks the host for and that its manifest does not name.
void check_host_libraries(const PackageFacts& facts, const std::set<std::string>& from_host,
                          std::vector<std::string>& wrong) {
  std::map<std::string, const ManifestHostLibrary*> named;
  for (const ManifestHostLibrary& library : facts.manifest.host_libraries) {
    named[library.name] = &library;
  }
  for (const std::string& name : from_host) {
    if (named.count(name) != 0) continue;
    wrong.push_back(
        fmt::format("{} must come from the host, but the manifest does not name it in "
                    "host_libraries",
                    name));
  }
  for (const ElfFacts& elf : facts.elves) {
    for (const NeededVersion& needed : elf.needed_versions) {
      const auto found = named.find(needed.library);
      if (found == named.end()) continue;
      const std::vector<std::string>& versions = found->second->symbol_versions;
      if (std::find(versions.begin(), versions.end(), needed.version) != versions.end()) continue;
      wrong.push_back(fmt::format("{} needs {} of {}, which the manifest does not name", elf.path,
                                  needed.version, needed.library));
    }
  }
}

}  // namespace

void check_closure(const PackageFacts& facts, Row& row) {
  row.looked_at = elf_count(facts);
  row.limit = "every NEEDED is inside, reached through RPATH, or on every host";
  std::vector<std::string> wrong;
  std::set<std::string> from_host;
  std::set<std::string> from_wheels;
  for (const ElfFacts& elf : facts.elves) {
    for (const std::string& needed : elf.info.dynamic.needed) {
      if (!found_by_rpath(facts, elf, needed).empty() || is_on_every_host(needed)) continue;
      if (!required_wheel_of(facts, elf, needed).empty()) {
        from_wheels.insert(needed);
        continue;
      }
      const std::string place = place_of(facts, needed);
      if (!place.empty()) {
        wrong.push_back(
            fmt::format("{} needs {}, which is inside as {} but not reached by its RPATH", elf.path,
                        needed, place));
      } else if (facts.manifest.with_deps()) {
        wrong.push_back(fmt::format("{} needs {}, which is missing", elf.path, needed));
      } else {
        from_host.insert(needed);
      }
    }
  }
  check_host_libraries(facts, from_host, wrong);
  std::string found = "all resolve";
  if (!from_host.empty()) {
    found = "needed from the host: " + join_some({from_host.begin(), from_host.end()}, 8);
  }
  if (!from_wheels.empty()) {
    found += fmt::format("; {} in wheels that METADATA asks for", from_wheels.size());
  }
  row.decide(std::move(wrong), found);
}

void check_rpath(const PackageFacts& facts, Row& row) {
  row.looked_at = elf_count(facts);
  row.limit = "only $ORIGIN-relative folders of the package";
  std::vector<std::string> wrong;
  for (const ElfFacts& elf : facts.elves) {
    const DynamicInfo& dynamic = elf.info.dynamic;
    if (dynamic.runpath && facts.manifest.with_deps()) {
      wrong.push_back(elf.path + " has RUNPATH, which LD_LIBRARY_PATH overrides, not RPATH");
    }
    std::vector<std::string> entries = split(dynamic.rpath.value_or(""), ':');
    const std::vector<std::string> more = split(dynamic.runpath.value_or(""), ':');
    entries.insert(entries.end(), more.begin(), more.end());
    const std::string all = dynamic.rpath.value_or("") + dynamic.runpath.value_or("");
    if (all.starts_with(':') || all.ends_with(':') || all.find("::") != std::string::npos) {
      wrong.push_back(elf.path + " has an empty folder in its RPATH: where the program is started");
    }
    for (const std::string& entry : entries) {
      if (!begins_with_origin(entry)) {
        wrong.push_back(fmt::format("{} has {} in its RPATH", elf.path, entry));
      } else if (is_outside(facts, folder_of(facts, elf, entry))) {
        wrong.push_back(
            fmt::format("{} has {} in its RPATH, outside the package", elf.path, entry));
      }
    }
  }
  row.decide(std::move(wrong), "all relative to $ORIGIN");
}

void check_library_names(const PackageFacts& facts, Row& row) {
  row.looked_at = elf_count(facts);
  row.limit = "NEEDED, file name and SONAME agree";
  std::set<std::string> needed;
  for (const ElfFacts& elf : facts.elves) {
    needed.insert(elf.info.dynamic.needed.begin(), elf.info.dynamic.needed.end());
  }
  std::vector<std::string> wrong;
  for (const ElfFacts& elf : facts.elves) {
    if (elf.info.program || elf.info.type != "shared") continue;
    const std::string& soname = elf.info.dynamic.soname;
    const std::string beside =
        (fs::path(elf.path).parent_path() / soname).lexically_normal().generic_string();
    if (soname.empty()) {
      if (needed.count(elf.file_name()) != 0) {
        wrong.push_back(elf.path + " is needed by others but has no SONAME");
      }
    } else if (facts.paths.count(beside) == 0) {
      wrong.push_back(fmt::format("{} has the SONAME {}, but no file beside it has that name",
                                  elf.path, soname));
    } else if (soname != elf.file_name() && needed.count(elf.file_name()) != 0) {
      wrong.push_back(
          fmt::format("{} is needed by that name but has the SONAME {}", elf.path, soname));
    }
  }
  for (const std::string& name : needed) {
    if (name.find('/') != std::string::npos) {
      wrong.push_back(fmt::format("a NEEDED is a path: {}", name));
    }
  }
  row.decide(std::move(wrong), "all agree");
}

void check_platform(const PackageFacts& facts, Row& row) {
  const HighestVersions& claimed = facts.manifest.platform;
  row.looked_at = elf_count(facts);
  row.limit = fmt::format("GLIBC {}, GLIBCXX {}, CXXABI {}", claimed.glibc, claimed.glibcxx,
                          claimed.cxxabi);
  HighestVersions highest;
  std::vector<std::string> wrong;
  std::map<std::string, std::string> machines;  // and a file for each
  for (const ElfFacts& elf : facts.elves) {
    machines.emplace(fmt::format("{}, {} bits", elf.info.machine, elf.info.bits), elf.path);
    const auto compare = [&](std::string_view family, const std::string& version,
                             const std::string& limit, std::string& top) {
      if (version.empty()) return;
      if (compare_versions(version, top) > 0) top = version;
      if (compare_versions(version, limit) > 0) {
        wrong.push_back(
            fmt::format("{} needs {} {}, the package claims {}", elf.path, family, version, limit));
      }
    };
    compare("GLIBC", elf.info.versions.glibc, claimed.glibc, highest.glibc);
    compare("GLIBCXX", elf.info.versions.glibcxx, claimed.glibcxx, highest.glibcxx);
    compare("CXXABI", elf.info.versions.cxxabi, claimed.cxxabi, highest.cxxabi);
    for (const std::string& odd : elf.info.odd_versions) {
      wrong.push_back(fmt::format("{} needs {}, which only one build of the host's library has",
                                  elf.path, odd));
    }
  }
  if (machines.size() > 1) {
    const auto& [first, first_file] = *machines.begin();
    const auto& [last, last_file] = *machines.rbegin();
    wrong.push_back(fmt::format("{} is for {}, {} for {}", first_file, first, last_file, last));
  }
  const auto shown = [](const std::string& text) { return text.empty() ? "none" : text; };
  row.decide(std::move(wrong),
             fmt::format("highest needed: GLIBC {}, GLIBCXX {}, CXXABI {}", shown(highest.glibc),
                         shown(highest.glibcxx), shown(highest.cxxabi)));
}

}  // namespace torchpkg
