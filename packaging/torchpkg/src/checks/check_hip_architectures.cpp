// SPDX-License-Identifier: BSD-3-Clause
// For which GPUs the libraries of a package for ROCm were compiled, read from their offload
// bundles.
#include <fmt/core.h>

#include <algorithm>

#include "checks/checks.h"
#include "common/text.h"

namespace torchpkg {

namespace {

/// What is in `some` and not in `others`; both are sorted.
std::vector<std::string> without(const std::vector<std::string>& some,
                                 const std::vector<std::string>& others) {
  std::vector<std::string> rest;
  std::set_difference(some.begin(), some.end(), others.begin(), others.end(),
                      std::back_inserter(rest));
  return rest;
}

/// PyTorch's own have to have each of the preset's GPUs in every bundle, and no other.
void check_own(const HipFacts& library, const std::vector<std::string>& wanted,
               std::vector<std::string>& wrong) {
  for (const auto& [targets, group] : library.groups) {
    const std::vector<std::string> missing = without(wanted, targets);
    const std::vector<std::string> unwanted = without(targets, wanted);
    std::string what;
    if (!missing.empty()) what = "lack " + join(missing, " ");
    if (!unwanted.empty()) {
      what += fmt::format("{}have {}, which was not asked for", what.empty() ? "" : " and ",
                          join(unwanted, " "));
    }
    if (!what.empty()) {
      wrong.push_back(fmt::format("{}: {} offload bundles {} (the first: {})", library.path,
                                  group.count, what, group.first));
    }
  }
}

/// "libtorch_hip.so: gfx906 gfx90a in 12 bundles".
std::string as_line(const HipFacts& library) {
  std::string line = library.path + ":";
  for (const auto& [targets, group] : library.groups) {
    line += fmt::format("{} {} in {} bundles", line.ends_with(":") ? "" : ",", join(targets, " "),
                        group.count);
  }
  return line;
}

}  // namespace

void check_hip_architectures(const PackageFacts& facts, Row& row) {
  std::vector<std::string> wanted = facts.manifest.rocm->archs;
  std::sort(wanted.begin(), wanted.end());
  row.looked_at = fmt::format("{} libraries", facts.hip.size());
  row.limit = join(wanted, " ") + ", exactly, in PyTorch's own libraries";
  std::vector<std::string> wrong;
  std::size_t with_code = 0;
  bool torch_hip = false;
  for (const HipFacts& library : facts.hip) {
    const std::string file = library.file_name();
    if (!library.problem.empty()) {
      wrong.push_back(fmt::format("{}: {}", library.path, library.problem));
    }
    if (library.groups.empty()) continue;
    ++with_code;
    row.notes.push_back(as_line(library));
    torch_hip = torch_hip || file.starts_with("libtorch_hip.so");
    if (file.starts_with("libtorch") || file.starts_with("libc10")) {
      check_own(library, wanted, wrong);
    }
  }
  if (!torch_hip) wrong.push_back("there is no libtorch_hip.so with code for GPUs");
  row.decide(std::move(wrong), fmt::format("{} in {} libraries", join(wanted, " "), with_code));
}

}  // namespace torchpkg
