// SPDX-License-Identifier: BSD-3-Clause
#include "check/code_facts.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <unordered_set>

#include "cuda/device_code.h"
#include "elf/abi_symbols.h"
#include "elf/ar_archive.h"
#include "elf/symbol_names.h"
#include "rocm/hip_code.h"

namespace torchpkg {

namespace {

/// What one symbol tells.
void note_symbol(const Symbol& symbol, CodeFacts& code) {
  const std::string_view name = symbol.name;
  switch (string_abi_of(name)) {
    case StringAbi::kNew:
      ++code.new_abi;
      break;
    case StringAbi::kOld:
      if (code.old_abi++ == 0) code.old_abi_example = name;
      break;
    case StringAbi::kOldStd:
      ++code.old_abi_std;
      break;
    case StringAbi::kNone:
      break;
  }
  if (!symbol.defined) return;
  if (name == "GOMP_parallel" || name == "__kmpc_fork_call") code.defines_openmp = true;
  if (name == "__cxa_throw" || name == "_ZSt4cout") code.defines_cxx_runtime = true;
  // The dispatcher's tables have members named after what their kernels were compiled for.
  if (name.find("4AVX2") != std::string_view::npos) ++code.avx2;
  if (name.find("6AVX512") != std::string_view::npos) ++code.avx512;
}

void finish(CodeFacts& code) {
  std::sort(code.defined.begin(), code.defined.end());
  code.defined.erase(std::unique(code.defined.begin(), code.defined.end()), code.defined.end());
}

bool is_library_name_character(std::uint8_t byte) {
  return std::isalnum(byte) != 0 || byte == '_' || byte == '-' || byte == '.' || byte == '+';
}

/// Strings that are a shared library's name and nothing else: `libx.so`, `libx-1.2.so.3`.
std::vector<std::string> library_names_in(Bytes strings) {
  std::set<std::string> names;
  const std::string_view all = as_text(strings);
  for (std::size_t at = all.find(".so"); at != std::string_view::npos; at = all.find(".so", at)) {
    std::size_t begin = at;
    while (begin > 0 && is_library_name_character(strings[begin - 1])) --begin;
    std::size_t end = at + 3;
    while (end < all.size() && is_library_name_character(strings[end])) ++end;
    const std::string_view name = all.substr(begin, end - begin);
    const std::string_view version = all.substr(at + 3, end - at - 3);
    const bool whole = (begin == 0 || strings[begin - 1] == 0) && end < all.size() && all[end] == 0;
    if (whole && name.starts_with("lib") && at > begin + 3 &&
        version.find_first_not_of(".0123456789") == std::string_view::npos &&
        (version.empty() || version[0] == '.')) {
      names.emplace(name);
    }
    at = end;
  }
  return {names.begin(), names.end()};
}

std::uint64_t debug_size(const std::vector<Section>& sections) {
  std::uint64_t size = 0;
  for (const Section& section : sections) {
    const std::string_view name = section.name;
    if (name.starts_with(".debug_") || name.starts_with(".zdebug_")) size += section.size;
  }
  return size;
}

/// The section is a name, zeros up to a multiple of four, and the CRC in the file's byte order.
DebugLink read_debug_link(Bytes section) {
  const std::string_view text = as_text(section);
  const std::size_t end = text.find('\0');
  if (end == std::string_view::npos) return {};
  const std::size_t at = (end + 4) / 4 * 4;
  if (section.size() < at + 4) return {};
  DebugLink link{std::string(text.substr(0, end)), 0};
  for (std::size_t i = 4; i-- > 0;) link.crc = link.crc << 8U | section[at + i];
  return link;
}

GpuFacts gpu_facts(const DeviceCode& code) {
  GpuFacts facts;
  facts.problem = code.problem;
  for (const auto& [targets, group] : code.groups) {
    std::set<std::string> names;
    for (const CodeTarget& target : targets) names.insert(target.name());
    facts.groups[names] = {group.count, group.first, targets};
  }
  return facts;
}

GpuFacts gpu_facts(const ElfImage& image) {
  const HipCode hip = read_hip_code(image);
  if (hip.groups.empty() && hip.problem.empty()) return gpu_facts(read_device_code(image));
  GpuFacts facts;
  facts.problem = hip.problem;
  for (const auto& [targets, group] : hip.groups) {
    facts.groups[{targets.begin(), targets.end()}] = {group.count, group.first, {}};
  }
  return facts;
}

/// Gathers the facts of an archive, object by object.
class ArchiveReader {
 public:
  explicit ArchiveReader(ArchiveFacts& facts) : facts_(facts) {}

