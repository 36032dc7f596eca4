// SPDX-License-Identifier: BSD-3-Clause
#include "wheel/tags.h"

#include <fmt/core.h>

#include <algorithm>

#include "common/text.h"

namespace torchpkg::wheel {

namespace {

constexpr std::string_view kPromise = "manylinux_";

/// "2.35" of "manylinux_2_35_x86_64".
std::string glibc_of(const std::string& tag) {
  const std::vector<std::string> parts = split(tag, '_');
  return parts.size() > 2 ? parts[1] + "." + parts[2] : "";
}

}  // namespace

bool is_for_other_python(std::string_view path, std::string_view python) {
  constexpr std::string_view kMark = ".cpython-";
  const std::size_t at = path.rfind(kMark);
  if (at == std::string_view::npos || !python.starts_with("cp")) return false;
  const std::string_view rest = path.substr(at + kMark.size());
  const std::string number(python.substr(2));
  return !rest.starts_with(number + "-") && !rest.starts_with(number + ".");
}

std::string wrong_platform(const std::string& claimed, const PlatformTag& found) {
  if (!claimed.starts_with(kPromise)) return {};
  if (found.tag.starts_with(kPromise) &&
      compare_versions(glibc_of(claimed), glibc_of(found.tag)) >= 0) {
    return {};
  }
  return fmt::format("{} is not true: {}", claimed, found.reason);
}

WheelName parse_wheel_name(std::string_view file) {
  constexpr std::string_view kSuffix = ".whl";
  if (!file.ends_with(kSuffix)) return {};
  file.remove_suffix(kSuffix.size());
  const std::vector<std::string> parts = split(std::string(file), '-');
  // Between version and tags there may be a build number.
  if (parts.size() != 5 && parts.size() != 6) return {};
  const std::size_t tags = parts.size() - 3;
  return {parts[0], parts[1], parts[tags], parts[tags + 1], parts[tags + 2]};
}

std::vector<std::string> tags_of(const WheelName& name) {
  std::vector<std::string> tags;
  for (const std::string& python : split(name.python, '.')) {
    for (const std::string& abi : split(name.abi, '.')) {
      for (const std::string& platform : split(name.platform, '.')) {
        tags.push_back(fmt::format("{}-{}-{}", python, abi, platform));
      }
    }
  }
  std::sort(tags.begin(), tags.end());
  return tags;
}

}  // namespace torchpkg::wheel
