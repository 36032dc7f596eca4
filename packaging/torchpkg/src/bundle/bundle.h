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

/// `torchpkg bundle --help` describes them.
struct BundleOptions {
  std::filesystem::path root;
  std::filesystem::path lib = "lib";
  std::vector<std::filesystem::path> search;
  std::vector<std::filesystem::path> needed_by;  ///< they are not changed
  std::vector<std::string> also;
  std::vector<ElsewhereLibrary> elsewhere;
  bool rename = false;
  bool rpath_only = false;
  std::string soname_version;
  std::filesystem::path report;
};

/// A library that was copied into the package.
struct BundledLibrary {
  std::string name;    ///< the SONAME under which it was asked for
  std::string from;    ///< base name of the file it was copied from
  std::string sha256;  ///< of that file
  std::string file;    ///< its name in the package
};

/// Makes a stage independent of the machine. Files are changed beside and renamed, so that a killed
/// run leaves none half-written. Errors: kEnvironment when a library is not found (saying who needs
/// it; of `also`, that it is opened by name) or patchelf fails; kBadInput for damaged ELF files and
/// a `needed_by` that is not a library.
std::vector<BundledLibrary> bundle(const BundleOptions& options);

}  // namespace torchpkg
