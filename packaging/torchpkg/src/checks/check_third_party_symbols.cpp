// SPDX-License-Identifier: BSD-3-Clause
// Which symbols of third-party libraries PyTorch's own libraries export: a program that has another
// version of such a library would call the one or the other, whichever is loaded first.
#include <fmt/core.h>

#include "checks/checks.h"

namespace torchpkg {

void check_third_party_symbols(const PackageFacts& facts, Row& row) {
  row.looked_at = fmt::format("{} libraries", facts.third_party_exports.size());
  row.limit = fmt::format("none of the {} libraries in the manifest's symbols.hidden",
                          facts.manifest.symbols->hidden.size());
  std::vector<std::string> wrong;
  std::size_t allowed = 0;
  for (const ThirdPartyExports& exports : facts.third_party_exports) {
    for (const auto& [library, group] : exports.leaked) {
      wrong.push_back(fmt::format("{} exports {} symbols of {} (the first: {})", exports.path,
                                  group.count, library, group.first));
    }
    for (const auto& [why, group] : exports.allowed) {
      allowed += group.count;
      row.notes.push_back(fmt::format("{} exports {} symbols such as {}: {}", exports.path,
                                      group.count, group.first, why));
    }
  }
  row.decide(std::move(wrong), fmt::format("{} that are meant to be exported", allowed));
}

}  // namespace torchpkg
