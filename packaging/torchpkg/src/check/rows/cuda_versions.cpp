// SPDX-License-Identifier: BSD-3-Clause
// Whether NVIDIA's libraries are of the versions that libtorch was compiled with.
#include <fmt/core.h>

#include <map>

#include "backend/libraries.h"
#include "check/rows.h"
#include "common/text.h"

namespace torchpkg {

namespace {

/// "12" of "libcudart.so.12" and of "12.4".
std::string major_of(const std::string& text) {
  const std::size_t suffix = text.find(".so.");
  const std::string version = suffix == std::string::npos ? text : text.substr(suffix + 4);
  return version.substr(0, version.find('.'));
}

}  // namespace

void check_cuda_versions(const Facts& facts, Row& row) {
  if (!facts.manifest.cuda) return row.not_applicable("the backend is " + facts.manifest.backend);
  row.limit = "each library's SONAME has the major version of the header";
  std::map<std::string, std::string> versions = facts.manifest.cuda->versions;
  versions["cudart"] = facts.manifest.cuda->version;
  versions["nvrtc"] = facts.manifest.cuda->version;
  std::size_t compared = 0;
  for (const ElfFacts& elf : facts.elves) {
    for (const std::string& needed : elf.dynamic.needed) {
      const backend::Library* library = backend::library_of(needed);
      const auto version = library == nullptr ? versions.end() : versions.find(library->name);
      if (version == versions.end() || needed.find(".so.") == std::string::npos) continue;
      ++compared;
      const std::string major = major_of(needed);
      if (major == "0" || major == major_of(version->second)) continue;  // cuFile 1.17 still has 0
      row.wrong(fmt::format("{} needs {}, but was compiled with {} {}", elf.path, needed,
                            library->name, version->second));
    }
  }
  row.found = counted(compared, "library", "libraries") + " compared";
}

}  // namespace torchpkg
