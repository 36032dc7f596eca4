// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace torchpkg {

struct RunOptions {
  std::string package;
  std::string phase;
  std::filesystem::path log;  ///< what the command prints; the former log becomes `.1`
  std::size_t tail = 30;      ///< lines of the log shown after a failure
  bool retry_alone = false;   ///< try what was killed for memory again, by itself
  std::chrono::milliseconds interval = std::chrono::seconds(14);  ///< between plain lines
  std::filesystem::path step_costs;  ///< see StepCosts::read(); empty: nothing is known
  std::string no_network;  ///< where a proxy refuses downloads, `127.1.2.3:20001`; empty: network
  bool network_namespace = true;  ///< with no_network: an empty one, if the machine allows it
  std::vector<std::string> command;
};

/// Runs a phase of a package: its command's output goes into a log, progress is shown, and a
/// failure is explained in a few lines, as is a download that was tried without a network. Returns
/// the command's exit code (130, 143 when interrupted). Errors: kUsage without a command;
/// kEnvironment when the log cannot be written or the command cannot be started.
int run(const RunOptions& options);

}  // namespace torchpkg
