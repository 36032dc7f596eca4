// SPDX-License-Identifier: BSD-3-Clause
#include "rocm/hip_code.h"

#include <fmt/core.h>

#include <algorithm>

#include "common/error.h"
#include "rocm/offload_bundle.h"

namespace torchpkg {

HipCode read_hip_code(const ElfImage& image) {
  constexpr std::string_view kSection = ".hip_fatbin";
  HipCode code;
  const Bytes content = image.section(kSection);
  for (std::uint64_t at = 0; at < content.size();) {
    // Each begins at a page; between them are zeros.
    if (content[at] == 0) {
      ++at;
      continue;
    }
    try {
      OffloadBundle bundle = read_offload_bundle(content.subspan(at), at);
      std::sort(bundle.targets.begin(), bundle.targets.end());
      BundleGroup& group = code.groups[bundle.targets];
      if (group.count++ == 0) group.first = fmt::format("byte {} of {}", at, kSection);
      at += bundle.size;
    } catch (const Error& error) {
      code.problem = fmt::format("{}: {}", kSection, error.what());
      break;
    }
  }
  return code;
}

}  // namespace torchpkg
