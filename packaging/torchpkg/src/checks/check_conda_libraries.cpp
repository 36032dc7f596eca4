// SPDX-License-Identifier: BSD-3-Clause
#include "checks/check_conda_libraries.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "checks/checks.h"
#include "checks/elf_lookup.h"
#include "common/error.h"
#include "common/text.h"
#include "conda/known_packages.h"
#include "elf/known_libraries.h"

namespace torchpkg {

namespace fs = std::filesystem;
using conda::MatchSpec;
using conda::TarEntry;

namespace {

using Names = std::vector<std::string>;

/// Where conda's packages have their libraries.
constexpr const char* kLib = "lib";

/// What conda knows the host's C library as.
constexpr const char* kGlibc = "__glibc";

/// What `depends` says of a package, under any of its names.
std::vector<const MatchSpec*> specs_of(const CondaHost& host, const Names& packages) {
  std::vector<const MatchSpec*> specs;
  for (const MatchSpec& spec : host.depends) {
    if (std::find(packages.begin(), packages.end(), spec.name) != packages.end()) {
      specs.push_back(&spec);
    }
  }
  return specs;
}

std::string text_of(const std::vector<const MatchSpec*>& specs) {
  Names texts;
  for (const MatchSpec* spec : specs) texts.push_back("'" + spec->text() + "'");
  return join(texts, " and ");
}

/// Finds out where the libraries that files ask for come from.
class Closure {
 public:
  Closure(const PackageFacts& facts, const CondaHost& host) : facts_(facts), host_(host) {
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
    if (origin.packages.empty() && always_there_.allows(library)) return {};
    const auto own = std::find(origin.packages.begin(), origin.packages.end(), host_.name);
    const bool other = !origin.packages.empty() && own == origin.packages.end();
    const std::vector<const MatchSpec*> specs = specs_of(host_, origin.packages);
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
  const CondaHost& host_;
  std::map<std::string, std::string> links_;  ///< and where they lead
  AllowList always_there_ = AllowList::built_in();
};

Row decide_closure(const PackageFacts& facts, const CondaHost& host) {
  Row row{1, "closure", elf_count(facts), "",
          "every NEEDED is inside, on every host, or of a package that depends names"};
  if (facts.elves.empty()) return not_applicable(std::move(row), "there is no ELF file");
  const Closure closure(facts, host);
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
  return row;
}

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

void compare_bounds(const ElfFacts& elf, const NewestOf& newest, const CondaHost& host,
                    Names& wrong) {
  for (const auto& item : newest) {
    const Newest& one = item.second;
    const std::vector<const MatchSpec*> specs = specs_of(host, one.need.packages);
    // Of a package that is not named at all the row closure tells, but not of the C library.
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

Row decide_platform(const PackageFacts& facts, const CondaHost& host) {
  const std::string machine = conda::machine_of(host.subdir);
  Row row{8, "platform", elf_count(facts), "",
          fmt::format("symbol versions that depends allows for, code for {}", host.subdir)};
  if (facts.elves.empty()) return not_applicable(std::move(row), "there is no ELF file");
  Names wrong;
  NewestOf highest;
  for (const ElfFacts& elf : facts.elves) {
    if (elf.info.machine != machine) {
      wrong.push_back(
          fmt::format("{} is for {}, subdir is {}", elf.path, elf.info.machine, host.subdir));
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
    compare_bounds(elf, newest, host, wrong);
  }
  if (highest.count(kGlibc) == 0 && specs_of(host, {kGlibc}).empty()) {
    wrong.emplace_back("there are ELF files, but depends has no bound of __glibc");
  }
  Names shown;
  for (const auto& [package, one] : highest) {
    shown.push_back(fmt::format("{} ({} {})", one.symbol_version, package, one.need.version));
  }
  row.decide(std::move(wrong), "highest needed: " + (shown.empty() ? "none" : join(shown, ", ")));
  return row;
}

}  // namespace

void note_conda_file(const TarEntry& entry, Bytes content, PackageFacts& facts) {
  if (entry.kind != TarEntry::Kind::kFile && entry.kind != TarEntry::Kind::kSymlink) return;
  const bool symlink = entry.kind == TarEntry::Kind::kSymlink;
  facts.files.push_back({entry.path, symlink, entry.target, entry.size});
  facts.paths.insert(entry.path);
  try {
    if (is_elf(content)) facts.elves.push_back(read_elf_facts(entry.path, content, false));
    if (is_ar(content)) facts.archives.push_back(read_archive_facts(entry.path, content));
    // Of every library, since the manifest may come behind it.
    if (is_elf(content) || is_ar(content)) {
      facts.cuda.push_back(read_cuda_facts(entry.path, content));
    }
  } catch (const Error& error) {
    facts.damaged_elves.emplace_back(error.what());
  }
}

std::vector<Row> check_conda_libraries(const PackageFacts& facts,
                                       const std::optional<CondaHost>& host) {
  const auto decided = [&](Row (*decide)(const PackageFacts&, const CondaHost&)) {
    Row row = decide(facts, host.value_or(CondaHost{}));
    if (host) return row;
    row.details.clear();
    return not_applicable(std::move(row), "index.json is missing or wrong");
  };
  return {check_elf_files(facts), decided(decide_closure), check_rpath(facts),
          decided(decide_platform)};
}

}  // namespace torchpkg
