// SPDX-License-Identifier: BSD-3-Clause
// Which symbols of third-party libraries PyTorch's own libraries export: a program that has another
// version of such a library would call the one or the other, whichever is loaded first.
#include <fmt/core.h>

#include "check/rows.h"
#include "common/text.h"

namespace torchpkg {

void check_third_party_symbols(const Facts& facts, Row& row) {
  if (facts.manifest.is_static) {
    return row.not_applicable("a static package; its libraries are not linked yet");
  }
  if (!facts.manifest.symbols) {
    return row.not_applicable("the manifest names no symbols of third-party libraries");
  }
  row.limit = fmt::format("none of the {} libraries in the manifest's symbols.hidden",
                          facts.manifest.symbols->hidden.size());
  std::size_t allowed = 0;
  for (const ElfFacts& elf : facts.elves) {
    if (!elf.exports) continue;
    for (const auto& [library, group] : elf.exports->leaked) {
      row.wrong(fmt::format("{} exports {} of {} (the first: {})", elf.path,
                            counted(group.count, "symbol"), library, group.first));
    }
    for (const auto& [why, group] : elf.exports->allowed) {
      allowed += group.count;
      row.notes.push_back(fmt::format("{} exports {} such as {}: {}", elf.path,
                                      counted(group.count, "symbol"), group.first, why));
    }
  }
  row.found = fmt::format("{} that are meant to be exported", allowed);
}

}  // namespace torchpkg
