// SPDX-License-Identifier: BSD-3-Clause
#include "elf/elf_image.h"

#include <elf.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "common/error.h"
#include "elf/elf_sections.h"

namespace torchpkg {

namespace {

std::string text_at(Elf* elf, std::size_t table, std::size_t offset) {
  const char* text = elf_strptr(elf, table, offset);
  return text != nullptr ? text : "";
}

}  // namespace

bool is_elf(Bytes bytes) {
  return bytes.size() > SELFMAG && std::memcmp(bytes.data(), ELFMAG, SELFMAG) == 0;
}

ElfImage::ElfImage(Bytes bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {
  elf_version(EV_CURRENT);
  // libelf takes a writable pointer but only reads.
  char* begin = reinterpret_cast<char*>(const_cast<std::uint8_t*>(bytes.data()));
  elf_ = elf_memory(begin, bytes.size());
  GElf_Ehdr header{};
  if (elf_ == nullptr || elf_kind(elf_) != ELF_K_ELF || gelf_getehdr(elf_, &header) == nullptr) {
    elf_end(elf_);
    throw damaged("its headers cannot be read");
  }
  // libelf counts no section headers when the file is too short for them.
  std::size_t sections = 0;
  if (header.e_shoff > bytes.size() || elf_getshdrnum(elf_, &sections) != 0 ||
      header.e_shoff +
              std::uint64_t{header.e_shentsize} * std::max<std::size_t>(sections, header.e_shnum) >
          bytes.size()) {
    elf_end(elf_);
    throw damaged("its section headers lie beyond the end of the file");
  }
}

ElfImage::~ElfImage() { elf_end(elf_); }

Error ElfImage::damaged(const std::string& what) const {
  return {ExitCode::kBadInput, name_ + " is a damaged ELF file: " + what, "build it again"};
}

int ElfImage::bits() const { return gelf_getclass(elf_) == ELFCLASS32 ? 32 : 64; }

std::string ElfImage::machine() const {
  GElf_Ehdr header{};
  gelf_getehdr(elf_, &header);
  switch (header.e_machine) {
    case EM_X86_64:
      return "x86_64";
    case EM_AARCH64:
      return "aarch64";
    case EM_386:
      return "i386";
    case EM_PPC64:
      return "ppc64";
    case EM_S390:
      return "s390x";
    case EM_RISCV:
      return "riscv";
    default:
      return "machine " + std::to_string(header.e_machine);
  }
}

std::string ElfImage::type() const {
  GElf_Ehdr header{};
  gelf_getehdr(elf_, &header);
  switch (header.e_type) {
    case ET_REL:
      return "relocatable";
    case ET_EXEC:
      return "executable";
    case ET_DYN:
      return "shared";
    case ET_CORE:
      return "core";
    default:
      return "type " + std::to_string(header.e_type);
  }
}

bool ElfImage::has_interpreter() const {
  std::size_t count = 0;
  if (elf_getphdrnum(elf_, &count) != 0) return false;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header{};
    if (gelf_getphdr(elf_, static_cast<int>(i), &header) == nullptr) return false;
    if (header.p_type == PT_INTERP) return true;
  }
  return false;
}

bool ElfImage::executable_stack() const {
  std::size_t count = 0;
  GElf_Ehdr file{};
  if (elf_getphdrnum(elf_, &count) != 0 || count == 0) return false;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header{};
    if (gelf_getphdr(elf_, static_cast<int>(i), &header) == nullptr) return false;
    if (header.p_type == PT_GNU_STACK) return (header.p_flags & PF_X) != 0;
  }
  // Files without the mark are from a time when every stack was executable, and on x86 the loader
  // still gives them one.
  gelf_getehdr(elf_, &file);
  return file.e_machine == EM_X86_64 || file.e_machine == EM_386;
}

