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

namespace torchpkg {

namespace {

std::string section_name(Elf* elf, std::size_t table, std::size_t offset) {
  const char* text = elf_strptr(elf, table, offset);
  return text != nullptr ? text : "";
}

}  // namespace

bool is_elf(Bytes bytes) {
  return bytes.size() > SELFMAG && std::memcmp(bytes.data(), ELFMAG, SELFMAG) == 0;
}

bool is_host_elf(std::string_view path, Bytes bytes) {
  if (!is_elf(bytes)) return false;
  if (!path.ends_with(".hsaco") && !path.ends_with(".co")) return true;
  const std::size_t machine = offsetof(Elf64_Ehdr, e_machine);
  return bytes.size() < machine + 2 || bytes[machine] + 256 * bytes[machine + 1] != EM_AMDGPU;
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
  try {
    read_dynamic();
  } catch (...) {
    elf_end(elf_);
    throw;
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

bool ElfImage::is_program() const {
  // The C library and its loader carry an interpreter too, but they have a SONAME.
  return dynamic_.soname.empty() && (has_interpreter() || dynamic_.pie || type() == "executable");
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

std::optional<std::uint64_t> ElfImage::executable_stack_at() const {
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
    return at;
  }
  return std::nullopt;
}

std::vector<Section> ElfImage::sections() const {
  std::vector<Section> all;
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf_, &names) != 0) return all;
  Elf_Scn* section = nullptr;
  while ((section = elf_nextscn(elf_, section)) != nullptr) {
    GElf_Shdr header{};
    if (gelf_getshdr(section, &header) == nullptr) continue;
    all.push_back({section_name(elf_, names, header.sh_name), header.sh_size});
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
    if (text != nullptr && name == text)
      return content("section " + std::string(name), header.sh_offset, header.sh_size);
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
    if (text != nullptr)
      visit(text, content("section " + std::string(text), header.sh_offset, header.sh_size));
  }
}

Bytes ElfImage::content(std::string_view what, std::uint64_t at, std::uint64_t size) const {
  if (at > bytes_.size() || size > bytes_.size() - at) {
    throw damaged("its " + std::string(what) + " lies beyond the end of the file");
  }
  return bytes_.subspan(at, size);
}

}  // namespace torchpkg
