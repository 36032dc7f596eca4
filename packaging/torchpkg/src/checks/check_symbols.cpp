// SPDX-License-Identifier: BSD-3-Clause
// What the symbols of the libraries tell: whether each has a home, whether Python is asked for,
// whether there is one C++ runtime.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "checks/checks.h"
#include "common/text.h"
#include "elf/known_libraries.h"
#include "elf/symbol_names.h"
#include "package/elf_lookup.h"

namespace torchpkg {

namespace {

/// The ELF files of the package that are loaded with a file, itself first; and whether others,
/// of which nothing is known here, are loaded too.
struct LoadedWith {
  std::vector<const ElfFacts*> inside;
  bool others = false;
  bool driver = false;  ///< NVIDIA's, which every host with a GPU has
};

class Loader {
 public:
  explicit Loader(const PackageFacts& facts) : facts_(facts) {
    for (const ElfFacts& elf : facts.elves) by_path_[elf.path] = &elf;
  }

  [[nodiscard]] LoadedWith load(const ElfFacts& first) const {
    LoadedWith loaded{{&first}};
    // The list grows while it is walked.
    for (std::size_t i = 0; i < loaded.inside.size(); ++i) {
      const ElfFacts& elf = *loaded.inside[i];
      for (const std::string& needed : elf.info.dynamic.needed) {
        const ElfFacts* next = find(elf, needed);
        loaded.driver = loaded.driver || is_driver_library(needed);
        if (next == nullptr) {
          loaded.others = loaded.others || !is_on_every_host(needed);
        } else if (std::find(loaded.inside.begin(), loaded.inside.end(), next) ==
                   loaded.inside.end()) {
          loaded.inside.push_back(next);
        }
      }
    }
    return loaded;
  }

 private:
  [[nodiscard]] const ElfFacts* find(const ElfFacts& elf, const std::string& needed) const {
    const auto found = by_path_.find(found_by_rpath(facts_, elf, needed));
    return found == by_path_.end() ? find_linked(needed) : found->second;
  }

  /// Behind a symlink lies a file whose SONAME is the link's name.
  [[nodiscard]] const ElfFacts* find_linked(const std::string& needed) const {
    for (const ElfFacts& elf : facts_.elves) {
      if (elf.info.dynamic.soname == needed) return &elf;
    }
    return nullptr;
  }

  const PackageFacts& facts_;
  std::map<std::string, const ElfFacts*> by_path_;
};

/// Whether a symbol is one of those that NVIDIA's driver has: cuInit, nvmlInit.
bool is_of_driver(std::string_view name) {
  const bool cu = name.starts_with("cu") && name.size() > 2 && name[2] >= 'A' && name[2] <= 'Z';
  return cu || name.starts_with("nvml");
}

void check_shared_symbols(const PackageFacts& facts, std::vector<std::string>& wrong,
                          std::size_t& count) {
  const Loader loader(facts);
  for (const ElfFacts& elf : facts.elves) {
    const LoadedWith loaded = loader.load(elf);
    // A library without deps may have them from any library of the host.
    if (loaded.others) continue;
    for (const std::string& name : elf.asked_for) {
      ++count;
      // The interpreter that loads the modules has these.
      if (facts.manifest.product == "wheel" && (name.starts_with("Py") || name.starts_with("_Py")))
        continue;
      if (loaded.driver && is_of_driver(name)) continue;
      const bool found = std::any_of(loaded.inside.begin(), loaded.inside.end(),
                                     [&name](const ElfFacts* one) { return one->exports(name); });
      if (!found) {
        wrong.push_back(
            fmt::format("{} asks for {}, which nothing that it loads has", elf.path, name));
      }
    }
  }
}

/// Names of C could come from the C library; those of C++ outside of std cannot.
void check_static_symbols(const PackageFacts& facts, std::vector<std::string>& wrong,
                          std::size_t& count) {
  for (const ArchiveFacts& archive : facts.archives) {
    for (const std::string& name : archive.asked_for) {
      ++count;
      const std::uint64_t hash = name_hash(name);
      const bool found =
          std::any_of(facts.archives.begin(), facts.archives.end(),
                      [hash](const ArchiveFacts& one) {
                        return std::binary_search(one.defined.begin(), one.defined.end(), hash);
                      }) ||
          std::any_of(facts.elves.begin(), facts.elves.end(),
                      [&name](const ElfFacts& one) { return one.exports(name); });
      if (!found) {
        wrong.push_back(
            fmt::format("{} asks for {}, which no library inside has", archive.path, name));
      }
    }
  }
}

}  // namespace

void check_undefined_symbols(const PackageFacts& facts, Row& row) {
  const bool is_static = facts.manifest.is_static();
  row.looked_at =
      is_static ? fmt::format("{} static libraries", facts.archives.size()) : elf_count(facts);
  row.limit = "every symbol has a home";
  std::vector<std::string> wrong;
  std::size_t count = 0;
  check_shared_symbols(facts, wrong, count);
  if (is_static && facts.manifest.with_deps()) check_static_symbols(facts, wrong, count);
  row.decide(std::move(wrong), fmt::format("{} symbols, all found", count));
}

void check_cxx_runtime(const PackageFacts& facts, Row& row) {
  row.looked_at = elf_count(facts);
  row.limit = "libstdc++ comes from the host, once";
  std::vector<std::string> wrong;
  std::size_t users = 0;
  for (const ElfFacts& elf : facts.elves) {
    const std::vector<std::string>& needed = elf.info.dynamic.needed;
    const bool from_host = std::any_of(needed.begin(), needed.end(), [](const std::string& name) {
      return name.starts_with("libstdc++.so") || name.starts_with("libc++.so");
    });
    const std::string name = elf.file_name();
    if (name.starts_with("libstdc++") || name.starts_with("libc++")) {
      wrong.push_back(elf.path + " is a C++ runtime beside the host's");
    } else if (elf.code.defines_cxx_runtime) {
      wrong.push_back(elf.path + " has a C++ runtime of its own: exceptions would not be caught");
    }
    if (from_host) ++users;
  }
  row.decide(std::move(wrong), fmt::format("needed by {} files", users));
}

void check_python_free(const PackageFacts& facts, Row& row) {
  row.looked_at = library_count(facts);
  row.limit = "C++ programs need no Python";
  std::vector<std::string> wrong;
  for (const ElfFacts& elf : facts.elves) {
    for (const std::string& needed : elf.info.dynamic.needed) {
      if (needed.starts_with("libpython")) {
        wrong.push_back(fmt::format("{} needs {}", elf.path, needed));
      }
    }
    if (!elf.code.python_symbol.empty()) {
      wrong.push_back(fmt::format("{} asks for {}", elf.path, elf.code.python_symbol));
    }
  }
  for (const ArchiveFacts& archive : facts.archives) {
    if (archive.code.python_symbol.empty()) continue;
    wrong.push_back(fmt::format("{} asks for {}", archive.path, archive.code.python_symbol));
  }
  row.decide(std::move(wrong), "none");
}

}  // namespace torchpkg