  void read(const ArMember& member) {
    const std::string where = facts_.path + "(" + member.name + ")";
    if (!is_elf(member.content)) {
      facts_.odd.push_back(where + " is not an ELF object");
      return;
    }
    try {
      const ElfImage image(member.content, where);
      if (image.type() != "relocatable") {
        facts_.odd.push_back(fmt::format("{} is not an object, but {}", where, image.type()));
        return;
      }
      ++facts_.objects;
      facts_.machines.insert(image.machine());
      const std::vector<Section> sections = image.sections();
      facts_.debug_size += debug_size(sections);
      if (std::none_of(sections.begin(), sections.end(),
                       [](const Section& section) { return section.name == ".note.GNU-stack"; })) {
        facts_.executable_stack.push_back(where);
      }
      image.for_each_symbol(SymbolTable::kStatic, [this](const Symbol& symbol) { note(symbol); });
    } catch (const Error& error) {
      facts_.odd.emplace_back(error.what());
    }
  }

  void finish_all() {
    finish(facts_.code);
    facts_.code.asked_for.assign(asked_for_.begin(), asked_for_.end());
    std::sort(facts_.code.asked_for.begin(), facts_.code.asked_for.end());
  }

 private:
  void note(const Symbol& symbol) {
    note_symbol(symbol, facts_.code);
    // Symbols with hidden visibility are visible to the linker anyway.
    if (symbol.defined) facts_.code.defined.push_back(name_hash(symbol.name));
    if (is_cxx_name(symbol.name) && !symbol.defined && !symbol.weak &&
        !is_standard_cxx(symbol.name)) {
      asked_for_.emplace(symbol.name);
    }
  }

  ArchiveFacts& facts_;
  std::unordered_set<std::string> asked_for_;
};

}  // namespace

bool CodeFacts::defines(std::string_view name) const {
  return std::binary_search(defined.begin(), defined.end(), name_hash(name));
}

ElfFacts read_elf_facts(const std::string& path, Bytes bytes, const Manifest& manifest) {
  const ElfImage image(bytes, path);
  ElfFacts facts;
  facts.path = path;
  facts.bits = image.bits();
  facts.machine = image.machine();
  facts.type = image.type();
  facts.program = image.is_program();
  facts.dynamic = image.dynamic();
  facts.executable_stack = image.executable_stack();
  facts.x86_level = image.x86_level();
  facts.build_id = image.build_id();
  bool calls_dlopen = false;
  image.for_each_symbol(SymbolTable::kDynamic, [&](const Symbol& symbol) {
    note_symbol(symbol, facts.code);
    calls_dlopen = calls_dlopen || (!symbol.defined && symbol.name == "dlopen");
    if (symbol.exported && !is_made_by_linker(symbol.name)) {
      facts.code.defined.push_back(name_hash(symbol.name));
    }
    if (!symbol.defined && !symbol.weak && !symbol.versioned) {
      facts.code.asked_for.emplace_back(symbol.name);
    }
  });
  finish(facts.code);
  facts.debug_size = debug_size(image.sections());
  facts.debug_link = read_debug_link(image.section(".gnu_debuglink"));
  if (calls_dlopen) facts.opened_by_name = library_names_in(image.section(".rodata"));
  facts.gpu = gpu_facts(image);
  if (manifest.symbols && !manifest.is_bundled(facts.file_name())) {
    facts.exports = read_third_party_exports(image, *manifest.symbols);
  }
  return facts;
}

ArchiveFacts read_archive_facts(const std::string& path, Bytes bytes, const Manifest& manifest) {
  const ArArchive archive(bytes, path);
  ArchiveFacts facts;
  facts.path = path;
  facts.thin = archive.thin();
  facts.has_index = archive.has_index();
  ArchiveReader reader(facts);
  if (!facts.thin) {
    for (const ArMember& member : archive.members()) reader.read(member);
  }
  reader.finish_all();
  if (manifest.cuda) facts.gpu = gpu_facts(read_device_code(archive));
  return facts;
}

}  // namespace torchpkg