std::optional<std::pair<std::uint64_t, std::uint8_t>> ElfImage::stack_mark() const {
  std::size_t count = 0;
  GElf_Ehdr file{};
  gelf_getehdr(elf_, &file);
  if (elf_getphdrnum(elf_, &count) != 0) return std::nullopt;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header{};
    if (gelf_getphdr(elf_, static_cast<int>(i), &header) == nullptr) return std::nullopt;
    if (header.p_type != PT_GNU_STACK || (header.p_flags & PF_X) == 0) continue;
    // As libelf reads them: one after another, whatever the file says about their size.
    std::uint64_t at = file.e_phoff + i * gelf_fsize(elf_, ELF_T_PHDR, 1, EV_CURRENT);
    at += bits() == 64 ? offsetof(Elf64_Phdr, p_flags) : offsetof(Elf32_Phdr, p_flags);
    if (file.e_ident[EI_DATA] == ELFDATA2MSB) at += 3;
    if (at >= bytes_.size()) return std::nullopt;
    return std::pair{at, static_cast<std::uint8_t>(header.p_flags & ~std::uint32_t{PF_X})};
  }
  return std::nullopt;
}

DynamicInfo ElfImage::dynamic() const {
  DynamicInfo info;
  const auto [section, header] = find_section(elf_, SHT_DYNAMIC);
  if (section == nullptr) return info;
  Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr) {
    // A debug file keeps the section's header but not its bytes.
    if (header.sh_type == SHT_NOBITS) return info;
    throw damaged("its dynamic section lies beyond the end of the file");
  }
  info.present = true;
  const std::size_t strings = header.sh_link;
  const std::size_t size = gelf_fsize(elf_, ELF_T_DYN, 1, EV_CURRENT);
  for (std::size_t i = 0; i < data->d_size / size; ++i) {
    GElf_Dyn item{};
    if (gelf_getdyn(data, static_cast<int>(i), &item) == nullptr || item.d_tag == DT_NULL) break;
    const auto text = [this, &item, strings] { return text_at(elf_, strings, item.d_un.d_val); };
    switch (item.d_tag) {
      case DT_SONAME:
        info.soname = text();
        break;
      case DT_NEEDED:
        info.needed.push_back(text());
        break;
      case DT_RPATH:
        info.rpath = text();
        break;
      case DT_RUNPATH:
        info.runpath = text();
        break;
      case DT_TEXTREL:
        info.text_relocations = true;
        break;
      case DT_FLAGS:
        if ((item.d_un.d_val & DF_TEXTREL) != 0) info.text_relocations = true;
        break;
      case DT_FLAGS_1:
        info.pie = (item.d_un.d_val & DF_1_PIE) != 0;
        break;
      default:
        break;
    }
  }
  return info;
}

std::vector<NeededVersion> ElfImage::needed_versions() const {
  std::vector<NeededVersion> versions;
  const auto [section, header] = find_section(elf_, SHT_GNU_verneed);
  if (section == nullptr) return versions;
  Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr) throw damaged("its version section lies beyond the end of the file");
  // Each record says how far it is to the next. They may lie anywhere in the section, so only their
  // number keeps a chain of them from going round.
  const std::size_t most = data->d_size / sizeof(Elf64_Vernaux);
  std::size_t seen = 0;
  const auto place = [&, base = header.sh_offset](std::size_t from, std::uint32_t distance) {
    if (distance > data->d_size || from + distance >= data->d_size || ++seen > most) {
      throw damaged("byte " + std::to_string(base + from) +
                    ": a record of the needed versions points outside the section or back");
    }
    return from + distance;
  };
  std::size_t at = 0;
  for (std::size_t i = 0; i < header.sh_info; ++i) {
    GElf_Verneed need{};
    if (gelf_getverneed(data, static_cast<int>(at), &need) == nullptr) break;
    const std::string library = text_at(elf_, header.sh_link, need.vn_file);
    std::size_t aux_at = at;
    std::uint32_t distance = need.vn_aux;
    for (unsigned j = 0; j < need.vn_cnt; ++j) {
      aux_at = place(aux_at, distance);
      GElf_Vernaux aux{};
      if (gelf_getvernaux(data, static_cast<int>(aux_at), &aux) == nullptr) break;
      versions.push_back({library, text_at(elf_, header.sh_link, aux.vna_name)});
      distance = aux.vna_next;
      if (distance == 0) break;
    }
    if (need.vn_next == 0) break;
    at = place(at, need.vn_next);
  }
  return versions;
}

