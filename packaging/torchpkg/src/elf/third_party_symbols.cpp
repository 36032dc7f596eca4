// SPDX-License-Identifier: BSD-3-Clause
#include "elf/third_party_symbols.h"

#include <algorithm>

#include "elf/elf_image.h"
#include "elf/symbol_names.h"

namespace torchpkg {

namespace {

bool names_symbol(std::string_view name, std::string_view symbol, std::string_view space) {
  if (!name.ends_with("::")) return symbol.starts_with(name);
  name.remove_suffix(2);
  return space == name;
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

ThirdPartyExports read_third_party_exports(const std::string& path, Bytes bytes,
                                           const ThirdPartySymbols& symbols) {
  ThirdPartyExports exports{path, {}, {}};
  const ElfImage image(bytes, path);
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
