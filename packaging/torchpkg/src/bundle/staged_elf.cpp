// SPDX-License-Identifier: BSD-3-Clause
#include "bundle/staged_elf.h"

#include <algorithm>

#include "common/file.h"

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

std::string renamed(const std::string& soname, const std::string& sha256) {
  const std::size_t suffix = std::min(soname.find(".so"), soname.size());
  return soname.substr(0, suffix) + "-" + sha256.substr(0, 8) + soname.substr(suffix);
}

}  // namespace torchpkg
