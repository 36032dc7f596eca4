// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "elf/third_party_symbols.h"
#include "package/code_facts.h"
#include "package/conda_facts.h"
#include "package/cuda_facts.h"
#include "package/debug_facts.h"
#include "package/manifest.h"
#include "package/package_source.h"
#include "rocm/hip_code.h"

namespace torchpkg {

/// PyTorch's header that says for which GPUs it was compiled.
constexpr std::string_view kCudaConfigHeader = "include/ATen/cuda/CUDAConfig.h";

/// A forbidden path in a file.
struct ForbiddenText {
  std::string path;
  std::string text;
};

/// What only wheels have.
struct WheelFacts {
  std::set<std::string> tops;  ///< see PackageSource
  std::string dist_info;       ///< "../torch-9.9.0+cpu.dist-info", the first; empty without one
};

/// All that the checks decide from, gathered in one parallel pass over the package.
struct PackageFacts {
  std::string name;     ///< of the package's file or folder
  std::string lies_in;  ///< the name of the folder
  bool is_archive = false;
  std::optional<WheelFacts> wheel;
  std::optional<CondaFacts> conda;
  std::vector<std::string> roots;             ///< see PackageSource
  std::vector<std::string> archive_problems;  ///< also entries that could not be read
  std::vector<PackageFile> files;
  std::set<std::string> paths;                ///< of all files and symlinks
  std::map<std::string, std::string> sha256;  ///< of each file, by path
  Manifest manifest;
  std::vector<ElfFacts> elves;
  std::vector<ArchiveFacts> archives;  ///< static libraries
  std::vector<CudaFacts> cuda;         ///< of a package for NVIDIA's GPUs: of each library
  std::vector<ThirdPartyExports> third_party_exports;  ///< of each of PyTorch's own libraries
  std::vector<HipFacts> hip;                 ///< of a package for ROCm: of each shared library
  std::vector<std::string> damaged_elves;    ///< what is wrong with them, one sentence each
  std::map<std::string, std::string> texts;  ///< content of the text files that checks look into
  std::vector<ForbiddenText> forbidden;
  std::vector<std::string> forbidden_looked_for;

  /// The content of a file in *.dist-info of a wheel; null when it has none of that name.
  [[nodiscard]] const std::string* dist_info_text(const std::string& file) const;

  /// The content of a text file of one of `roots`, null when the package has none of that name.
  [[nodiscard]] const std::string* text(const std::string& path) const;

  /// The same of that very file.
  [[nodiscard]] const std::string* text_at(const std::string& path) const;

  /// What the code of libtorch_cpu shows, null when it is not inside. For a static package: all
  /// its libraries together, since what libtorch_cpu.so has inside lies beside libtorch_cpu.a.
  [[nodiscard]] const CodeFacts* torch_cpu() const;

  CodeFacts static_code;            ///< of all static libraries together
  std::optional<DebugFacts> debug;  ///< of the debug package, when one was given
};

/// Whether a file is a bill of materials of the package: sbom.cdx.json, or torch.cdx.json of a
/// wheel; or the same as SPDX.
bool is_bill(std::string_view path);

/// Reads everything once. `forbidden`: paths that must occur in no file, besides those that the
/// manifest names. `jobs`: threads, 0: as many as processors.
/// When the archive is damaged, only `archive_problems` is complete.
/// Errors: kBadInput for a missing or wrong manifest, TooLarge.
PackageFacts gather_facts(const PackageSource& source, const std::vector<std::string>& forbidden,
                          unsigned jobs);

}  // namespace torchpkg
