// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/error.h"
#include "common/file.h"

struct Elf;

namespace torchpkg {

/// Whether `bytes` begin with the ELF magic.
bool is_elf(Bytes bytes);

/// A symbol of one of the two symbol tables.
struct Symbol {
  std::string_view name;
  bool defined = false;
  bool weak = false;           ///< need not be defined, or may be defined several times
  bool exported = false;       ///< defined, and other files may bind to it
  bool versioned = false;      ///< not defined, and asked for in a version of a certain library
  bool local = false;          ///< nothing outside its file can mean it
  bool common = false;         ///< defined as a common block, which another file may define better
  bool function = false;       ///< its type says so
  std::uint64_t address = 0;   ///< in an object: where it begins in its section
  std::uint8_t other = 0;      ///< its byte st_other, whose lowest two bits are its visibility
  std::uint64_t other_at = 0;  ///< where that byte lies in the file
};

/// Which table: .dynsym is what the loader sees, .symtab what the linker sees in an object.
enum class SymbolTable { kDynamic, kStatic };

/// A section's name, and how many bytes it takes in memory or in the file.
struct Section {
  std::string name;
  std::uint64_t size = 0;
};

/// What the dynamic section says.
struct DynamicInfo {
  bool present = false;
  std::string soname;
  std::vector<std::string> needed;
  std::optional<std::string> rpath;
  std::optional<std::string> runpath;
  bool pie = false;               ///< marked as a position-independent executable
  bool text_relocations = false;  ///< code has to be changed while it is loaded
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

  [[nodiscard]] int bits() const;               ///< 32 or 64
  [[nodiscard]] std::string machine() const;    ///< "x86_64", "aarch64", or the number
  [[nodiscard]] std::string type() const;       ///< "relocatable", "executable", "shared", ...
  [[nodiscard]] bool has_interpreter() const;   ///< programs have one, libraries seldom
  [[nodiscard]] bool executable_stack() const;  ///< asks the loader for one, or does not say
  [[nodiscard]] DynamicInfo dynamic() const;
  [[nodiscard]] std::vector<NeededVersion> needed_versions() const;
  /// The versions that the file defines for others, without the one that names the file itself.
  [[nodiscard]] std::vector<std::string> defined_versions() const;
  [[nodiscard]] std::string build_id() const;  ///< hexadecimal; empty without one

  /// Where the byte lies that asks for an executable stack, and the byte without that wish; nothing
  /// when none is asked for.
  [[nodiscard]] std::optional<std::pair<std::uint64_t, std::uint8_t>> stack_mark() const;

  /// All sections, in the file's order.
  [[nodiscard]] std::vector<Section> sections() const;

  /// The bytes of a section that are in the file; empty when there is no such section.
  [[nodiscard]] Bytes section(std::string_view name) const;

  /// Calls `visit` with name and bytes of each section that has bytes in the file.
  /// Error: kBadInput when one lies beyond the end of the file.
  void for_each_content(const std::function<void(std::string_view, Bytes)>& visit) const;

  /// Calls `visit` with each named symbol. The names lie in the image's bytes and live as long.
  /// Error: kBadInput when the table or its names lie beyond the end of the file.
  void for_each_symbol(SymbolTable table, const std::function<void(const Symbol&)>& visit) const;

 private:
  [[nodiscard]] Error damaged(const std::string& what) const;
  [[nodiscard]] Bytes content(std::string_view name, std::uint64_t at, std::uint64_t size) const;

  Bytes bytes_;
  std::string name_;
  Elf* elf_;
};

}  // namespace torchpkg
