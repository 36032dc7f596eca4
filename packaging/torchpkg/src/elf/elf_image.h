// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
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

/// Whether `bytes` are an ELF file, and not kernels for AMD's GPUs that a library such as rocBLAS
/// reads from files of their own: those are data. `path` ends in `.hsaco` or `.co` then.
bool is_host_elf(std::string_view path, Bytes bytes);

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

/// A version of a library that is asked for, such as `GLIBC_2.34` of `libc.so.6`.
struct NeededVersion {
  std::string library;
  std::string version;
};

/// What the loader reads: the dynamic segment.
struct DynamicInfo {
  bool present = false;
  std::string soname;
  std::vector<std::string> needed;
  std::optional<std::string> rpath;
  std::optional<std::string> runpath;
  std::vector<NeededVersion> needed_versions;
  std::vector<std::string> defined_versions;  ///< without the one that names the file itself
  bool pie = false;                           ///< marked as a position-independent executable
  bool text_relocations = false;              ///< code has to be changed while it is loaded
};

/// An ELF file that lies in memory. What the loader reads is found by the program headers, as the
/// loader finds it, so a file without section headers shows the same.
class ElfImage {
 public:
  /// `bytes` must outlive the image; `name` is for messages.
  /// Error: kBadInput when the headers or the dynamic segment are not those of an ELF file.
  ElfImage(Bytes bytes, std::string name);
  ~ElfImage();
  ElfImage(const ElfImage&) = delete;
  ElfImage& operator=(const ElfImage&) = delete;

  [[nodiscard]] int bits() const;               ///< 32 or 64
  [[nodiscard]] std::string machine() const;    ///< "x86_64", "aarch64", or the number
  [[nodiscard]] std::string type() const;       ///< "relocatable", "executable", "shared", ...
  [[nodiscard]] bool has_interpreter() const;   ///< programs have one, libraries seldom
  [[nodiscard]] bool is_program() const;        ///< and no library that can be run, too
  [[nodiscard]] bool executable_stack() const;  ///< asks the loader for one, or does not say
  [[nodiscard]] std::string build_id() const;   ///< hexadecimal; empty without one
  [[nodiscard]] const DynamicInfo& dynamic() const { return dynamic_; }

  /// The level of x86-64 without which the loader refuses the file, by its property note: 4 is
  /// x86-64-v4. 0 without such a note.
  [[nodiscard]] int x86_level() const;

  /// Where the byte lies whose lowest bit asks for an executable stack; nothing when none does.
  [[nodiscard]] std::optional<std::uint64_t> executable_stack_at() const;

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
  /// Where a table of symbols lies in the file.
  struct Table {
    std::uint64_t at = 0;
    std::size_t count = 0;
    std::string_view names;
    Bytes versions;  ///< of the dynamic symbols
  };

  [[nodiscard]] Error damaged(const std::string& what) const;
  [[nodiscard]] Bytes content(std::string_view what, std::uint64_t at, std::uint64_t size) const;
  [[nodiscard]] Bytes at_address(std::uint64_t address) const;
  void read_dynamic();
  void read_needed_versions(Bytes records, std::uint64_t count);
  void read_defined_versions(Bytes records, std::uint64_t count);
  [[nodiscard]] std::string text_at(std::uint64_t at) const;
  [[nodiscard]] std::string note(std::string_view owner, std::uint32_t type) const;
  [[nodiscard]] std::size_t count_symbols(std::uint64_t table, std::uint64_t strings) const;
  [[nodiscard]] Table static_table() const;

  Bytes bytes_;
  std::string name_;
  Elf* elf_;
  DynamicInfo dynamic_;
  std::string_view strings_;  ///< of the dynamic segment
  std::uint64_t gnu_hash_ = 0;
  std::uint64_t hash_ = 0;
  Table symbols_;
};

}  // namespace torchpkg
