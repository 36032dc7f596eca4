// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gelf.h>
#include <libelf.h>

#include <utility>

namespace torchpkg {

/// The first section of a type, with its header; null when there is none. For the files that read
/// through libelf.
inline std::pair<Elf_Scn*, GElf_Shdr> find_section(Elf* elf, GElf_Word type) {
  GElf_Shdr header{};
  Elf_Scn* section = nullptr;
  while ((section = elf_nextscn(elf, section)) != nullptr) {
    if (gelf_getshdr(section, &header) != nullptr && header.sh_type == type) {
      return {section, header};
    }
  }
  return {nullptr, {}};
}

}  // namespace torchpkg
