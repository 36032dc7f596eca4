// SPDX-License-Identifier: BSD-3-Clause
// What the loader reads of an ELF file, found by the program headers.
#include <elf.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <cstring>

#include "elf/elf_image.h"

namespace torchpkg {

namespace {

// Both classes of ELF files have the same records of versions.
using Need = Elf64_Verneed;
using NeedName = Elf64_Vernaux;
using Definition = Elf64_Verdef;
using DefinitionName = Elf64_Verdaux;

/// Who a note is by, with the zero at its end.
constexpr std::string_view kGnu("GNU\0", 4);

/// The program headers of one type.
std::vector<GElf_Phdr> segments(Elf* elf, GElf_Word type) {
  std::vector<GElf_Phdr> found;
  std::size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) return found;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header{};
    if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr) break;
    if (header.p_type == type) found.push_back(header);
  }
  return found;
}

/// Whether a file of debug information keeps only the header of what lies at this address.
bool is_left_out(Elf* elf, GElf_Addr address) {
  Elf_Scn* section = nullptr;
  while ((section = elf_nextscn(elf, section)) != nullptr) {
    GElf_Shdr header{};
    if (gelf_getshdr(section, &header) != nullptr && header.sh_addr == address &&
        header.sh_type == SHT_NOBITS && (header.sh_flags & SHF_TLS) == 0) {
      return true;
    }
  }
  return false;
}

}  // namespace

Bytes ElfImage::at_address(std::uint64_t address) const {
  for (const GElf_Phdr& load : segments(elf_, PT_LOAD)) {
    if (address < load.p_vaddr || address - load.p_vaddr >= load.p_filesz) continue;
    return content("dynamic segment", load.p_offset, load.p_filesz).subspan(address - load.p_vaddr);
  }
  throw damaged("its dynamic segment refers to an address that is not in the file");
}

std::string ElfImage::text_at(std::uint64_t at) const {
  if (at >= strings_.size()) throw damaged("a name of its dynamic segment lies outside its names");
  const std::string_view rest = strings_.substr(at);
  return std::string(rest.substr(0, rest.find('\0')));
}

void ElfImage::read_dynamic() {
  const std::vector<GElf_Phdr> all = segments(elf_, PT_DYNAMIC);
  if (all.empty() || all[0].p_filesz == 0 || is_left_out(elf_, all[0].p_vaddr)) return;
  (void)content("dynamic segment", all[0].p_offset, all[0].p_filesz);
  Elf_Data* data = elf_getdata_rawchunk(elf_, static_cast<std::int64_t>(all[0].p_offset),
                                        all[0].p_filesz, ELF_T_DYN);
  if (data == nullptr) throw damaged("its dynamic segment cannot be read");
  dynamic_.present = true;
  std::vector<GElf_Dyn> items;
  const std::size_t size = gelf_fsize(elf_, ELF_T_DYN, 1, EV_CURRENT);
  for (std::size_t i = 0; i < data->d_size / size; ++i) {
    GElf_Dyn item{};
    if (gelf_getdyn(data, static_cast<int>(i), &item) == nullptr || item.d_tag == DT_NULL) break;
    items.push_back(item);
  }
  const auto value = [&items](GElf_Sxword tag) {
    const auto found = std::find_if(items.begin(), items.end(),
                                    [tag](const GElf_Dyn& item) { return item.d_tag == tag; });
    return found == items.end() ? 0 : found->d_un.d_val;
  };
  if (value(DT_STRTAB) == 0) return;
  const Bytes strings = at_address(value(DT_STRTAB));
  strings_ = as_text(strings.first(std::min<std::size_t>(strings.size(), value(DT_STRSZ))));
  for (const GElf_Dyn& item : items) {
    if (item.d_tag == DT_SONAME) dynamic_.soname = text_at(item.d_un.d_val);
    if (item.d_tag == DT_NEEDED) dynamic_.needed.push_back(text_at(item.d_un.d_val));
    if (item.d_tag == DT_RPATH) dynamic_.rpath = text_at(item.d_un.d_val);
    if (item.d_tag == DT_RUNPATH) dynamic_.runpath = text_at(item.d_un.d_val);
    if (item.d_tag == DT_TEXTREL) dynamic_.text_relocations = true;
  }
  if ((value(DT_FLAGS) & DF_TEXTREL) != 0) dynamic_.text_relocations = true;
  dynamic_.pie = (value(DT_FLAGS_1) & DF_1_PIE) != 0;
  if (value(DT_VERNEED) != 0) {
    read_needed_versions(at_address(value(DT_VERNEED)), value(DT_VERNEEDNUM));
  }
  if (value(DT_VERDEF) != 0) {
    read_defined_versions(at_address(value(DT_VERDEF)), value(DT_VERDEFNUM));
  }
  gnu_hash_ = value(DT_GNU_HASH);
  hash_ = value(DT_HASH);
  if (value(DT_SYMTAB) == 0) return;
  const Bytes table = at_address(value(DT_SYMTAB));
  symbols_.at = static_cast<std::uint64_t>(table.data() - bytes_.data());
  symbols_.names = strings_;
  symbols_.count = std::min(count_symbols(value(DT_SYMTAB), value(DT_STRTAB)),
                            table.size() / gelf_fsize(elf_, ELF_T_SYM, 1, EV_CURRENT));
  if (value(DT_VERSYM) != 0) symbols_.versions = at_address(value(DT_VERSYM));
}

