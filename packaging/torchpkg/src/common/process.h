// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace torchpkg {

/// How a command ended: its exit code (128 + signal when killed) and all that it printed.
struct CommandResult {
  int exit_code = 0;
  std::string output;
};

/// Runs a command without a shell and collects its standard output and standard error.
/// `command`: the program (looked up on PATH) and its arguments.
/// Error: kEnvironment when it cannot be started (127 is not mistaken for the command's own).
CommandResult run_command(const std::vector<std::string>& command);

}  // namespace torchpkg
