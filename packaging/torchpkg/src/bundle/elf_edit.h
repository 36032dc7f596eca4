// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace torchpkg {

/// Changes to an ELF file's dynamic section.
struct ElfEdit {
  std::optional<std::string> rpath;  ///< becomes DT_RPATH (never RUNPATH)
  std::optional<std::string> soname;
  std::vector<std::pair<std::string, std::string>> needed;  ///< old name, new name

  bool plain_stack = false;  ///< no longer asks for an executable stack

  [[nodiscard]] bool empty() const { return !rpath && !soname && needed.empty() && !plain_stack; }
};

/// Writes `from` with the changes to `to` (may be the same file): made beside, then renamed. The
/// permissions of `from` are kept. Error: kEnvironment when patchelf is missing or fails.
void apply_elf_edit(const std::filesystem::path& from, const std::filesystem::path& to,
                    const ElfEdit& edit);

}  // namespace torchpkg
