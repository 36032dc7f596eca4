// SPDX-License-Identifier: BSD-3-Clause
#include "wheel/nvidia_wheels.h"

#include <fmt/core.h>

#include <algorithm>

#include "backend/libraries.h"
#include "common/text.h"
#include "wheel/metadata.h"

namespace torchpkg::wheel {

namespace {

/// A requirement's project, as in an index.
std::string project_in(std::string_view requirement) {
  const std::size_t end = requirement.find_first_of(" [](),;<>=!~@");
  return index_name_of(requirement.substr(0, end));
}

}  // namespace

std::optional<NvidiaWheel> nvidia_wheel_of(std::string_view library, std::string_view cuda_major) {
  const backend::Library* known = backend::library_of(library);
  if (known == nullptr || known->wheel_project.empty()) return std::nullopt;
  const std::string& moved_in = known->wheels_moved_in;
  if (!moved_in.empty() && compare_versions(cuda_major, moved_in) >= 0) {
    return NvidiaWheel{known->wheel_project, fmt::format("nvidia/cu{}/lib", cuda_major)};
  }
  return NvidiaWheel{fmt::format("{}-cu{}", known->wheel_project, cuda_major), known->wheel_folder};
}

std::optional<std::string> required_version(std::string_view metadata, std::string_view project) {
  for (const std::string& requirement : metadata_values(metadata, "Requires-Dist")) {
    if (project_in(requirement) != project) continue;
    const std::string_view condition =
        std::string_view(requirement).substr(0, requirement.find(';'));
    const std::size_t equal = condition.find("==");
    if (equal == std::string_view::npos) return std::string();
    const std::string_view rest = trimmed(condition.substr(equal + 2));
    return std::string(rest.substr(0, rest.find_first_of(" ),")));
  }
  return std::nullopt;
}

std::string cuda_major_in(std::string_view metadata) {
  for (const std::string& requirement : metadata_values(metadata, "Requires-Dist")) {
    const std::string name = project_in(requirement);
    const std::size_t suffix = name.rfind("-cu");
    if (!name.starts_with("nvidia-") || suffix == std::string::npos) continue;
    const std::string digits = name.substr(suffix + 3);
    if (!digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos)
      return digits;
  }
  return {};
}

}  // namespace torchpkg::wheel
