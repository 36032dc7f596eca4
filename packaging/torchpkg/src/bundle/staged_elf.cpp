// SPDX-License-Identifier: BSD-3-Clause
#include "bundle/staged_elf.h"

#include <algorithm>

#include "backend/libraries.h"
#include "common/file.h"
#include "elf/host_elf.h"
#include "elf/known_libraries.h"

namespace torchpkg {

std::optional<StagedElf> read_staged(const std::filesystem::path& path) {
  const MappedFile file(path);
  if (!is_host_elf(path.string(), file.bytes())) return std::nullopt;
  const ElfImage image(file.bytes(), path.string());
  StagedElf elf{path,
                image.machine(),
                image.bits(),
                image.dynamic(),
                image.needed_versions(),
                image.stack_mark().has_value()};
  if (!elf.dynamic.present) return std::nullopt;
  return elf;
}

std::string base_name(const std::string& needed) {
  return std::filesystem::path(needed).filename().string();
}

std::string name_in_package(const std::string& name, const std::string& sha256, bool rename) {
  const backend::Library* known = backend::library_of(name);
  if (known != nullptr) return known->opened_as.empty() ? name : known->opened_as;
  if (!rename || is_openmp_runtime(name)) return name;
  const std::size_t suffix = std::min(name.find(".so"), name.size());
  return name.substr(0, suffix) + "-" + sha256.substr(0, 8) + name.substr(suffix);
}

}  // namespace torchpkg
