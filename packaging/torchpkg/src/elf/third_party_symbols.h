// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "elf/elf_image.h"

namespace torchpkg {

/// Symbols of one library, or of several that are exported for one reason.
struct SymbolRule {
  std::string label;  ///< of a hidden one: the library; of an exported one: why it is exported
  /// A C++ namespace when it ends in `::`, else how the symbol (of C++: the mangled one) begins.
  std::vector<std::string> names;
};

/// Which symbols of third-party libraries PyTorch's own libraries may export: `symbols.json` of the
/// release, which the manifest repeats.
struct ThirdPartySymbols {
  std::vector<SymbolRule> hidden;    ///< must not be exported
  std::vector<SymbolRule> exported;  ///< goes before `hidden`
};

/// What a shared library exports of other libraries.
struct ThirdPartyExports {
  struct Group {
    std::size_t count = 0;
    std::string first;  ///< in the file's order
  };

  std::map<std::string, Group> leaked;   ///< by the library, what must not be exported
  std::map<std::string, Group> allowed;  ///< by the reason, what may be
};

/// The rule that a symbol belongs to; null when there is none.
const SymbolRule* find_rule(const std::vector<SymbolRule>& rules, std::string_view symbol);

/// Looks at the symbols that other files may bind to. Error: kBadInput when the file is damaged.
ThirdPartyExports read_third_party_exports(const ElfImage& image, const ThirdPartySymbols& symbols);

}  // namespace torchpkg
