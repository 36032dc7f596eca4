// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "elf/elf_image.h"

namespace torchpkg {

/// The highest version of each family that a file asks for; empty when it asks for none.
struct HighestVersions {
  std::string glibc;
  std::string glibcxx;
  std::string cxxabi;
};

/// What is worth knowing of an ELF file without its code.
struct ElfInfo {
  int bits = 0;
  std::string machine;
  std::string type;
  bool program = false;           ///< has an interpreter or is marked as a program
  bool executable_stack = false;  ///< makes the whole process's stack executable
  DynamicInfo dynamic;
  HighestVersions versions;
  std::vector<std::string> odd_versions;  ///< such as GLIBC_PRIVATE
  std::string build_id;
  std::size_t new_abi_symbols = 0;      ///< that name std::__cxx11
  std::size_t old_abi_symbols = 0;      ///< that name the old std::string or std::list
  std::size_t old_abi_std_symbols = 0;  ///< the same within the standard library's own names
  std::string old_abi_example;          ///< the first of old_abi_symbols, mangled
};

/// Error: kBadInput when the file is damaged.
ElfInfo inspect_elf(const ElfImage& image);

}  // namespace torchpkg
