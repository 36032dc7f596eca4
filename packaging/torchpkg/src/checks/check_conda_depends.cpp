// SPDX-License-Identifier: BSD-3-Clause
// Whether `depends` of a conda package names what its libraries need: other packages that have
// them, and a host with the symbol versions.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "checks/checks.h"
#include "common/text.h"
#include "conda/known_packages.h"
#include "elf/known_libraries.h"
#include "package/elf_lookup.h"

namespace torchpkg {

namespace fs = std::filesystem;
using conda::MatchSpec;

namespace {

using Names = std::vector<std::string>;

/// Where conda's packages have their libraries.
constexpr const char* kLib = "lib";

/// What conda knows the host's C library as.
constexpr const char* kGlibc = "__glibc";

std::string text_of(const std::vector<const MatchSpec*>& specs) {
  Names texts;
  for (const MatchSpec* spec : specs) texts.push_back("'" + spec->text() + "'");
  return join(texts, " and ");
}

/// Finds out where the libraries that files ask for come from.
class Closure {
 public:
  Closure(const PackageFacts& facts, const CondaIndex& index) : facts_(facts), index_(index) {
    for (const PackageFile& file : facts.files) {
      if (file.symlink) links_[file.path] = file.target;
    }
  }

  /// What is wrong, one sentence; empty when the library is found. The package that it comes from
  /// is added to `used`.
  std::string look_for(const ElfFacts& elf, const std::string& library, Names& used) const {
    const std::string found = found_by_rpath(facts_, elf, library);
    if (is_inside(found)) return {};
    const conda::Origin origin = conda::origin_of(library);
    if (origin.packages.empty() && is_on_every_host(library)) return {};
    const auto own = std::find(origin.packages.begin(), origin.packages.end(), index_.name);
    const bool other = !origin.packages.empty() && own == origin.packages.end();
    const std::vector<const MatchSpec*> specs = index_.specs_of(origin.packages);
    if (other && !specs.empty()) {
      used.push_back(specs[0]->name);
      return from_other(elf, library, found, origin, specs);
    }
    const std::string place = place_of(facts_, library);
    if (found.empty() && is_inside(place)) {
      return fmt::format("{} needs {}, which is inside as {} but not reached by its RPATH",
                         elf.path, library, place);
    }
    if (other) {
      return fmt::format("{} needs {} of the package {}, which depends does not name", elf.path,
                         library, join(origin.packages, " or "));
    }
    return fmt::format(
        "{} needs {}, which is not inside, and no package that depends could name is known to "
        "have it",
        elf.path, library);
  }

 private:
  /// Whether a path leads to a file of this package, if through symlinks.
  [[nodiscard]] bool is_inside(const std::string& path) const {
    const std::string end = end_of(path);
    return facts_.paths.count(end) != 0 && links_.count(end) == 0;
  }

  [[nodiscard]] std::string end_of(std::string path) const {
    // No more than the kernel follows.
    for (int i = 0; i < 40; ++i) {
      const auto link = links_.find(path);
      if (link == links_.end()) break;
      path = (fs::path(path).parent_path() / link->second).lexically_normal().generic_string();
    }
    return path;
  }

  [[nodiscard]] std::string from_other(const ElfFacts& elf, const std::string& library,
                                       const std::string& found, const conda::Origin& origin,
                                       const std::vector<const MatchSpec*>& specs) const {
    const std::string end = end_of(found);
    if (!found.empty() && fs::path(end).parent_path() != kLib) {
      return fmt::format("{} needs {} and finds {}, a symlink to {}, which is not inside", elf.path,
                         library, found, end);
    }
    if (!origin.same_build) return {};
    if (std::none_of(specs.begin(), specs.end(),
                     [](const MatchSpec* spec) { return spec->is_exact(); })) {
      return fmt::format("{} needs {} of exactly one {}, but depends has {}", elf.path, library,
                         specs[0]->name, text_of(specs));
    }
    if (found.empty() && !searches_lib(elf)) {
      return fmt::format("{} needs {}, but its RPATH does not lead to {}/, where {} has it",
                         elf.path, library, kLib, specs[0]->name);
    }
    return {};
  }

