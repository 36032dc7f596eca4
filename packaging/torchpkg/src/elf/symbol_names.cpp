// SPDX-License-Identifier: BSD-3-Clause
#include "elf/symbol_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>

namespace torchpkg {

namespace {

/// Virtual tables, type descriptions, guards, references to temporaries, thread-local wrappers.
constexpr std::array<std::string_view, 9> kTables = {"TV", "TT", "TI", "TS", "GV",
                                                     "GR", "TH", "TW", "GA"};

/// Drops what stands between `_Z` and the name itself.
std::string_view without_prefixes(std::string_view name) {
  name.remove_prefix(2);
  // Thunks: `Th` or `Tv` or `Tc`, numbers, an underscore, the name.
  if (name.starts_with("Th") || name.starts_with("Tv") || name.starts_with("Tc")) {
    const std::size_t end = name.find("_N");
    return end == std::string_view::npos ? name : name.substr(end + 1);
  }
  for (bool found = true; found;) {
    found = false;
    for (const std::string_view table : kTables) {
      if (!name.starts_with(table)) continue;
      name.remove_prefix(table.size());
      found = true;
    }
    // What is local to a function begins with that function's name.
    while (name.starts_with('Z')) {
      name.remove_prefix(1);
      found = true;
    }
  }
  return name;
}

/// Cuts `<number><identifier>` and gives the identifier; empty when there is none.
std::string_view identifier(std::string_view name) {
  std::size_t length = 0;
  std::size_t digits = 0;
  while (digits < name.size() && digits < 6 && name[digits] >= '0' && name[digits] <= '9') {
    length = length * 10 + static_cast<std::size_t>(name[digits] - '0');
    ++digits;
  }
  if (digits == 0 || length > name.size() - digits) return {};
  return name.substr(digits, length);
}

}  // namespace

std::string_view namespace_of(std::string_view mangled) {
  if (!is_cxx_name(mangled)) return {};
  std::string_view name = without_prefixes(mangled);
  const bool nested = name.starts_with('N');
  if (nested) {
    name.remove_prefix(1);
    // Qualifiers of a member function: const, volatile, restrict, &, &&.
    const std::size_t end = name.find_first_not_of("rVKRO");
    name.remove_prefix(std::min(end, name.size()));
  }
  // Abbreviations: St is std; Sa, Sb, Ss, Si, So, Sd are some of its classes.
  constexpr std::string_view kStandard = "tabsiod";
  if (name.size() >= 2 && name[0] == 'S' && kStandard.find(name[1]) != std::string_view::npos) {
    return "std";
  }
  return nested ? identifier(name) : std::string_view{};
}

bool is_standard_cxx(std::string_view mangled) {
  if (!is_cxx_name(mangled)) return false;
  const std::string_view space = namespace_of(mangled);
  if (space == "std" || space == "__gnu_cxx" || space == "__cxxabiv1" || space == "__cxx11") {
    return true;
  }
  const std::string_view rest = mangled.substr(2);
  if (rest.starts_with("nw") || rest.starts_with("na") || rest.starts_with("dl") ||
      rest.starts_with("da")) {
    return true;
  }
  // The descriptions of built-in types, such as _ZTIi and _ZTIPKc.
  return rest.size() >= 3 && rest[0] == 'T' && (rest[1] == 'I' || rest[1] == 'S') &&
         std::all_of(rest.begin() + 2, rest.end(), [](char c) {
           return std::islower(static_cast<unsigned char>(c)) != 0 || c == 'P' || c == 'K' ||
                  c == 'D';
         });
}

bool is_made_by_linker(std::string_view name) {
  return name == "__bss_start" || name == "_edata" || name == "_end";
}

std::uint64_t name_hash(std::string_view name) { return std::hash<std::string_view>{}(name); }

}  // namespace torchpkg
