// SPDX-License-Identifier: BSD-3-Clause
// The symbols of an ELF file.
#include <elf.h>

#include <algorithm>
#include <cstddef>

#include "elf/elf_image.h"
#include "elf/elf_sections.h"

namespace torchpkg {

namespace {

/// Common blocks of the large code model of x86-64.
constexpr unsigned kLargeCommon = 0xff02;

bool is_common(const GElf_Sym& symbol, GElf_Half machine) {
  return symbol.st_shndx == SHN_COMMON || (machine == EM_X86_64 && symbol.st_shndx == kLargeCommon);
}

}  // namespace

void ElfImage::for_each_symbol(SymbolTable table,
                               const std::function<void(const Symbol&)>& visit) const {
  const bool dynamic = table == SymbolTable::kDynamic;
  const auto [section, header] = find_section(elf_, dynamic ? SHT_DYNSYM : SHT_SYMTAB);
  if (section == nullptr) return;
  Elf_Data* data = elf_getdata(section, nullptr);
  Elf_Scn* strings = elf_getscn(elf_, header.sh_link);
  GElf_Shdr text{};
  if (data == nullptr || strings == nullptr || gelf_getshdr(strings, &text) == nullptr ||
      text.sh_type == SHT_NOBITS || text.sh_offset > bytes_.size() ||
      text.sh_size > bytes_.size() - text.sh_offset) {
    throw damaged("its symbols lie beyond the end of the file");
  }
  const auto [version_section, version_header] = find_section(elf_, SHT_GNU_versym);
  Elf_Data* versions =
      dynamic && version_section != nullptr ? elf_getdata(version_section, nullptr) : nullptr;
  GElf_Ehdr file{};
  gelf_getehdr(elf_, &file);
  const std::string_view all = as_text(bytes_.subspan(text.sh_offset, text.sh_size));
  const std::size_t size = gelf_fsize(elf_, ELF_T_SYM, 1, EV_CURRENT);
  const std::size_t other =
      bits() == 64 ? offsetof(Elf64_Sym, st_other) : offsetof(Elf32_Sym, st_other);
  for (std::size_t i = 1; i < data->d_size / size; ++i) {
    GElf_Sym symbol{};
    if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
    if (symbol.st_name == 0 || symbol.st_name >= all.size()) continue;
    const std::string_view rest = all.substr(symbol.st_name);
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
    found.other_at = header.sh_offset + i * size + other;
    GElf_Versym version = VER_NDX_GLOBAL;
    if (versions != nullptr) gelf_getversym(versions, static_cast<int>(i), &version);
    found.versioned = !found.defined && (version & 0x7fffU) > VER_NDX_GLOBAL;
    visit(found);
  }
}

}  // namespace torchpkg
