// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "check/manifest.h"
#include "elf/elf_image.h"
#include "elf/third_party_symbols.h"

namespace torchpkg {

/// What the symbols of some code show.
struct CodeFacts {
  bool defines_openmp = false;         ///< defines an OpenMP runtime's entry points
  bool defines_cxx_runtime = false;    ///< defines what only libstdc++ may define
  std::size_t avx2 = 0;                ///< symbols of kernels compiled for AVX2
  std::size_t avx512 = 0;              ///< the same for AVX-512
  std::size_t new_abi = 0;             ///< symbols that name std::__cxx11
  std::size_t old_abi = 0;             ///< symbols that name the old std::string or std::list
  std::size_t old_abi_std = 0;         ///< the same within the standard library's own names
  std::string old_abi_example;         ///< the first of `old_abi`, mangled
  std::vector<std::uint64_t> defined;  ///< name_hash() of what others may bind to, sorted
  std::vector<std::string> asked_for;  ///< not defined, not weak; of an archive only C++ names

  [[nodiscard]] bool defines(std::string_view name) const;
};

/// The code for GPUs in a library, by what each piece of it was compiled for.
struct GpuFacts {
  struct Group {
    std::size_t count = 0;
    std::string first;             ///< where the first of them is: "byte 64 of .nv_fatbin"
    std::vector<CodeTarget> cuda;  ///< the targets, of code for NVIDIA's GPUs
  };
  std::map<std::set<std::string>, Group> groups;  ///< "sm_90" and "compute_90", or "gfx90a"
  std::string problem;  ///< the first thing that is wrong with it; empty: nothing is
};

/// What `.gnu_debuglink` says: the file with the debug information, and the CRC-32 of its bytes.
struct DebugLink {
  std::string file;  ///< empty: there is no link
  std::uint32_t crc = 0;
};

/// What a library of either kind has.
struct LibraryFacts {
  std::string path;
  CodeFacts code;
  GpuFacts gpu;
  std::uint64_t debug_size = 0;  ///< bytes of debug information inside

  [[nodiscard]] std::string file_name() const { return path.substr(path.rfind('/') + 1); }
};

/// What was read from one ELF file.
struct ElfFacts : LibraryFacts {
  int bits = 64;
  std::string machine;
  std::string type;      ///< "shared", also of most programs
  bool program = false;  ///< and no library
  DynamicInfo dynamic;
  bool executable_stack = false;
  int x86_level = 0;  ///< see ElfImage
  std::string build_id;
  std::vector<std::string> opened_by_name;  ///< names of libraries among its strings
  DebugLink debug_link;
  std::optional<ThirdPartyExports> exports;  ///< of PyTorch's own libraries
};

/// What was read from one static library.
struct ArchiveFacts : LibraryFacts {
  bool thin = false;
  bool has_index = false;
  std::size_t objects = 0;
  std::set<std::string> machines;             ///< of its objects
  std::vector<std::string> odd;               ///< members that no linker can use, one sentence each
  std::vector<std::string> executable_stack;  ///< members that ask for one, by saying nothing of it
};

/// Error: kBadInput.
ElfFacts read_elf_facts(const std::string& path, Bytes bytes, const Manifest& manifest);

/// Error: kBadInput when the archive itself cannot be read; an object that cannot is in `odd`.
ArchiveFacts read_archive_facts(const std::string& path, Bytes bytes, const Manifest& manifest);

}  // namespace torchpkg
