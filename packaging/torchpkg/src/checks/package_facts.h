// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "checks/manifest.h"
#include "checks/package_source.h"
#include "elf/inspect_elf.h"

namespace torchpkg {

/// A part of libtorch that leaves strings or symbols by which it is recognized.
enum class Component { kOneDnn, kMkl, kOpenBlas, kLapack, kCount };

/// What was read from one ELF file.
struct ElfFacts {
  std::string path;  ///< in the package
  ElfInfo info;
  bool defines_openmp = false;     ///< defines an OpenMP runtime's entry points
  std::size_t avx2_symbols = 0;    ///< of kernels compiled for AVX2
  std::size_t avx512_symbols = 0;  ///< of kernels compiled for AVX-512
  std::set<Component> components;  ///< looked for in libtorch_cpu only

  [[nodiscard]] std::string file_name() const { return path.substr(path.rfind('/') + 1); }
};

/// A forbidden path in a file.
struct ForbiddenText {
  std::string path;
  std::string text;
};

/// All that the checks decide from, gathered in one parallel pass over the package.
struct PackageFacts {
  bool is_archive = false;
  std::vector<std::string> archive_problems;  ///< also entries that could not be read
  std::vector<PackageFile> files;
  std::set<std::string> paths;  ///< of all files and symlinks
  Manifest manifest;
  std::vector<ElfFacts> elves;
  std::vector<std::string> damaged_elves;    ///< what is wrong with them, one sentence each
  std::map<std::string, std::string> texts;  ///< content of the text files that checks look into
  std::vector<ForbiddenText> forbidden;
  std::vector<std::string> forbidden_looked_for;

  /// The content of a text file, null when the package has none of that name.
  [[nodiscard]] const std::string* text(const std::string& path) const;

  /// libtorch_cpu's facts, null when it is not inside.
  [[nodiscard]] const ElfFacts* torch_cpu() const;
};

/// Reads everything once. `forbidden`: paths that must occur in no file, besides those that the
/// manifest names. `jobs`: threads, 0: as many as processors.
/// When the archive is damaged, only `archive_problems` is complete.
/// Errors: kBadInput for a missing or wrong manifest.
PackageFacts gather_facts(const PackageSource& source, const std::vector<std::string>& forbidden,
                          unsigned jobs);

}  // namespace torchpkg
