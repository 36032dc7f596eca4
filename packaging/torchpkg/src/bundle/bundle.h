// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace torchpkg {

/// A library that another package brings, in a folder beside what is in the stage.
struct ElsewhereLibrary {
  std::string pattern;           ///< of its name: `libcublas.so.*`
  std::filesystem::path folder;  ///< relative to the stage: `nvidia/cublas/lib`
};

struct BundleOptions {
  std::filesystem::path root;                 ///< the stage
  std::filesystem::path lib = "lib";          ///< its folder of libraries, such as `torch/lib`
  std::vector<std::filesystem::path> search;  ///< folders looked into before the system's
  /// Libraries outside the stage whose needs count as if they lay inside: the shared ones with the
  /// objects of the stage's static ones. They are not changed.
  std::vector<std::filesystem::path> needed_by;
  std::vector<std::string> also;  ///< names that are opened by name: brought in as if needed
  std::vector<ElsewhereLibrary>
      elsewhere;               ///< not copied; every RPATH leads to these folders first
  bool rename = false;         ///< call copies `name-<8 hex of sha256>.so.N`
  bool rpath_only = false;     ///< copy nothing (packages without deps)
  std::string soname_version;  ///< `9.9`: lib/libx.so becomes libx.so.9.9, with a link; none: empty
  std::filesystem::path report;  ///< JSON of what was copied; none when empty
};

/// A library that was copied into the package.
struct BundledLibrary {
  std::string name;    ///< the SONAME under which it was asked for
  std::string from;    ///< base name of the file it was copied from
  std::string sha256;  ///< of that file
  std::string file;    ///< its name in the package
};

/// Makes a stage independent of the machine: libraries that its ELF files need and that neither
/// lie inside nor are on every host are copied into `lib`, with SONAME, file name and every NEEDED
/// in agreement; all ELF files get a DT_RPATH relative to $ORIGIN. OpenMP runtimes keep their
/// names. With `soname_version` the stage's own libraries without a version get it: file name,
/// SONAME and every NEEDED; links of the former names are there for the linker. NVIDIA's libraries
/// also keep their names: they open each other by them. A second run changes nothing. Files are
/// changed beside and renamed, so that a killed run leaves none half-written. Errors: kEnvironment
/// when a library is not found (saying who needs it; of `also`, that it is opened by name) or
/// patchelf fails; kBadInput for damaged ELF files and a `needed_by` that is not a library.
std::vector<BundledLibrary> bundle(const BundleOptions& options);

}  // namespace torchpkg
