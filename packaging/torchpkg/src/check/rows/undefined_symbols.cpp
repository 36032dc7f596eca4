// SPDX-License-Identifier: BSD-3-Clause
// Whether each symbol that a library asks for is in what it loads.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

#include "check/lookup.h"
#include "check/rows.h"
#include "common/text.h"
#include "elf/known_libraries.h"
#include "elf/symbol_names.h"

namespace torchpkg {

namespace {

/// The ELF files of the package that are loaded with a file, itself first.
struct LoadedWith {
  std::vector<const ElfFacts*> inside;
  bool others = false;   ///< libraries of which nothing is known here are loaded too
  bool driver = false;   ///< a GPU's, of which the same is true
  bool cxx = false;      ///< the host's C++ runtime, loaded by one of these
  bool threads = false;  ///< the host's libpthread, of which the same is true

  [[nodiscard]] bool define(const std::string& name) const {
    return std::any_of(inside.begin(), inside.end(),
                       [&name](const ElfFacts* one) { return one->code.defines(name); });
  }
};

LoadedWith load(const Facts& facts, const ElfFacts& first) {
  LoadedWith loaded{{&first}};
  // The list grows while it is walked.
  for (std::size_t i = 0; i < loaded.inside.size(); ++i) {
    const ElfFacts& elf = *loaded.inside[i];
    for (const std::string& needed : elf.dynamic.needed) {
      const ElfFacts* next = facts.elf_at(found_by_rpath(facts, elf, needed));
      loaded.driver = loaded.driver || is_driver_library(needed);
      loaded.cxx = loaded.cxx || needed == "libstdc++.so.6";
      loaded.threads = loaded.threads || needed == "libpthread.so.0";
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

/// What loads a bundled library directly; of PyTorch's own nothing, since programs load those.
/// NVPL's LAPACK takes its BLAS from what it is loaded with; upstream's libtorch_nvshmem.so, which
/// only libtorch_cuda.so loads, c10_cuda's functions.
std::vector<LoadedWith> loaders_of(const Facts& facts, const ElfFacts& elf) {
  std::vector<LoadedWith> loaders;
  const bool by_cuda = elf.file_name() == "libtorch_nvshmem.so";
  if (!by_cuda && !facts.manifest.is_bundled(elf.file_name())) return loaders;
  for (const ElfFacts& user : facts.elves) {
    const std::vector<std::string>& needed = user.dynamic.needed;
    const auto is_this = [&](const std::string& name) {
      return facts.elf_at(found_by_rpath(facts, user, name)) == &elf;
    };
    if (std::any_of(needed.begin(), needed.end(), is_this)) loaders.push_back(load(facts, user));
  }
  return loaders;
}

/// A library that was linked without the runtime asks for its symbols without a version. Upstream's
/// libtorch.so does.
bool is_of_runtime(const std::string& name) {
  return is_standard_cxx(name) || name.starts_with("__cxa_") || name.starts_with("__gxx_");
}

/// cuFile and NVSHMEM ask for these without versions, and need neither libdl nor libpthread: the C
/// library has them since glibc 2.34.
bool is_of_glibc(const std::string& name) {
  constexpr std::array<std::string_view, 6> kDl = {"dladdr", "dlclose", "dlerror",
                                                   "dlopen", "dlsym",   "dlvsym"};
  return name.starts_with("pthread_") || std::find(kDl.begin(), kDl.end(), name) != kDl.end();
}

/// The interpreter has these, for the modules that it loads.
bool is_python(const std::string& name) {
  return name.starts_with("Py") || name.starts_with("_Py");
}

std::size_t check_shared(const Facts& facts, Row& row) {
  std::size_t count = 0;
  for (const ElfFacts& elf : facts.elves) {
    const LoadedWith loaded = load(facts, elf);
    // They may be in any of those: a driver's symbols have no versions, and a C name could be its.
    if (loaded.others) continue;
    // Its maker's business: cuFile asks for the C library's symbols without their versions.
    if (facts.manifest.is_unchanged(elf.file_name())) continue;
    const std::vector<LoadedWith> loaders = loaders_of(facts, elf);
    const bool bundled = facts.manifest.is_bundled(elf.file_name());
    for (const std::string& name : elf.code.asked_for) {
      ++count;
      if (facts.kind != Facts::Kind::kLibtorch && is_python(name)) continue;
      const bool of_driver = loaded.driver && !name.starts_with("_Z");
      const bool of_threads = loaded.threads && name.starts_with("pthread_");
      if (of_driver || of_threads || (bundled && is_of_glibc(name)) ||
          (loaded.cxx && is_of_runtime(name)) || loaded.define(name)) {
        continue;
      }
      const auto has_it = [&name](const LoadedWith& loader) { return loader.define(name); };
      if (!loaders.empty() && std::all_of(loaders.begin(), loaders.end(), has_it)) continue;
      row.wrong(fmt::format("{} asks for {}, which nothing that it loads has", elf.path, name));
    }
  }
  return count;
}

/// Names of C could come from the C library; those of C++ outside of std cannot.
std::size_t check_static(const Facts& facts, Row& row) {
  std::size_t count = 0;
  const auto defined_in = [](const auto& libraries, const std::string& name) {
    return std::any_of(libraries.begin(), libraries.end(),
                       [&name](const LibraryFacts& one) { return one.code.defines(name); });
  };
  for (const ArchiveFacts& archive : facts.archives) {
    for (const std::string& name : archive.code.asked_for) {
      ++count;
      if (defined_in(facts.archives, name) || defined_in(facts.elves, name)) continue;
      row.wrong(fmt::format("{} asks for {}, which no library inside has", archive.path, name));
    }
  }
  return count;
}

}  // namespace

void check_undefined_symbols(const Facts& facts, Row& row) {
  row.limit = "every symbol has a home";
  std::size_t count = check_shared(facts, row);
  if (facts.manifest.is_static && facts.manifest.with_deps) count += check_static(facts, row);
  row.found = counted(count, "symbol") + ", all found";
}

}  // namespace torchpkg