namespace {

/// The record at a place. Nothing when it does not lie in the bytes.
template <typename Record>
std::optional<Record> record_at(Bytes bytes, std::uint64_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(Record)) return std::nullopt;
  Record record{};
  std::memcpy(&record, bytes.data() + at, sizeof(Record));
  return record;
}

}  // namespace

// Each record says how far it is to the next one, always forwards.

void ElfImage::read_needed_versions(Bytes records, std::uint64_t count) {
  std::uint64_t at = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto need = record_at<Need>(records, at);
    if (!need) throw damaged("its needed versions cannot be read");
    const std::string library = text_at(need->vn_file);
    std::uint64_t name_at = at + need->vn_aux;
    for (unsigned j = 0; j < need->vn_cnt; ++j) {
      const auto name = record_at<NeedName>(records, name_at);
      if (!name) throw damaged("its needed versions cannot be read");
      dynamic_.needed_versions.push_back({library, text_at(name->vna_name)});
      if (name->vna_next == 0) break;
      name_at += name->vna_next;
    }
    if (need->vn_next == 0) break;
    at += need->vn_next;
  }
}

void ElfImage::read_defined_versions(Bytes records, std::uint64_t count) {
  std::uint64_t at = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto definition = record_at<Definition>(records, at);
    const auto name =
        definition ? record_at<DefinitionName>(records, at + definition->vd_aux) : std::nullopt;
    if (!name) throw damaged("its versions cannot be read");
    if ((definition->vd_flags & VER_FLG_BASE) == 0) {
      dynamic_.defined_versions.push_back(text_at(name->vda_name));
    }
    if (definition->vd_next == 0) break;
    at += definition->vd_next;
  }
}

std::size_t ElfImage::count_symbols(std::uint64_t table, std::uint64_t strings) const {
  const auto number = [](Bytes bytes, std::uint64_t index) {
    return std::uint64_t{record_at<std::uint32_t>(bytes, 4 * index).value_or(0)};
  };
  // The old hash table says it in its second number.
  if (hash_ != 0) return number(at_address(hash_), 1);
  std::uint64_t last = 0;
  if (gnu_hash_ != 0) {
    const Bytes hash = at_address(gnu_hash_);
    const std::uint64_t buckets = number(hash, 0);
    const std::uint64_t first = number(hash, 1);
    const std::uint64_t begin = 4 + number(hash, 2) * static_cast<unsigned>(bits() / 32);
    for (std::uint64_t i = 0; i < buckets && 4 * (begin + i) < hash.size(); ++i) {
      last = std::max(last, number(hash, begin + i));
    }
    const std::uint64_t chains = begin + buckets;
    while (last >= first && last != 0 && 4 * (chains + last - first) < hash.size()) {
      const bool end = (number(hash, chains + last++ - first) & 1U) != 0;
      if (end) return last;
    }
  }
  // Nothing is exported: every linker puts the names right behind the table.
  const std::size_t size = gelf_fsize(elf_, ELF_T_SYM, 1, EV_CURRENT);
  Elf_Scn* section = nullptr;
  while ((section = elf_nextscn(elf_, section)) != nullptr) {
    GElf_Shdr header{};
    if (gelf_getshdr(section, &header) != nullptr && header.sh_type == SHT_DYNSYM) {
      return header.sh_size / size;
    }
  }
  return strings > table ? (strings - table) / size : 0;
}

std::string ElfImage::note(std::string_view owner, std::uint32_t type) const {
  for (const GElf_Phdr& segment : segments(elf_, PT_NOTE)) {
    const Bytes notes = content("notes", segment.p_offset, segment.p_filesz);
    const std::uint64_t align = segment.p_align == 8 ? 8 : 4;
    const auto aligned = [align](std::uint64_t at) { return (at + align - 1) / align * align; };
    for (std::uint64_t at = 0;;) {
      const auto header = record_at<Elf64_Nhdr>(notes, at);
      if (!header) break;
      const std::uint64_t name = at + sizeof(Elf64_Nhdr);
      const std::uint64_t text = aligned(name + header->n_namesz);
      if (text > notes.size() || header->n_descsz > notes.size() - text) break;
      const std::string_view all = as_text(notes);
      if (header->n_type == type && all.substr(name, header->n_namesz) == owner) {
        return std::string(all.substr(text, header->n_descsz));
      }
      at = aligned(text + header->n_descsz);
    }
  }
  return {};
}

std::string ElfImage::build_id() const {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char c : note(kGnu, NT_GNU_BUILD_ID)) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
  }
  return text;
}

int ElfImage::x86_level() const {
  constexpr std::uint32_t kIsaNeeded = 0xc0008002;  // GNU_PROPERTY_X86_ISA_1_NEEDED
  const std::string properties = note(kGnu, 5 /* NT_GNU_PROPERTY_TYPE_0 */);
  const Bytes bytes(reinterpret_cast<const std::uint8_t*>(properties.data()), properties.size());
  const std::uint64_t align = bits() / 8;
  for (std::uint64_t at = 0; at + 8 <= bytes.size();) {
    const auto type = record_at<std::uint32_t>(bytes, at);
    const auto size = record_at<std::uint32_t>(bytes, at + 4);
    if (type == kIsaNeeded) {
      const std::uint32_t needed = record_at<std::uint32_t>(bytes, at + 8).value_or(0);
      int level = 0;
      while (level < 4 && needed >> static_cast<unsigned>(level) != 0) ++level;
      return level;
    }
    at += 8 + (*size + align - 1) / align * align;
  }
  return 0;
}

}  // namespace torchpkg