std::vector<std::string> ElfImage::defined_versions() const {
  std::vector<std::string> versions;
  const auto [section, header] = find_section(elf_, SHT_GNU_verdef);
  if (section == nullptr) return versions;
  Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr) throw damaged("its version section lies beyond the end of the file");
  std::size_t at = 0;
  for (std::size_t i = 0; i < header.sh_info; ++i) {
    GElf_Verdef definition{};
    GElf_Verdaux name{};
    if (gelf_getverdef(data, static_cast<int>(at), &definition) == nullptr ||
        gelf_getverdaux(data, static_cast<int>(at + definition.vd_aux), &name) == nullptr) {
      throw damaged("its versions cannot be read");
    }
    if ((definition.vd_flags & VER_FLG_BASE) == 0) {
      versions.push_back(text_at(elf_, header.sh_link, name.vda_name));
    }
    if (definition.vd_next == 0) break;
    at += definition.vd_next;
  }
  return versions;
}

std::string ElfImage::build_id() const {
  Elf_Scn* section = nullptr;
  while ((section = elf_nextscn(elf_, section)) != nullptr) {
    GElf_Shdr header{};
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_NOTE) continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr) continue;
    GElf_Nhdr note{};
    std::size_t name = 0;
    std::size_t content = 0;
    for (std::size_t at = 0; (at = gelf_getnote(data, at, &note, &name, &content)) > 0;) {
      const auto* begin = static_cast<const unsigned char*>(data->d_buf);
      const bool gnu = note.n_namesz == 4 && std::memcmp(begin + name, "GNU", 4) == 0;
      if (!gnu || note.n_type != NT_GNU_BUILD_ID) continue;
      constexpr char kDigits[] = "0123456789abcdef";
      std::string text;
      for (std::size_t i = 0; i < note.n_descsz; ++i) {
        text += kDigits[begin[content + i] >> 4];
        text += kDigits[begin[content + i] & 15];
      }
      return text;
    }
  }
  return {};
}

std::vector<Section> ElfImage::sections() const {
  std::vector<Section> all;
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf_, &names) != 0) return all;
  Elf_Scn* section = nullptr;
  while ((section = elf_nextscn(elf_, section)) != nullptr) {
    GElf_Shdr header{};
    if (gelf_getshdr(section, &header) == nullptr) continue;
    all.push_back({text_at(elf_, names, header.sh_name), header.sh_size});
  }
  return all;
}

Bytes ElfImage::section(std::string_view name) const {
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf_, &names) != 0) return {};
  Elf_Scn* section = nullptr;
  while ((section = elf_nextscn(elf_, section)) != nullptr) {
    GElf_Shdr header{};
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type == SHT_NOBITS) continue;
    const char* text = elf_strptr(elf_, names, header.sh_name);
    if (text != nullptr && name == text) return content(name, header.sh_offset, header.sh_size);
  }
  return {};
}

void ElfImage::for_each_content(const std::function<void(std::string_view, Bytes)>& visit) const {
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf_, &names) != 0) return;
  Elf_Scn* section = nullptr;
  while ((section = elf_nextscn(elf_, section)) != nullptr) {
    GElf_Shdr header{};
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type == SHT_NOBITS) continue;
    const char* text = elf_strptr(elf_, names, header.sh_name);
    if (text != nullptr) visit(text, content(text, header.sh_offset, header.sh_size));
  }
}

Bytes ElfImage::content(std::string_view name, std::uint64_t at, std::uint64_t size) const {
  if (at > bytes_.size() || size > bytes_.size() - at) {
    throw damaged("its section " + std::string(name) + " lies beyond the end of the file");
  }
  return bytes_.subspan(at, size);
}

}  // namespace torchpkg
