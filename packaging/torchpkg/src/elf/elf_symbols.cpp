// SPDX-License-Identifier: BSD-3-Clause
// The symbols of an ELF file.
#include <elf.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "elf/elf_image.h"

namespace torchpkg {

namespace {

/// Common blocks of the large code model of x86-64.
constexpr unsigned kLargeCommon = 0xff02;

bool is_common(const GElf_Sym& symbol, GElf_Half machine) {
  return symbol.st_shndx == SHN_COMMON || (machine == EM_X86_64 && symbol.st_shndx == kLargeCommon);
}

}  // namespace

ElfImage::Table ElfImage::static_table() const {
  GElf_Shdr header{};
  Elf_Scn* section = nullptr;
  while ((section = elf_nextscn(elf_, section)) != nullptr) {
    if (gelf_getshdr(section, &header) != nullptr && header.sh_type == SHT_SYMTAB) break;
  }
  if (section == nullptr) return {};
  GElf_Shdr text{};
  Elf_Scn* strings = elf_getscn(elf_, header.sh_link);
  if (strings == nullptr || gelf_getshdr(strings, &text) == nullptr || text.sh_type == SHT_NOBITS) {
    throw damaged("its symbols have no names");
  }
  (void)content("table of symbols", header.sh_offset, header.sh_size);
  return {header.sh_offset,
          header.sh_size / gelf_fsize(elf_, ELF_T_SYM, 1, EV_CURRENT),
          as_text(content("names of symbols", text.sh_offset, text.sh_size)),
          {}};
}

void ElfImage::for_each_symbol(SymbolTable which,
                               const std::function<void(const Symbol&)>& visit) const {
  const Table table = which == SymbolTable::kDynamic ? symbols_ : static_table();
  if (table.count == 0) return;
  const std::size_t size = gelf_fsize(elf_, ELF_T_SYM, 1, EV_CURRENT);
  Elf_Data* data = elf_getdata_rawchunk(elf_, static_cast<std::int64_t>(table.at),
                                        table.count * size, ELF_T_SYM);
  if (data == nullptr) throw damaged("its symbols cannot be read");
  GElf_Ehdr file{};
  gelf_getehdr(elf_, &file);
  const std::size_t other =
      bits() == 64 ? offsetof(Elf64_Sym, st_other) : offsetof(Elf32_Sym, st_other);
  for (std::size_t i = 1; i < table.count; ++i) {
    GElf_Sym symbol{};
    if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
    if (symbol.st_name == 0 || symbol.st_name >= table.names.size()) continue;
    const std::string_view rest = table.names.substr(symbol.st_name);
    Symbol found{rest.substr(0, std::min(rest.find('\0'), rest.size()))};
    const auto binding = GELF_ST_BIND(symbol.st_info);
    const auto type = GELF_ST_TYPE(symbol.st_info);
    const auto visibility = GELF_ST_VISIBILITY(symbol.st_other);
    found.defined = symbol.st_shndx != SHN_UNDEF;
    found.address = symbol.st_value;
    found.weak = binding == STB_WEAK || binding == STB_GNU_UNIQUE;
    found.local = binding == STB_LOCAL;
    found.common = is_common(symbol, file.e_machine);
    found.function = type == STT_FUNC || type == STT_GNU_IFUNC;
    found.exported =
        found.defined && !found.local && visibility != STV_HIDDEN && visibility != STV_INTERNAL;
    found.other = symbol.st_other;
    found.other_at = table.at + i * size + other;
    std::uint16_t version = VER_NDX_GLOBAL;
    if (2 * i + 2 <= table.versions.size()) {
      std::memcpy(&version, table.versions.data() + 2 * i, sizeof version);
    }
    found.versioned = !found.defined && (version & 0x7fffU) > VER_NDX_GLOBAL;
    visit(found);
  }
}

}  // namespace torchpkg
