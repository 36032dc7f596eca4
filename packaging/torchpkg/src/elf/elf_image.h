// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/error.h"
#include "common/file.h"

struct Elf;

namespace torchpkg {

/// Whether `bytes` begin with the ELF magic.
bool is_elf(Bytes bytes);

/// A symbol of the dynamic symbol table.
struct DynamicSymbol {
  std::string_view name;
  bool defined = false;
};

/// What the dynamic section says.
struct DynamicInfo {
  bool present = false;
  std::string soname;
  std::vector<std::string> needed;
  std::optional<std::string> rpath;
  std::optional<std::string> runpath;
  bool pie = false;  ///< marked as a position-independent executable
};

/// A version of a library that is asked for, such as `GLIBC_2.34` of `libc.so.6`.
struct NeededVersion {
  std::string library;
  std::string version;
};

/// An ELF file that lies in memory.
class ElfImage {
 public:
  /// `bytes` must outlive the image; `name` is for messages.
  /// Error: kBadInput when the headers are not those of an ELF file.
  ElfImage(Bytes bytes, std::string name);
  ~ElfImage();
  ElfImage(const ElfImage&) = delete;
  ElfImage& operator=(const ElfImage&) = delete;

  [[nodiscard]] int bits() const;              ///< 32 or 64
  [[nodiscard]] std::string machine() const;   ///< "x86_64", "aarch64", or the number
  [[nodiscard]] std::string type() const;      ///< "relocatable", "executable", "shared", ...
  [[nodiscard]] bool has_interpreter() const;  ///< programs have one, libraries seldom
  [[nodiscard]] DynamicInfo dynamic() const;
  [[nodiscard]] std::vector<NeededVersion> needed_versions() const;
  [[nodiscard]] std::string build_id() const;  ///< hexadecimal; empty without one

  /// The bytes of a section that are in the file; empty when there is no such section.
  [[nodiscard]] Bytes section(std::string_view name) const;

  /// Calls `visit` with each named symbol of .dynsym.
  void for_each_symbol(const std::function<void(const DynamicSymbol&)>& visit) const;

 private:
  [[nodiscard]] Error damaged(const std::string& what) const;

  Bytes bytes_;
  std::string name_;
  Elf* elf_;
};

}  // namespace torchpkg
