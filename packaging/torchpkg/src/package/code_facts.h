// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "elf/ar_archive.h"
#include "elf/inspect_elf.h"

namespace torchpkg {

/// A part of libtorch that leaves strings or symbols by which it is recognized.
enum class Component { kOneDnn, kMkl, kOpenBlas, kBlas, kLapack, kCount };

/// What the symbols and strings of some code show.
struct CodeFacts {
  bool defines_openmp = false;       ///< defines an OpenMP runtime's entry points
  bool defines_cxx_runtime = false;  ///< defines what only libstdc++ may define
  bool calls_dlopen = false;
  std::string python_symbol;       ///< one of Python's that it asks for; empty: none
  std::size_t avx2_symbols = 0;    ///< of kernels compiled for AVX2
  std::size_t avx512_symbols = 0;  ///< of kernels compiled for AVX-512
  std::set<Component> components;  ///< of an ELF file: looked for in libtorch_cpu only
};

/// What `.gnu_debuglink` says: the file with the debug information, and the CRC-32 of its bytes.
struct DebugLink {
  std::string file;  ///< empty: there is no link
  std::uint32_t crc = 0;
};

/// What was read from one ELF file.
struct ElfFacts {
  std::string path;  ///< in the package
  ElfInfo info;
  CodeFacts code;
  /// name_hash() of what others may bind to, sorted; without what the linker makes
  std::vector<std::uint64_t> exported;
  std::vector<std::string> asked_for;  ///< undefined, not weak, of no certain library
  std::vector<NeededVersion> needed_versions;
  std::vector<std::string> opened_by_name;  ///< names of libraries among its strings
  std::vector<std::string> gpu_sections;    ///< sections with code for GPUs
  std::uint64_t debug_size = 0;             ///< bytes of debug information inside
  DebugLink debug_link;

  [[nodiscard]] std::string file_name() const { return path.substr(path.rfind('/') + 1); }
  [[nodiscard]] bool exports(std::string_view name) const;
};

/// What was read from one static library.
struct ArchiveFacts {
  std::string path;  ///< in the package
  bool thin = false;
  bool has_index = false;
  std::size_t objects = 0;
  std::set<std::string> machines;             ///< of its objects
  std::vector<std::string> odd;               ///< members that no linker can use, one sentence each
  std::vector<std::string> executable_stack;  ///< members that ask for one, by saying nothing of it
  std::uint64_t debug_size = 0;               ///< bytes of debug information in its objects
  CodeFacts code;
  std::size_t new_abi_symbols = 0;
  std::size_t old_abi_symbols = 0;
  std::string old_abi_example;
  std::vector<std::uint64_t> defined;  ///< name_hash() of what others may bind to, sorted
  std::vector<std::string> asked_for;  ///< C++ names that it asks for, sorted, each once

  [[nodiscard]] std::string file_name() const { return path.substr(path.rfind('/') + 1); }
};

/// `whole`: whether the components are looked for, which takes time. Error: kBadInput.
ElfFacts read_elf_facts(const std::string& path, Bytes bytes, bool whole);

/// Error: kBadInput when the archive itself cannot be read; an object that cannot is in `odd`.
ArchiveFacts read_archive_facts(const std::string& path, Bytes bytes);

}  // namespace torchpkg
