// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "checks/checks.h"
#include "common/text.h"
#include "elf/known_libraries.h"
#include "package/elf_lookup.h"

namespace torchpkg {

namespace {

/// All values that a CMake or pkg-config file gives _GLIBCXX_USE_CXX11_ABI: '0', '1'.
std::set<char> abi_flags(const std::string& text) {
  constexpr std::string_view kFlag = "_GLIBCXX_USE_CXX11_ABI=";
  std::set<char> values;
  for (std::size_t at = text.find(kFlag); at != std::string::npos; at = text.find(kFlag, at + 1)) {
    if (at + kFlag.size() < text.size()) values.insert(text[at + kFlag.size()]);
  }
  values.erase('$');  // a variable: its value stands elsewhere
  return values;
}

void check_abi_flags(const PackageFacts& facts, bool want_new, std::vector<std::string>& wrong) {
  constexpr const char* kConfig = "share/cmake/Torch/TorchConfig.cmake";
  const std::string* config = facts.text(kConfig);
  if (config == nullptr) {
    wrong.push_back(std::string(kConfig) + " is missing");
  } else if (abi_flags(*config).empty()) {
    wrong.emplace_back("TorchConfig.cmake does not set _GLIBCXX_USE_CXX11_ABI");
  }
  for (const auto& [path, text] : facts.texts) {
    if (!path.ends_with(".cmake") && !path.ends_with(".pc")) continue;
    for (const char flag : abi_flags(text)) {
      if (flag == (want_new ? '1' : '0')) continue;
      wrong.push_back(fmt::format("{} says _GLIBCXX_USE_CXX11_ABI={}, the manifest says {}", path,
                                  flag, want_new ? 1 : 0));
    }
  }
}

/// libtorch's own libraries, whose interfaces are full of strings.
bool speaks_cxx(const std::string& file) {
  return file.starts_with("libtorch_cpu.so") || file.starts_with("libc10.so") ||
         file == "libtorch_cpu.a" || file == "libc10.a";
}

/// How many symbols of each ABI a library has.
struct AbiCount {
  std::string path;
  std::size_t fresh = 0;
  std::size_t old = 0;
  std::size_t old_std = 0;
  std::string old_example;
};

void check_abi_of(const AbiCount& count, bool want_new, std::vector<std::string>& wrong) {
  if (want_new) {
    if (count.old > 0) {
      wrong.push_back(fmt::format("{} has {} symbols of the old ABI, such as {}", count.path,
                                  count.old, count.old_example));
    } else if (count.old_std > 0 && count.fresh == 0) {
      wrong.push_back(count.path + " uses the old std::string only");
    }
  } else if (count.fresh > 0 && count.old == 0) {
    wrong.push_back(fmt::format("{} has {} symbols of the new ABI", count.path, count.fresh));
  }
  const std::size_t good = want_new ? count.fresh : count.old;
  if (good == 0 && speaks_cxx(count.path.substr(count.path.rfind('/') + 1))) {
    wrong.push_back(
        fmt::format("{} has no symbol of the {} ABI", count.path, want_new ? "new" : "old"));
  }
}

/// Only what was compiled here. What was copied may use either inside: NVIDIA's libraries have an
/// interface in C, and cuDNN 9.1 and cuSPARSELt 0.6 old strings behind it.
std::vector<AbiCount> abi_counts(const PackageFacts& facts) {
  std::vector<AbiCount> counts;
  for (const ElfFacts& elf : facts.elves) {
    if (is_bundled(facts, elf)) continue;
    const ElfInfo& info = elf.info;
    counts.push_back({elf.path, info.new_abi_symbols, info.old_abi_symbols,
                      info.old_abi_std_symbols, info.old_abi_example});
  }
  for (const ArchiveFacts& archive : facts.archives) {
    counts.push_back({archive.path, archive.new_abi_symbols, archive.old_abi_symbols, 0,
                      archive.old_abi_example});
  }
  return counts;
}

bool needs_library(const PackageFacts& facts, std::string_view prefix) {
  return std::any_of(facts.elves.begin(), facts.elves.end(), [prefix](const ElfFacts& elf) {
    const std::vector<std::string>& needed = elf.info.dynamic.needed;
    return std::any_of(needed.begin(), needed.end(),
                       [prefix](const std::string& name) { return name.starts_with(prefix); });
  });
}

/// Whether a component is in libtorch_cpu or comes as a shared library.
bool has_component(const PackageFacts& facts, Component component, std::string_view library) {
  const CodeFacts* cpu = facts.torch_cpu();
  return (cpu != nullptr && cpu->components.count(component) != 0) || needs_library(facts, library);
}

bool is_off(const Manifest& manifest, const std::string& feature) {
  const auto found = manifest.features.find(feature);
  return found != manifest.features.end() && !found->second.enabled;
}

/// What libtorch_cpu is called in this package.
const char* torch_cpu_file(const PackageFacts& facts) {
  return facts.manifest.is_static() ? "lib/libtorch_cpu.a" : "lib/libtorch_cpu.so";
}

std::string machine_of_torch_cpu(const PackageFacts& facts) {
  for (const ElfFacts& elf : facts.elves) {
    if (elf.file_name().starts_with("libtorch_cpu.so")) return elf.info.machine;
  }
  for (const ArchiveFacts& archive : facts.archives) {
    if (archive.file_name() == "libtorch_cpu.a")
      return join({archive.machines.begin(), archive.machines.end()}, ", ");
  }
  return {};
}

/// Whether the CMake package makes users link the OpenMP runtime of their compiler.
bool asks_compiler_for_openmp(const PackageFacts& facts) {
  for (const auto& [path, text] : facts.texts) {
    if (!path.ends_with(".cmake")) continue;
    for (const char* word : {"OpenMP::OpenMP", "fopenmp", "gomp"}) {
      if (text.find(word) != std::string::npos) return true;
    }
  }
  return false;
}

}  // namespace

void check_cxx_abi(const PackageFacts& facts, Row& row) {
  const bool want_new = facts.manifest.cxx11_abi;
  const std::vector<AbiCount> counts = abi_counts(facts);
  row.looked_at = fmt::format("{} libraries, CMake files", counts.size());
  row.limit = fmt::format("the {} ABI of libstdc++ everywhere", want_new ? "new (cxx11)" : "old");
  std::vector<std::string> wrong;
  std::size_t symbols = 0;
  for (const AbiCount& count : counts) {
    symbols += want_new ? count.fresh : count.old;
    check_abi_of(count, want_new, wrong);
  }
  check_abi_flags(facts, want_new, wrong);
  row.decide(std::move(wrong), fmt::format("{} symbols of it, none of the other", symbols));
}

void check_openmp(const PackageFacts& facts, Row& row) {
  row.looked_at = library_count(facts);
  row.limit = "exactly one OpenMP runtime";
  std::set<std::string> runtimes;
  for (const ElfFacts& elf : facts.elves) {
    const std::string& soname = elf.info.dynamic.soname;
    // A runtime is known by its name, or by what it defines when it was linked into something.
    if (is_openmp_runtime(elf.file_name()) || elf.code.defines_openmp) {
      runtimes.insert(soname.empty() ? elf.file_name() : soname);
    }
    for (const std::string& needed : elf.info.dynamic.needed) {
      if (is_openmp_runtime(needed)) runtimes.insert(needed);
    }
  }
  for (const ArchiveFacts& archive : facts.archives) {
    if (archive.code.defines_openmp) runtimes.insert(archive.file_name());
  }
  if (runtimes.empty() && is_off(facts.manifest, "OPENMP")) {
    return row.not_applicable("OPENMP is off in the manifest");
  }
  if (runtimes.empty() && facts.manifest.is_static() && asks_compiler_for_openmp(facts)) {
    return row.decide({}, "that of the user's compiler, through the CMake package");
  }
  const std::vector<std::string> names(runtimes.begin(), runtimes.end());
  std::vector<std::string> wrong;
  if (names.empty()) wrong.emplace_back("no library uses an OpenMP runtime");
  if (names.size() > 1) {
    wrong.push_back(fmt::format("{} OpenMP runtimes: {}", names.size(), join(names, ", ")));
  }
  row.decide(std::move(wrong), join(names, ", "));
}

void check_cpu_features(const PackageFacts& facts, Row& row) {
  const Manifest& manifest = facts.manifest;
  row.looked_at = torch_cpu_file(facts);
  row.limit = "a BLAS and a LAPACK; what the manifest says is on is inside, and nothing else";
  if (facts.torch_cpu() == nullptr) return row.decide({row.looked_at + " is missing"}, "");
  const bool mkl = has_component(facts, Component::kMkl, "libmkl_");
  const bool openblas = has_component(facts, Component::kOpenBlas, "libopenblas");
  const bool blas = mkl || openblas || has_component(facts, Component::kBlas, "libblas") ||
                    needs_library(facts, "libflexiblas") || needs_library(facts, "libblis");
  const bool lapack =
      has_component(facts, Component::kLapack, "liblapack") || needs_library(facts, "libopenblas");
  const bool onednn = has_component(facts, Component::kOneDnn, "libdnnl");
  std::vector<std::string> wrong;
  std::set<std::string> inside;
  const auto agree = [&](const std::string& name, const std::string& feature, bool is_inside) {
    if (is_inside) inside.insert(name);
    if (manifest.has_feature(feature) && !is_inside) {
      wrong.push_back(fmt::format("{} is on in the manifest but not inside", feature));
    }
    if (is_off(manifest, feature) && is_inside) {
      wrong.push_back(fmt::format("{} is off in the manifest but inside", feature));
    }
  };
  agree("BLAS", "BLAS", blas);
  agree("LAPACK", "LAPACK", lapack);
  agree("MKL", "MKL", mkl);
  agree("oneDNN", "MKLDNN", onednn);
  agree("oneDNN", "ONEDNN", onednn);
  agree("OpenBLAS", "OPENBLAS", openblas);
  if (manifest.package("mkl") != nullptr && !mkl) {
    wrong.emplace_back("the manifest has the package mkl, but MKL is not inside");
  }
  if (manifest.package("openblas") != nullptr && !openblas) {
    wrong.emplace_back("the manifest has the package openblas, but OpenBLAS is not inside");
  }
  if (!blas && !is_off(manifest, "BLAS")) wrong.emplace_back("there is no BLAS inside");
  // PyTorch's configuration goes on without LAPACK when the BLAS it was given has none that links.
  if (!lapack && !is_off(manifest, "LAPACK")) wrong.emplace_back("there is no LAPACK inside");
  row.decide(std::move(wrong), "inside: " + join({inside.begin(), inside.end()}, ", "));
}

void check_cpu_kernels(const PackageFacts& facts, Row& row) {
  row.looked_at = torch_cpu_file(facts);
  row.limit = "kernels for AVX2 and AVX-512";
  if (facts.torch_cpu() == nullptr) return row.decide({row.looked_at + " is missing"}, "");
  const CodeFacts& cpu = *facts.torch_cpu();
  if (const std::string machine = machine_of_torch_cpu(facts); machine != "x86_64") {
    return row.not_applicable("the package is for " + machine);
  }
  std::vector<std::string> wrong;
  if (cpu.avx2_symbols == 0) wrong.emplace_back("no kernel for AVX2");
  if (cpu.avx512_symbols == 0) wrong.emplace_back("no kernel for AVX-512");
  row.decide(std::move(wrong), fmt::format("{} tables for AVX2, {} for AVX-512", cpu.avx2_symbols,
                                           cpu.avx512_symbols));
}

}  // namespace torchpkg
