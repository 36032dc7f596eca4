// SPDX-License-Identifier: BSD-3-Clause
#include "elf/third_party_symbols.h"

#include <fmt/core.h>

#include <algorithm>

#include "elf/elf_image.h"
#include "elf/symbol_names.h"

namespace torchpkg {

namespace {

/// Whether a template of the standard library, or the description of a pointer or function type, is
/// for a type of namespace `name`: `std::_Sp_counted_ptr_inplace<gloo::...>`.
bool is_standard_for(std::string_view name, std::string_view symbol, std::string_view space) {
  const bool described = symbol.starts_with("_ZTI") || symbol.starts_with("_ZTS");
  const bool standard = space == "std" || space == "__gnu_cxx" || (space.empty() && described);
  return standard && symbol.find(fmt::format("N{}{}", name.size(), name)) != std::string_view::npos;
}

bool names_symbol(std::string_view name, std::string_view symbol, std::string_view space) {
  if (!name.ends_with("::")) return symbol.starts_with(name);
  name.remove_suffix(2);
  return space == name || is_standard_for(name, symbol, space);
}

void count(std::map<std::string, ThirdPartyExports::Group>& groups, const std::string& label,
           std::string_view symbol) {
  ThirdPartyExports::Group& group = groups[label];
  if (group.count++ == 0) group.first = symbol;
}

}  // namespace

const SymbolRule* find_rule(const std::vector<SymbolRule>& rules, std::string_view symbol) {
  const std::string_view space = namespace_of(symbol);
  const auto found = std::find_if(rules.begin(), rules.end(), [&](const SymbolRule& rule) {
    return std::any_of(rule.names.begin(), rule.names.end(),
                       [&](const std::string& name) { return names_symbol(name, symbol, space); });
  });
  return found == rules.end() ? nullptr : &*found;
}

ThirdPartyExports read_third_party_exports(const ElfImage& image,
                                           const ThirdPartySymbols& symbols) {
  ThirdPartyExports exports;
  image.for_each_symbol(SymbolTable::kDynamic, [&](const Symbol& symbol) {
    if (!symbol.exported) return;
    if (const SymbolRule* meant = find_rule(symbols.exported, symbol.name)) {
      count(exports.allowed, meant->label, symbol.name);
    } else if (const SymbolRule* leak = find_rule(symbols.hidden, symbol.name)) {
      count(exports.leaked, leak->label, symbol.name);
    }
  });
  return exports;
}

}  // namespace torchpkg
