// SPDX-License-Identifier: BSD-3-Clause
#include "common/error.h"

#include <cerrno>
#include <system_error>
#include <utility>

namespace torchpkg {

namespace {

std::string remedy_for(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return "free some disk space (or choose another folder) and run it again";
    case EACCES:
    case EPERM:
      return "give yourself the permission, or choose another folder";
    case EROFS:
      return "the file system is read-only: choose another folder";
    case ENOENT:
      return "check the path";
    case EMFILE:
    case ENFILE:
      return "raise the limit of open files (ulimit -n)";
    default:
      return {};
  }
}

}  // namespace

Error::Error(ExitCode code, const std::string& message, std::string remedy)
    : std::runtime_error(message), code_(code), remedy_(std::move(remedy)) {}

Error system_error(const std::string& message, int error_number) {
  return {ExitCode::kEnvironment, message + ": " + std::generic_category().message(error_number),
          remedy_for(error_number)};
}

}  // namespace torchpkg
