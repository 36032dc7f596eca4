// SPDX-License-Identifier: BSD-3-Clause
// Whether everything that states PyTorch's version states the one of the manifest.
#include <fmt/core.h>

#include "check/rows.h"
#include "common/text.h"

namespace torchpkg {

namespace {

/// What stands between quotation marks behind `mark`: `#define TORCH_VERSION \` has it on the next
/// line.
std::string quoted_after(const std::string& text, const std::string& mark) {
  const std::size_t at = text.find(mark);
  const std::size_t begin = at == std::string::npos ? at : text.find('"', at);
  const std::size_t end = begin == std::string::npos ? begin : text.find('"', begin + 1);
  return end == std::string::npos ? std::string() : text.substr(begin + 1, end - begin - 1);
}

void compare(const Facts& facts, const std::string& file, const std::string& version,
             const std::string& expected, Row& row) {
  if (facts.text(file) == nullptr) {
    row.wrong(file + " is missing");
  } else if (version != expected) {
    row.wrong(
        fmt::format("{} says {}, the manifest says {}", file, version, facts.manifest.version));
  }
}

}  // namespace

void check_versions(const Facts& facts, Row& row) {
  constexpr const char* kBuild = "build-version";
  constexpr const char* kConfig = "share/cmake/Torch/TorchConfigVersion.cmake";
  std::string header = "include/torch/version.h";
  // Since 2.10 the second one includes the first one, which has the numbers.
  for (const char* inner :
       {"include/torch/csrc/api/include/torch/version.h", "include/torch/headeronly/version.h"}) {
    if (facts.text(inner) != nullptr) header = inner;
  }
  row.limit = facts.manifest.version;
  const auto text = [&facts](const std::string& file) {
    const std::string* found = facts.text(file);
    return found == nullptr ? std::string() : *found;
  };
  const std::string base = facts.manifest.base_version();
  compare(facts, kBuild, std::string(trimmed(text(kBuild))), facts.manifest.version, row);
  compare(facts, header, quoted_after(text(header), "#define TORCH_VERSION "), base, row);
  // What find_package(Torch <version>) compares with.
  compare(facts, kConfig, quoted_after(text(kConfig), "set(PACKAGE_VERSION "), base, row);
  row.found = "all agree";
}

}  // namespace torchpkg
