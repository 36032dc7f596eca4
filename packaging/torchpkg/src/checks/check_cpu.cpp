// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "checks/checks.h"
#include "common/text.h"
#include "elf/known_libraries.h"

namespace torchpkg {

namespace {

/// The value of _GLIBCXX_USE_CXX11_ABI in TorchConfig.cmake: '0', '1', or '\0' without one.
char abi_flag(const std::string& config) {
  constexpr std::string_view kFlag = "_GLIBCXX_USE_CXX11_ABI=";
  const std::size_t at = config.find(kFlag);
  if (at == std::string::npos || at + kFlag.size() >= config.size()) return '\0';
  return config[at + kFlag.size()];
}

/// libtorch's own libraries, whose interfaces are full of strings.
bool speaks_cxx(const std::string& file) {
  return file.starts_with("libtorch_cpu.so") || file.starts_with("libc10.so");
}

void check_abi_of(const ElfFacts& elf, bool want_new, std::vector<std::string>& wrong) {
  const ElfInfo& info = elf.info;
  const std::size_t good = want_new ? info.new_abi_symbols : info.old_abi_symbols;
  if (want_new) {
    if (info.old_abi_symbols > 0) {
      wrong.push_back(fmt::format("{} has {} symbols of the old ABI, such as {}", elf.path,
                                  info.old_abi_symbols, info.old_abi_example));
    } else if (info.old_abi_std_symbols > 0 && info.new_abi_symbols == 0) {
      wrong.push_back(elf.path + " uses the old std::string only");
    }
  } else if (info.new_abi_symbols > 0 && info.old_abi_symbols == 0) {
    wrong.push_back(
        fmt::format("{} has {} symbols of the new ABI", elf.path, info.new_abi_symbols));
  }
  if (good == 0 && speaks_cxx(elf.file_name())) {
    wrong.push_back(
        fmt::format("{} has no symbol of the {} ABI", elf.path, want_new ? "new" : "old"));
  }
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
  const ElfFacts* cpu = facts.torch_cpu();
  return (cpu != nullptr && cpu->components.count(component) != 0) || needs_library(facts, library);
}

bool is_on(const Manifest& manifest, const std::string& feature) {
  const auto found = manifest.features.find(feature);
  return found != manifest.features.end() && found->second.enabled;
}

bool is_off(const Manifest& manifest, const std::string& feature) {
  const auto found = manifest.features.find(feature);
  return found != manifest.features.end() && !found->second.enabled;
}

Row for_shared_libtorch(const PackageFacts& facts, Row row) {
  if (facts.manifest.is_static()) {
    row.verdict = Verdict::kNotApplicable;
    row.found = "a static package has no dynamic symbols; its consumer test decides";
  } else if (facts.torch_cpu() == nullptr) {
    row.decide({"lib/libtorch_cpu.so is missing"}, "");
  }
  return row;
}

bool is_decided(const PackageFacts& facts) {
  return facts.manifest.is_static() || facts.torch_cpu() == nullptr;
}

}  // namespace

Row check_cxx_abi(const PackageFacts& facts) {
  const bool want_new = facts.manifest.cxx11_abi;
  Row row{7, "cxx-abi", fmt::format("{} ELF files, TorchConfig.cmake", facts.elves.size()), "",
          fmt::format("the {} ABI of libstdc++ everywhere", want_new ? "new (cxx11)" : "old")};
  std::vector<std::string> wrong;
  std::size_t symbols = 0;
  for (const ElfFacts& elf : facts.elves) {
    symbols += want_new ? elf.info.new_abi_symbols : elf.info.old_abi_symbols;
    check_abi_of(elf, want_new, wrong);
  }
  const std::string* config = facts.text("share/cmake/Torch/TorchConfig.cmake");
  if (config == nullptr) {
    wrong.emplace_back("share/cmake/Torch/TorchConfig.cmake is missing");
  } else if (const char flag = abi_flag(*config); flag == '\0') {
    wrong.emplace_back("TorchConfig.cmake does not set _GLIBCXX_USE_CXX11_ABI");
  } else if (flag != (want_new ? '1' : '0')) {
    wrong.push_back(
        fmt::format("TorchConfig.cmake says _GLIBCXX_USE_CXX11_ABI={}, the manifest "
                    "says {}",
                    flag, want_new ? 1 : 0));
  }
  row.decide(std::move(wrong), fmt::format("{} symbols of it, none of the other", symbols));
  return row;
}

Row check_openmp(const PackageFacts& facts) {
  Row row{14, "openmp", fmt::format("{} ELF files", facts.elves.size()), "",
          "exactly one OpenMP runtime"};
  std::set<std::string> runtimes;
  for (const ElfFacts& elf : facts.elves) {
    const std::string& soname = elf.info.dynamic.soname;
    // A runtime is known by its name, or by what it defines when it was linked into something.
    if (is_openmp_runtime(elf.file_name()) || elf.defines_openmp) {
      runtimes.insert(soname.empty() ? elf.file_name() : soname);
    }
    for (const std::string& needed : elf.info.dynamic.needed) {
      if (is_openmp_runtime(needed)) runtimes.insert(needed);
    }
  }
  if (facts.elves.empty() || (runtimes.empty() && is_off(facts.manifest, "OPENMP"))) {
    row.verdict = Verdict::kNotApplicable;
    row.found = facts.elves.empty() ? "there is no ELF file" : "OPENMP is off in the manifest";
    return row;
  }
  const std::vector<std::string> names(runtimes.begin(), runtimes.end());
  std::vector<std::string> wrong;
  if (names.empty()) wrong.emplace_back("no library uses an OpenMP runtime");
  if (names.size() > 1) {
    wrong.push_back(fmt::format("{} OpenMP runtimes: {}", names.size(), join(names, ", ")));
  }
  row.decide(std::move(wrong), join(names, ", "));
  return row;
}

Row check_cpu_features(const PackageFacts& facts) {
  Row row{14, "cpu-features", "lib/libtorch_cpu.so, manifest", "",
          "what the manifest says is on is inside"};
  if (is_decided(facts)) return for_shared_libtorch(facts, std::move(row));
  const bool mkl = has_component(facts, Component::kMkl, "libmkl_");
  const bool openblas = has_component(facts, Component::kOpenBlas, "libopenblas");
  const bool blas = mkl || openblas || needs_library(facts, "libblas") ||
                    needs_library(facts, "libflexiblas") || needs_library(facts, "libblis");
  const bool lapack =
      has_component(facts, Component::kLapack, "liblapack") || needs_library(facts, "libopenblas");
  const bool onednn = has_component(facts, Component::kOneDnn, "libdnnl");
  std::vector<std::string> wrong;
  std::vector<std::string> on;
  const auto agree = [&](const std::string& feature, bool inside) {
    if (!is_on(facts.manifest, feature)) return;
    on.push_back(feature);
    if (!inside) wrong.push_back(fmt::format("{} is on in the manifest but not inside", feature));
  };
  agree("BLAS", blas);
  agree("LAPACK", lapack);
  agree("MKL", mkl);
  agree("MKLDNN", onednn);
  agree("ONEDNN", onednn);
  agree("OPENBLAS", openblas);
  row.decide(std::move(wrong),
             on.empty() ? "BLAS and oneDNN are off" : "inside: " + join(on, ", "));
  return row;
}

Row check_cpu_kernels(const PackageFacts& facts) {
  Row row{14, "cpu-kernels", "lib/libtorch_cpu.so", "", "kernels for AVX2 and AVX-512"};
  if (is_decided(facts)) return for_shared_libtorch(facts, std::move(row));
  const ElfFacts& cpu = *facts.torch_cpu();
  if (cpu.info.machine != "x86_64") {
    row.verdict = Verdict::kNotApplicable;
    row.found = "the package is for " + cpu.info.machine;
    return row;
  }
  std::vector<std::string> wrong;
  if (cpu.avx2_symbols == 0) wrong.emplace_back("no kernel for AVX2");
  if (cpu.avx512_symbols == 0) wrong.emplace_back("no kernel for AVX-512");
  row.decide(std::move(wrong), fmt::format("{} tables for AVX2, {} for AVX-512", cpu.avx2_symbols,
                                           cpu.avx512_symbols));
  return row;
}

}  // namespace torchpkg
