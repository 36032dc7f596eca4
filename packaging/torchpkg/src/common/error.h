// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <string>

namespace torchpkg {

/// Exit codes of every sub-command.
enum class ExitCode : int {
  kGood = 0,
  kCheckFailed = 1,
  kUsage = 2,        ///< wrong arguments
  kBadInput = 3,     ///< a file that was given is not what it should be
  kEnvironment = 4,  ///< disk, permissions, a missing tool or library
};

/// What a user has done wrong or what the machine lacks: one line that says what is wrong with
/// which file, one that says what to do. Everything thrown on purpose is of this type.
class Error : public std::runtime_error {
 public:
  /// `message`: what is wrong; `remedy`: what to do about it (may be empty).
  Error(ExitCode code, const std::string& message, std::string remedy = {});

  [[nodiscard]] ExitCode code() const { return code_; }
  [[nodiscard]] const std::string& remedy() const { return remedy_; }

 private:
  ExitCode code_;
  std::string remedy_;
};

/// An error of the kind kEnvironment that appends the text of `error_number` (an errno value) and
/// the remedy that fits it: disk full, permission, too many open files.
Error system_error(const std::string& message, int error_number);

}  // namespace torchpkg
