// SPDX-License-Identifier: BSD-3-Clause
#include "bundle/elf_edit.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

#include "common/error.h"
#include "common/file.h"
#include "common/interrupt.h"
#include "common/partial_file.h"
#include "common/process.h"
#include "common/text.h"
#include "elf/elf_image.h"

namespace torchpkg {

namespace fs = std::filesystem;

namespace {

void run_patchelf(const std::vector<std::string>& options, const fs::path& file) {
  std::vector<std::string> command{"patchelf"};
  command.insert(command.end(), options.begin(), options.end());
  command.push_back(file.string());
  CommandResult result;
  try {
    result = run_command(command);
  } catch (const Error& error) {
    throw Error(ExitCode::kEnvironment, error.what(), "install patchelf");
  }
  InterruptGuard::check();  // a terminal sends the signal to patchelf, too
  if (result.exit_code == 0) return;
  throw Error(ExitCode::kEnvironment, join(command, " ") + " failed: " + result.output,
              "check that patchelf is at least 0.14 and that the disk is not full");
}

/// patchelf can do this only from 0.18 on.
void clear_stack_mark(const fs::path& file) {
  std::optional<std::pair<std::uint64_t, std::uint8_t>> mark;
  {
    const MappedFile mapped(file);
    mark = ElfImage(mapped.bytes(), file.string()).stack_mark();
  }
  if (!mark) return;
  const FileDescriptor out(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
  if (!out.valid()) throw system_error(file.string() + " cannot be written", errno);
  const auto at = static_cast<off_t>(mark->first);
  if (::pwrite(out.get(), &mark->second, 1, at) != 1) {
    throw system_error(file.string() + " cannot be written", errno);
  }
}

}  // namespace

void apply_elf_edit(const fs::path& from, const fs::path& to, const ElfEdit& edit) {
  PartialFile partial(to);
  const fs::path& file = partial.path();
  std::error_code error;
  fs::copy_file(from, file, fs::copy_options::overwrite_existing, error);
  if (error) throw system_error(to.string() + " cannot be written", error.value());
  fs::permissions(file, fs::perms::owner_write, fs::perm_options::add);
  // One kind of change at a time: several versions of patchelf mix up the strings when SONAME
  // and RPATH are set in one call.
  std::vector<std::string> needed;
  for (const auto& [before, after] : edit.needed) {
    needed.insert(needed.end(), {"--replace-needed", before, after});
  }
  if (!needed.empty()) run_patchelf(needed, file);
  if (edit.soname) run_patchelf({"--set-soname", *edit.soname}, file);
  if (edit.rpath) run_patchelf({"--force-rpath", "--set-rpath", *edit.rpath}, file);
  if (edit.plain_stack) clear_stack_mark(file);
  partial.commit();
}

}  // namespace torchpkg
