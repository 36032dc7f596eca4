// SPDX-License-Identifier: BSD-3-Clause
// For which GPUs a package's own libraries have code: exactly for those that the preset names.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "backend/libraries.h"
#include "check/rows.h"
#include "common/text.h"
#include "elf/known_libraries.h"

namespace torchpkg {

namespace {

using Targets = std::set<std::string>;

Targets names_of(const std::vector<WantedArch>& archs) {
  Targets names;
  for (const CodeTarget& target : targets_of(archs)) names.insert(target.name());
  return names;
}

std::string text_of(const Targets& targets) { return join({targets.begin(), targets.end()}, " "); }

Targets without(const Targets& some, const Targets& others) {
  Targets rest;
  std::set_difference(some.begin(), some.end(), others.begin(), others.end(),
                      std::inserter(rest, rest.end()));
  return rest;
}

/// PTX need not be in every piece of code: what was linked on the device has it beside itself.
bool is_ptx(const std::string& target) { return target.starts_with("compute_"); }

/// Code that a slice should not have: its GPUs take other code, or run none of it.
void check_slice(const LibraryFacts& library, const std::vector<WantedArch>& gpus, Row& row) {
  if (!library.gpu.problem.empty()) row.wrong(library.path + ": " + library.gpu.problem);
  for (const auto& [targets, group] : library.gpu.groups) {
    const std::set<CodeTarget> kept = targets_of_slice(gpus, group.cuda);
    std::vector<std::string> more;
    for (const CodeTarget& target : group.cuda) {
      if (kept.count(target) == 0) more.push_back(target.name());
    }
    if (more.empty()) continue;
    row.wrong(fmt::format("{}: code has {}, which the slice does not need, in {} (the first: {})",
                          library.path, join(more, " "), counted(group.count, "piece"),
                          group.first));
  }
}

/// What a package must have, may have besides, and what code of others it may have.
struct Wanted {
  Targets all;
  Targets more;
  std::vector<Targets> others;
};

Wanted wanted_of(const Manifest& manifest) {
  Wanted wanted;
  if (manifest.rocm_archs) wanted.all = {manifest.rocm_archs->begin(), manifest.rocm_archs->end()};
  if (!manifest.cuda) return wanted;
  wanted.all = names_of(manifest.cuda->archs);
  wanted.more = names_of(manifest.cuda->additional_archs);
  for (const OtherCode& other : manifest.cuda->other_code) {
    wanted.others.push_back(names_of(other.archs));
  }
  return wanted;
}

void check_library(const LibraryFacts& library, const Wanted& wanted, Row& row) {
  if (!library.gpu.problem.empty()) row.wrong(library.path + ": " + library.gpu.problem);
  Targets seen;
  for (const auto& one : library.gpu.groups) {
    const Targets& targets = one.first;
    const GpuFacts::Group& group = one.second;
    Targets missing = without(wanted.all, targets);
    std::erase_if(missing, is_ptx);
    const Targets unwanted = without(without(targets, wanted.all), wanted.more);
    const bool by_others =
        std::any_of(wanted.others.begin(), wanted.others.end(),
                    [&](const Targets& theirs) { return without(targets, theirs).empty(); });
    if ((missing.empty() && unwanted.empty()) || !by_others) {
      seen.insert(targets.begin(), targets.end());
    }
    if (by_others) continue;
    std::vector<std::string> what;
    if (!missing.empty()) what.push_back("lacks " + text_of(missing));
    if (!unwanted.empty()) what.push_back("has " + text_of(unwanted) + ", not asked for");
    if (what.empty()) continue;
    row.wrong(fmt::format("{}: code {}, in {} (the first: {})", library.path, join(what, " and "),
                          counted(group.count, "piece"), group.first));
  }
  Targets ptx = seen.empty() ? Targets{} : without(wanted.all, seen);
  std::erase_if(ptx, [](const std::string& target) { return !is_ptx(target); });
  if (!ptx.empty()) row.wrong(fmt::format("{} has no {}", library.path, text_of(ptx)));
}

void check_cpu_package(const Facts& facts, Row& row) {
  row.limit = "no code for GPUs, no library of a GPU's toolkit";
  for (const ElfFacts& elf : facts.elves) {
    if (!elf.gpu.groups.empty() || !elf.gpu.problem.empty()) {
      row.wrong(elf.path + " has code for GPUs");
    }
    for (const std::string& needed : elf.dynamic.needed) {
      if (backend::library_of(needed) != nullptr || is_driver_library(needed)) {
        row.wrong(fmt::format("{} needs {}", elf.path, needed));
      }
    }
  }
  row.found = "none";
}

}  // namespace

void check_gpu_architectures(const Facts& facts, Row& row) {
  if (facts.manifest.backend_kind == "cpu") return check_cpu_package(facts, row);
  const Wanted wanted = wanted_of(facts.manifest);
  const auto slice = facts.manifest.cuda ? facts.manifest.cuda->slice : std::vector<WantedArch>{};
  if (wanted.all.empty()) return row.not_applicable("the backend is " + facts.manifest.backend);
  row.limit = slice.empty() ? text_of(wanted.all) + ", exactly, in the package's own libraries"
                            : "what GPUs of " + text_of(wanted.all) + " run, and nothing else";
  std::size_t with_code = 0;
  const auto look_at = [&](const LibraryFacts& library) {
    if (!facts.is_own(library.file_name())) return;
    if (slice.empty()) {
      check_library(library, wanted, row);
    } else {
      check_slice(library, slice, row);
    }
    if (library.gpu.groups.empty()) return;
    ++with_code;
    for (const auto& [targets, group] : library.gpu.groups) {
      row.notes.push_back(fmt::format("{}: {} for {}", library.path, counted(group.count, "piece"),
                                      text_of(targets)));
    }
  };
  for (const ElfFacts& elf : facts.elves) look_at(elf);
  for (const ArchiveFacts& archive : facts.archives) look_at(archive);
  // The package pytorch of conda leaves libtorch's libraries to the package libtorch.
  const bool without_libtorch =
      facts.kind == Facts::Kind::kConda && facts.manifest.product != "package";
  if (with_code == 0 && !without_libtorch) {
    row.wrong("no library of the package's own has code for GPUs");
  }
  row.found =
      fmt::format("{} in {}", text_of(wanted.all), counted(with_code, "library", "libraries"));
}

}  // namespace torchpkg
