// SPDX-License-Identifier: BSD-3-Clause
#include "wheel/platform_tag.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "common/error.h"
#include "common/text.h"
#include "elf/known_libraries.h"

namespace torchpkg::wheel {

namespace {

/// A family of symbol versions, and the newest one on distributions from glibc 2.N on.
struct Limit {
  int glibc_minor;
  std::string_view glibcxx;
  std::string_view cxxabi;
  std::string_view gcc;
};

constexpr std::array<Limit, 9> kLimits = {{{5, "3.4.8", "1.3.1", "4.2.0"},
                                           {12, "3.4.13", "1.3.3", "4.3.0"},
                                           {17, "3.4.19", "1.3.7", "4.8.0"},
                                           {24, "3.4.22", "1.3.10", "4.8.0"},
                                           {27, "3.4.24", "1.3.11", "7.0.0"},
                                           {31, "3.4.28", "1.3.12", "7.0.0"},
                                           {34, "3.4.29", "1.3.13", "7.0.0"},
                                           {35, "3.4.30", "1.3.13", "12.0.0"},
                                           {39, "3.4.33", "1.3.15", "14.0.0"}}};

/// The N for which auditwheel has a policy; between them a tag says no more than the next one.
constexpr std::array kPolicies = {5, 12, 17, 24, 26, 27, 28, 31, 34, 35, 36, 37, 38, 39, 40, 41};

int next_policy(int minor) {
  const auto* found = std::lower_bound(kPolicies.begin(), kPolicies.end(), minor);
  return found == kPolicies.end() ? minor : *found;
}

/// The N of the first distributions that have a version; nothing when none is known to.
std::optional<int> first_with(std::string_view version) {
  const std::size_t at = version.find('_');
  if (at == std::string_view::npos) return 0;
  const std::string_view family = version.substr(0, at);
  const std::string_view number = version.substr(at + 1);
  // The mark of relative relocations came with glibc 2.36 and has no number.
  if (version == "GLIBC_ABI_DT_RELR") return 36;
  if (family == "GLIBC") {
    if (!number.starts_with("2.")) return std::nullopt;
    const std::string minor(number.substr(2, number.find('.', 2) - 2));
    return std::atoi(minor.c_str());
  }
  for (const Limit& limit : kLimits) {
    std::string_view newest;
    if (family == "GLIBCXX") newest = limit.glibcxx;
    if (family == "CXXABI") newest = limit.cxxabi;
    if (family == "GCC") newest = limit.gcc;
    if (newest.empty()) return 0;  // a version of the wheel's own libraries, or of old ones
    if (compare_versions(number, newest) <= 0) return limit.glibc_minor;
  }
  return std::nullopt;
}

}  // namespace

PlatformTag platform_tag(const std::vector<ElfNeeds>& files, const std::set<std::string>& inside) {
  if (files.empty()) return {"any", "there is no ELF file"};
  const std::string& machine = files[0].machine;
  for (const ElfNeeds& file : files) {
    if (file.machine != machine) {
      throw Error(ExitCode::kBadInput,
                  fmt::format("{} is for {}, {} is for {}", files[0].path, machine, file.path,
                              file.machine),
                  "make a wheel for each machine");
    }
  }
  const std::string plain = "linux_" + machine;
  int minor = kLimits[0].glibc_minor;
  std::string reason = "nothing newer is asked for";
  for (const ElfNeeds& file : files) {
    for (const std::string& library : file.libraries) {
      if (inside.count(library) == 0 && !is_on_every_host(library)) {
        return {plain, fmt::format("{} needs {}, which is neither inside nor on every host",
                                   file.path, library)};
      }
    }
    for (const NeededVersion& needed : file.versions) {
      if (inside.count(needed.library) != 0) continue;
      const std::optional<int> first = first_with(needed.version);
      if (!first) {
        return {plain, fmt::format("{} needs {} of {}, and no distribution is known to have it",
                                   file.path, needed.version, needed.library)};
      }
      if (*first > minor) {
        minor = *first;
        reason = fmt::format("{} needs {} of {}", file.path, needed.version, needed.library);
      }
    }
  }
  return {fmt::format("manylinux_2_{}_{}", next_policy(minor), machine), reason};
}

}  // namespace torchpkg::wheel
