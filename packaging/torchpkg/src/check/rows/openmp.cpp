// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "check/rows.h"
#include "common/text.h"
#include "elf/known_libraries.h"

namespace torchpkg {

namespace {

/// Whether the CMake package makes users link the OpenMP runtime of their compiler.
bool asks_compiler_for_openmp(const Facts& facts) {
  for (const auto& [path, text] : facts.texts) {
    if (!path.ends_with(".cmake")) continue;
    for (const char* word : {"OpenMP::OpenMP", "fopenmp", "gomp"}) {
      if (text.find(word) != std::string::npos) return true;
    }
  }
  return false;
}

}  // namespace

void check_openmp(const Facts& facts, Row& row) {
  row.limit = "exactly one OpenMP runtime";
  std::set<std::string> runtimes;
  for (const ElfFacts& elf : facts.elves) {
    // A runtime is known by its name, or by what it defines when it was linked into something.
    if (is_openmp_runtime(elf.file_name()) || elf.code.defines_openmp) {
      runtimes.insert(elf.dynamic.soname.empty() ? elf.file_name() : elf.dynamic.soname);
    }
    for (const std::string& needed : elf.dynamic.needed) {
      if (is_openmp_runtime(needed)) runtimes.insert(needed);
    }
  }
  for (const ArchiveFacts& archive : facts.archives) {
    if (archive.code.defines_openmp) runtimes.insert(archive.file_name());
  }
  if (runtimes.empty() && !facts.manifest.openmp) {
    return row.not_applicable("OPENMP is off in the manifest");
  }
  row.found = join({runtimes.begin(), runtimes.end()}, ", ");
  if (runtimes.size() > 1) {
    row.wrong(fmt::format("{} OpenMP runtimes: {}", runtimes.size(), row.found));
  }
  if (!runtimes.empty()) return;
  if (facts.manifest.is_static && asks_compiler_for_openmp(facts)) {
    row.found = "that of the user's compiler, through the CMake package";
  } else if (facts.kind == Facts::Kind::kConda) {
    row.not_applicable("libtorch_cpu is in another package");
  } else {
    row.wrong("no library uses an OpenMP runtime");
  }
}

}  // namespace torchpkg