  [[nodiscard]] bool searches_lib(const ElfFacts& elf) const {
    const DynamicInfo& dynamic = elf.info.dynamic;
    const Names entries =
        split(dynamic.runpath ? *dynamic.runpath : dynamic.rpath.value_or(""), ':');
    return std::any_of(entries.begin(), entries.end(), [&](const std::string& entry) {
      const fs::path folder = folder_of(facts_, elf, entry) / "";
      return begins_with_origin(entry) && folder.parent_path() == kLib;
    });
  }

  const PackageFacts& facts_;
  const CondaIndex& index_;
  std::map<std::string, std::string> links_;  ///< and where they lead
};

/// The newest need that a file has of one package.
struct Newest {
  conda::Need need;
  std::string symbol_version;
};

using NewestOf = std::map<std::string, Newest>;  ///< by the first of the package's names

void note(const std::string& symbol_version, NewestOf& newest) {
  conda::Need need = conda::need_of(symbol_version);
  if (need.version.empty()) return;
  Newest& one = newest[need.packages[0]];
  if (compare_versions(need.version, one.need.version) <= 0) return;
  one = {std::move(need), symbol_version};
}

void compare_bounds(const ElfFacts& elf, const NewestOf& newest, const CondaIndex& index,
                    Names& wrong) {
  for (const auto& item : newest) {
    const Newest& one = item.second;
    const std::vector<const MatchSpec*> specs = index.specs_of(one.need.packages);
    // The row closure reports a package that is not named at all, but not the C library.
    if (specs.empty() && item.first != kGlibc) continue;
    const bool met = std::any_of(specs.begin(), specs.end(), [&one](const MatchSpec* spec) {
      return compare_versions(one.need.version, spec->oldest()) <= 0;
    });
    if (met) continue;
    wrong.push_back(fmt::format("{} needs {}, for which depends must have {} >={}; it has {}",
                                elf.path, one.symbol_version, item.first, one.need.version,
                                specs.empty() ? "none" : text_of(specs)));
  }
}

}  // namespace

void check_conda_closure(const PackageFacts& facts, Row& row) {
  row.looked_at = elf_count(facts);
  row.limit = "every NEEDED is inside, on every host, or of a package that depends names";
  const Closure closure(facts, *facts.conda->index);
  Names wrong;
  Names used;
  for (const ElfFacts& elf : facts.elves) {
    for (const std::string& library : elf.info.dynamic.needed) {
      std::string problem = closure.look_for(elf, library, used);
      if (!problem.empty()) wrong.push_back(std::move(problem));
    }
  }
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  row.decide(std::move(wrong), used.empty() ? "all resolve" : "with those of " + join(used, ", "));
}

void check_conda_platform(const PackageFacts& facts, Row& row) {
  const CondaIndex& index = *facts.conda->index;
  const std::string machine = conda::machine_of(index.subdir);
  row.looked_at = elf_count(facts);
  row.limit = fmt::format("symbol versions that depends allows for, code for {}", index.subdir);
  Names wrong;
  NewestOf highest;
  for (const ElfFacts& elf : facts.elves) {
    if (elf.info.machine != machine) {
      wrong.push_back(
          fmt::format("{} is for {}, subdir is {}", elf.path, elf.info.machine, index.subdir));
    }
    for (const std::string& odd : elf.info.odd_versions) {
      wrong.push_back(fmt::format("{} needs {}, which only one build of the host's library has",
                                  elf.path, odd));
    }
    NewestOf newest;
    for (const NeededVersion& needed : elf.needed_versions) {
      note(needed.version, newest);
      note(needed.version, highest);
    }
    compare_bounds(elf, newest, index, wrong);
  }
  if (highest.count(kGlibc) == 0 && index.spec_of(kGlibc) == nullptr) {
    wrong.emplace_back("there are ELF files, but depends has no bound of __glibc");
  }
  Names shown;
  for (const auto& [package, one] : highest) {
    shown.push_back(fmt::format("{} ({} {})", one.symbol_version, package, one.need.version));
  }
  row.decide(std::move(wrong), "highest needed: " + (shown.empty() ? "none" : join(shown, ", ")));
}

}  // namespace torchpkg
