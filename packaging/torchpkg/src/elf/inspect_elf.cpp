// SPDX-License-Identifier: BSD-3-Clause
#include "elf/inspect_elf.h"

#include <cctype>
#include <string_view>

#include "common/text.h"
#include "elf/abi_symbols.h"

namespace torchpkg {

namespace {

/// Raises `highest` to the number in `version` when it begins with `family` and an underscore.
bool note_version(std::string_view version, std::string_view family, std::string& highest) {
  if (!version.starts_with(family) || version.size() <= family.size() + 1) return false;
  const std::string_view number = version.substr(family.size() + 1);
  if (version[family.size()] != '_' || std::isdigit(static_cast<unsigned char>(number[0])) == 0) {
    return false;
  }
  if (compare_versions(number, highest) > 0) highest = number;
  return true;
}

void note_versions(const ElfImage& image, ElfInfo& info) {
  for (const NeededVersion& needed : image.needed_versions()) {
    const std::string_view version = needed.version;
    // The mark of relative relocations came with glibc 2.36 and has no number.
    if (version == "GLIBC_ABI_DT_RELR") {
      note_version("GLIBC_2.36", "GLIBC", info.versions.glibc);
      continue;
    }
    const bool known = note_version(version, "GLIBC", info.versions.glibc) ||
                       note_version(version, "GLIBCXX", info.versions.glibcxx) ||
                       note_version(version, "CXXABI", info.versions.cxxabi);
    if (!known && (version.starts_with("GLIBC") || version.starts_with("CXXABI"))) {
      info.odd_versions.push_back(needed.version);
    }
  }
}

void count_abi(const ElfImage& image, ElfInfo& info) {
  image.for_each_symbol(SymbolTable::kDynamic, [&info](const Symbol& symbol) {
    switch (string_abi_of(symbol.name)) {
      case StringAbi::kNew:
        ++info.new_abi_symbols;
        break;
      case StringAbi::kOld:
        if (info.old_abi_symbols++ == 0) info.old_abi_example = symbol.name;
        break;
      case StringAbi::kOldStd:
        ++info.old_abi_std_symbols;
        break;
      case StringAbi::kNone:
        break;
    }
  });
}

}  // namespace

ElfInfo inspect_elf(const ElfImage& image) {
  ElfInfo info;
  info.bits = image.bits();
  info.machine = image.machine();
  info.type = image.type();
  info.dynamic = image.dynamic();
  info.program = image.has_interpreter() || info.dynamic.pie || info.type == "executable";
  // The C library and its loader carry an interpreter too, but they have a SONAME.
  if (!info.dynamic.soname.empty()) info.program = false;
  info.executable_stack = image.executable_stack();
  info.build_id = image.build_id();
  note_versions(image, info);
  count_abi(image, info);
  return info;
}

}  // namespace torchpkg
