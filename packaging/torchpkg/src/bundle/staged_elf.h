// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "elf/elf_image.h"

namespace torchpkg {

/// An ELF file of the stage and what its dynamic section says.
struct StagedElf {
  std::filesystem::path path;
  std::string machine;
  int bits = 64;
  DynamicInfo dynamic;
  std::vector<NeededVersion> versions;  ///< that it asks of other libraries
  bool marks_stack = false;             ///< asks for an executable stack
  bool outside = false;                 ///< no part of the stage, only its needs count
};

/// Nothing when the file is not an ELF file with a dynamic section.
std::optional<StagedElf> read_staged(const std::filesystem::path& path);

/// The file name of a DT_NEEDED, which may be a path.
std::string base_name(const std::string& needed);

/// The name of a copied library in the package. If it may be renamed, `libz.so.1` and a hash give
/// `libz-0123abcd.so.1`. OpenMP runtimes keep their names, and so do the libraries of a toolkit,
/// which open each other by them, unless libraries.json has a name by which others open them.
std::string name_in_package(const std::string& name, const std::string& sha256, bool rename);

}  // namespace torchpkg
