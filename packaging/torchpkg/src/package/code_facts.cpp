// SPDX-License-Identifier: BSD-3-Clause
#include "package/code_facts.h"

#include <fmt/core.h>
#include <string.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <unordered_set>

#include "elf/abi_symbols.h"
#include "elf/symbol_names.h"

namespace torchpkg {

namespace {

struct Mark {
  Component component;
  std::string_view text;
};

/// Texts that no code but the component's own holds.
constexpr std::array<Mark, 13> kMarks = {{
    {Component::kOneDnn, "onednn_verbose"},
    {Component::kOneDnn, "dnnl_verbose"},
    {Component::kOneDnn, "dnnl_primitive_create"},
    {Component::kMkl, "mkl_blas_"},
    {Component::kMkl, "mkl_serv_"},
    {Component::kMkl, "MKL_ENABLE_INSTRUCTIONS"},
    {Component::kMkl, "MKL_CBWR"},
    {Component::kMkl, "oneAPI Math Kernel Library"},
    {Component::kOpenBlas, "openblas_"},
    {Component::kOpenBlas, "OPENBLAS_NUM_THREADS"},
    {Component::kBlas, "cblas_dgemm"},
    {Component::kLapack, "gesdd_"},
    {Component::kLapack, "GESDD"},
}};

bool contains(Bytes haystack, std::string_view needle) {
  return !haystack.empty() &&
         ::memmem(haystack.data(), haystack.size(), needle.data(), needle.size()) != nullptr;
}

std::set<Component> find_components(const ElfImage& image, Bytes whole) {
  std::set<Component> found;
  // Where the marks nearly always are, before the whole file is searched for what is left.
  const std::array<Bytes, 4> places = {image.section(".dynstr"), image.section(".rodata"),
                                       image.section(".data"), whole};
  for (const Bytes place : places) {
    for (const Mark& mark : kMarks) {
      if (found.count(mark.component) == 0 && contains(place, mark.text)) {
        found.insert(mark.component);
      }
    }
    if (found.size() == static_cast<std::size_t>(Component::kCount)) break;
  }
  return found;
}

/// What one symbol tells.
void note_symbol(const Symbol& symbol, CodeFacts& code) {
  const std::string_view name = symbol.name;
  if (!symbol.defined) {
    if (name == "dlopen") code.calls_dlopen = true;
    // Weak ones are how a library works with and without Python.
    const bool python = name.starts_with("Py") || name.starts_with("_Py");
    if (python && !symbol.weak && code.python_symbol.empty()) code.python_symbol = name;
    return;
  }
  if (name == "GOMP_parallel" || name == "__kmpc_fork_call") code.defines_openmp = true;
  if (name == "__cxa_throw" || name == "_ZSt4cout") code.defines_cxx_runtime = true;
  // The dispatcher's tables have members named after what their kernels were compiled for.
  if (name.find("4AVX2") != std::string_view::npos) ++code.avx2_symbols;
  if (name.find("6AVX512") != std::string_view::npos) ++code.avx512_symbols;
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

bool is_gpu_section(std::string_view name) {
  constexpr std::array<std::string_view, 6> kNames = {".nv_fatbin",       "__nv_relfatbin",
                                                      ".nvFatBinSegment", "__nv_module_id",
                                                      ".hip_fatbin",      ".hipFatBinSegment"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

bool is_debug_section(std::string_view name) {
  return name.starts_with(".debug_") || name.starts_with(".zdebug_");
}

std::uint64_t debug_size(const std::vector<Section>& sections) {
  std::uint64_t size = 0;
  for (const Section& section : sections) {
    if (is_debug_section(section.name)) size += section.size;
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

template <typename Item>
void sort_and_make_unique(std::vector<Item>& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
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

  void finish() {
    sort_and_make_unique(facts_.defined);
    facts_.asked_for.assign(asked_for_.begin(), asked_for_.end());
    std::sort(facts_.asked_for.begin(), facts_.asked_for.end());
  }

 private:
  void note(const Symbol& symbol) {
    note_symbol(symbol, facts_.code);
    if (!is_cxx_name(symbol.name)) {
      note_component(symbol);
    } else if (!symbol.defined && !symbol.weak && !is_standard_cxx(symbol.name)) {
      asked_for_.emplace(symbol.name);
    }
    // Symbols with hidden visibility are visible to the linker anyway.
    if (symbol.defined) facts_.defined.push_back(name_hash(symbol.name));
    switch (string_abi_of(symbol.name)) {
      case StringAbi::kNew:
        ++facts_.new_abi_symbols;
        break;
      case StringAbi::kOld:
        if (facts_.old_abi_symbols++ == 0) facts_.old_abi_example = symbol.name;
        break;
      case StringAbi::kOldStd:
      case StringAbi::kNone:
        break;
    }
  }

  void note_component(const Symbol& symbol) {
    if (!symbol.defined) return;
    for (const Mark& mark : kMarks) {
      if (symbol.name.find(mark.text) != std::string_view::npos) {
        facts_.code.components.insert(mark.component);
      }
    }
  }

  ArchiveFacts& facts_;
  std::unordered_set<std::string> asked_for_;
};

}  // namespace

bool ElfFacts::exports(std::string_view name) const {
  return std::binary_search(exported.begin(), exported.end(), name_hash(name));
}

ElfFacts read_elf_facts(const std::string& path, Bytes bytes, bool whole) {
  const ElfImage image(bytes, path);
  ElfFacts facts;
  facts.path = path;
  facts.info = inspect_elf(image);
  facts.needed_versions = image.needed_versions();
  image.for_each_symbol(SymbolTable::kDynamic, [&facts](const Symbol& symbol) {
    note_symbol(symbol, facts.code);
    if (symbol.exported && !is_made_by_linker(symbol.name)) {
      facts.exported.push_back(name_hash(symbol.name));
    }
    if (!symbol.defined && !symbol.weak && !symbol.versioned) {
      facts.asked_for.emplace_back(symbol.name);
    }
  });
  sort_and_make_unique(facts.exported);
  const std::vector<Section> sections = image.sections();
  for (const Section& section : sections) {
    if (is_gpu_section(section.name)) facts.gpu_sections.push_back(section.name);
  }
  facts.debug_size = debug_size(sections);
  facts.debug_link = read_debug_link(image.section(".gnu_debuglink"));
  if (facts.code.calls_dlopen) facts.opened_by_name = library_names_in(image.section(".rodata"));
  if (whole) facts.code.components = find_components(image, bytes);
  return facts;
}

ArchiveFacts read_archive_facts(const std::string& path, Bytes bytes) {
  const ArArchive archive(bytes, path);
  ArchiveFacts facts;
  facts.path = path;
  facts.thin = archive.thin();
  facts.has_index = archive.has_index();
  ArchiveReader reader(facts);
  if (!facts.thin) {
    for (const ArMember& member : archive.members()) reader.read(member);
  }
  reader.finish();
  return facts;
}

}  // namespace torchpkg
