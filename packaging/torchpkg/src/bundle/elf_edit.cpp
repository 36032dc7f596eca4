// SPDX-License-Identifier: BSD-3-Clause
#include "bundle/elf_edit.h"

#include <system_error>

#include "common/error.h"
#include "common/file.h"
#include "common/process.h"

namespace torchpkg {

namespace fs = std::filesystem;

namespace {

void run_patchelf(const std::vector<std::string>& command, const fs::path& file) {
  CommandResult result;
  try {
    result = run_command(command);
  } catch (const Error& error) {
    throw Error(ExitCode::kEnvironment, error.what(), "install patchelf, or give --patchelf PATH");
  }
  if (result.exit_code == 0) return;
  throw Error(ExitCode::kEnvironment,
              command[0] + " could not change " + file.string() + ": " + result.output,
              "check that patchelf is at least 0.14 and that the disk is not full");
}

}  // namespace

void apply_elf_edit(const std::string& patchelf, const fs::path& from, const fs::path& to,
                    const ElfEdit& edit) {
  remove_stale_partials(to);
  const fs::path partial = partial_name(to);
  std::error_code error;
  try {
    if (edit.empty()) {
      fs::copy_file(from, partial, fs::copy_options::overwrite_existing, error);
      if (error) throw system_error(to.string() + " cannot be written", error.value());
    } else {
      std::vector<std::string> command{patchelf};
      if (edit.rpath) {
        command.insert(command.end(), {"--force-rpath", "--set-rpath", *edit.rpath});
      }
      if (edit.soname) command.insert(command.end(), {"--set-soname", *edit.soname});
      for (const auto& [before, after] : edit.needed) {
        command.insert(command.end(), {"--replace-needed", before, after});
      }
      command.insert(command.end(), {"--output", partial.string(), from.string()});
      run_patchelf(command, to);
    }
    fs::permissions(partial, fs::status(from).permissions() | fs::perms::owner_write, error);
    fs::rename(partial, to);
  } catch (...) {
    fs::remove(partial, error);
    throw;
  }
}

}  // namespace torchpkg
