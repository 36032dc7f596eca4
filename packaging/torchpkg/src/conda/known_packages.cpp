// SPDX-License-Identifier: BSD-3-Clause
#include "conda/known_packages.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "backend/libraries.h"
#include "common/text.h"

namespace torchpkg::conda {

namespace {

struct SymbolVersion {
  std::string_view family;
  std::string_view version;
  std::string_view gcc;  ///< the first release that has it
};

/// https://gcc.gnu.org/onlinedocs/libstdc++/manual/abi.html
constexpr std::array<SymbolVersion, 22> kSymbolVersions = {{
    {"GLIBCXX", "3.4.21", ""},    {"GLIBCXX", "3.4.22", "6"},   {"GLIBCXX", "3.4.23", "7"},
    {"GLIBCXX", "3.4.24", "7.2"}, {"GLIBCXX", "3.4.25", "8"},   {"GLIBCXX", "3.4.26", "9"},
    {"GLIBCXX", "3.4.27", "9.2"}, {"GLIBCXX", "3.4.28", "9.3"}, {"GLIBCXX", "3.4.29", "11"},
    {"GLIBCXX", "3.4.30", "12"},  {"GLIBCXX", "3.4.31", "13"},  {"GLIBCXX", "3.4.32", "13.2"},
    {"GLIBCXX", "3.4.33", "14"},  {"GLIBCXX", "3.4.34", "15"},  {"CXXABI", "1.3.9", ""},
    {"CXXABI", "1.3.10", "6"},    {"CXXABI", "1.3.11", "7"},    {"CXXABI", "1.3.12", "9"},
    {"CXXABI", "1.3.13", "11"},   {"CXXABI", "1.3.14", "13"},   {"CXXABI", "1.3.15", "14"},
    {"CXXABI", "1.3.16", "15"},
}};

/// For what is newer than all that is known.
constexpr std::string_view kNextGcc = "16";

struct Subdir {
  std::string_view name;
  std::string_view machine;
};

constexpr std::array<Subdir, 14> kSubdirs = {{{"noarch", ""},
                                              {"linux-32", "i386"},
                                              {"linux-64", "x86_64"},
                                              {"linux-aarch64", "aarch64"},
                                              {"linux-armv6l", ""},
                                              {"linux-armv7l", ""},
                                              {"linux-ppc64le", "ppc64"},
                                              {"linux-riscv64", "riscv"},
                                              {"linux-s390x", "s390x"},
                                              {"osx-64", ""},
                                              {"osx-arm64", ""},
                                              {"win-32", ""},
                                              {"win-64", ""},
                                              {"win-arm64", ""}}};

const Subdir* find(std::string_view name) {
  const auto* found = std::find_if(kSubdirs.begin(), kSubdirs.end(),
                                   [name](const Subdir& subdir) { return subdir.name == name; });
  return found == kSubdirs.end() ? nullptr : found;
}

std::string gcc_with(std::string_view family, std::string_view version) {
  for (const SymbolVersion& known : kSymbolVersions) {
    if (known.family == family && compare_versions(version, known.version) <= 0) {
      return std::string(known.gcc);
    }
  }
  return std::string(kNextGcc);
}

}  // namespace

Origin origin_of(std::string_view library) {
  if (library == "libstdc++.so.6") return {{"libstdcxx", "libstdcxx-ng"}};
  if (library == "libgcc_s.so.1") return {{"libgcc", "libgcc-ng"}};
  // With the first one a user may choose another runtime, which then has that name.
  if (library == "libgomp.so.1") return {{"_openmp_mutex", "libgomp"}};
  if (library == "libomp.so" || library == "libiomp5.so") return {{"llvm-openmp"}};
  if (library.starts_with("libpython3")) return {{"python"}};
  if (const backend::Library* known = backend::library_of(library)) {
    std::vector<std::string> packages = known->conda;
    if (!known->conda_until_11.empty()) packages.push_back(known->conda_until_11);
    return {packages};
  }
  // libtorch_python and libshm are pytorch's.
  const bool torch = library.starts_with("libtorch") || library.starts_with("libc10");
  if (torch && !library.starts_with("libtorch_python")) return {{"libtorch"}, true};
  return {};
}

Need need_of(std::string_view symbol_version) {
  // The mark of relative relocations came with glibc 2.36 and has no number.
  if (symbol_version == "GLIBC_ABI_DT_RELR") return {{"__glibc"}, "2.36"};
  const std::size_t at = symbol_version.find('_');
  if (at == std::string_view::npos) return {};
  const std::string_view family = symbol_version.substr(0, at);
  std::string_view version = symbol_version.substr(at + 1);
  if (version.empty() || std::isdigit(static_cast<unsigned char>(version[0])) == 0) return {};
  if (family == "GLIBC") return {{"__glibc"}, std::string(version)};
  if (family == "GLIBCXX" || family == "CXXABI") {
    return {origin_of("libstdc++.so.6").packages, gcc_with(family, version)};
  }
  if (family != "GCC") return {};
  // They are called after the release that brought them. 12.0.0 is not to be newer than 12.
  while (version.ends_with(".0")) version.remove_suffix(2);
  const bool old = compare_versions(version, "5") < 0;
  return {origin_of("libgcc_s.so.1").packages, old ? "" : std::string(version)};
}

std::vector<std::string> host_packages(const std::set<std::string>& symbol_versions,
                                       const std::set<std::string>& libraries) {
  std::string glibc = "2.17";
  std::string gcc = "5";
  for (const std::string& symbol_version : symbol_versions) {
    const Need need = need_of(symbol_version);
    if (need.version.empty()) continue;
    std::string& bound = need.packages[0] == "__glibc" ? glibc : gcc;
    if (compare_versions(need.version, bound) > 0) bound = need.version;
  }
  std::vector<std::string> packages{fmt::format("__glibc >={},<3.0.a0", glibc), "libgcc >=" + gcc,
                                    "libstdcxx >=" + gcc};
  // Who has another OpenMP runtime chooses it with this one:
  // https://conda-forge.org/docs/maintainer/knowledge_base/#openmp
  if (libraries.count("libgomp.so.1") != 0) packages.emplace_back("_openmp_mutex >=4.5");
  // Each of our libraries needs the runtime, whose name has the version.
  const auto runtime = libraries.lower_bound("libcudart.so.11.");
  const bool cuda11 = runtime != libraries.end() && runtime->starts_with("libcudart.so.11.");
  std::set<std::string> cuda;
  for (const std::string& library : libraries) {
    const backend::Library* known = backend::library_of(library);
    if (known == nullptr) continue;
    if (cuda11 && !known->conda_until_11.empty()) {
      cuda.insert(known->conda_until_11);
    } else if (!known->conda.empty()) {
      cuda.insert(known->conda.front());
    }
  }
  packages.insert(packages.end(), cuda.begin(), cuda.end());
  return packages;
}

std::optional<CudaPackage> cuda_package(std::string_view name) {
  for (const backend::Library& known : backend::libraries()) {
    if (!known.conda_until_11.empty() && known.conda_until_11 == name) return CudaPackage{"", true};
    if (std::find(known.conda.begin(), known.conda.end(), name) == known.conda.end()) continue;
    return CudaPackage{known.name, false, !known.conda_until_11.empty()};
  }
  return std::nullopt;
}

std::string machine_of(std::string_view subdir) {
  const Subdir* found = find(subdir);
  return found == nullptr ? "" : std::string(found->machine);
}

bool is_subdir(std::string_view name) { return find(name) != nullptr; }

}  // namespace torchpkg::conda
